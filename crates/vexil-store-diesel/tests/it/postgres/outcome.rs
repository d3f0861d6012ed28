//! Answers that are lost on their way.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use vexil_store::{Commit, CommitError, CommitId, ConfigurationStore, StoreError};
use vexil_store_diesel::{OpenError, open};

use super::{Schema, server};
use crate::folder::unique_name;

/// Stands between a client and the database; while `cut` is set, it hands `COMMIT` on and then hangs
/// up on the client.
fn proxy(database: String, cut: Arc<AtomicBool>) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = TcpStream::connect(&database).unwrap();
            let (from_server, to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            let cut = Arc::clone(&cut);
            thread::spawn(move || hand_on(from_server, to_client, None));
            thread::spawn(move || hand_on(client, server, Some(cut)));
        }
    });
    port
}

fn hand_on(mut from: TcpStream, mut to: TcpStream, cut: Option<Arc<AtomicBool>>) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let sent = buffer.get(..length).unwrap();
        let committing = sent.windows(7).any(|it| it == b"COMMIT\0");
        if committing && cut.as_ref().is_some_and(|cut| cut.load(Ordering::Acquire)) {
            from.shutdown(Shutdown::Both).unwrap();
            to.write_all(sent).unwrap();
            // the database carries it out before it notices that nobody listens
            let _ = to.read(&mut buffer);
            return;
        }
        if to.write_all(sent).is_err() {
            return;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

fn unknown(outcome: Result<vexil_store::Revision, CommitError>) {
    assert!(
        matches!(
            outcome,
            Err(CommitError::Store(StoreError::UnknownOutcome { .. }))
        ),
        "{outcome:?}"
    );
}

#[test]
fn a_commit_whose_answer_is_lost_is_neither_success_nor_failure_and_can_be_asked_for() {
    let Some(schema) = Schema::new() else {
        return;
    };
    let cut = Arc::new(AtomicBool::new(false));
    let url = schema.url();
    let (_, rest) = url.split_once('@').unwrap();
    let (host, rest) = rest.split_once('/').unwrap();
    let port = proxy(host.to_owned(), Arc::clone(&cut));
    let store = open(&format!("postgres://postgres@127.0.0.1:{port}/{rest}")).unwrap();

    let edit = Commit {
        id: CommitId(1),
        ..Commit::default()
    };
    cut.store(true, Ordering::Release);
    unknown(store.commit(&edit));
    cut.store(false, Ordering::Release);
    assert!(store.was_committed(&edit).unwrap());
    assert_eq!(store.revision().unwrap().sequence, 1);
}

#[test]
fn a_commit_that_dies_with_its_connection_is_found_not_to_have_been_carried_out() {
    let Some(schema) = Schema::new() else {
        return;
    };
    let store = open(&schema.url()).unwrap();
    let mut connection = PgConnection::establish(&schema.url()).unwrap();
    let dying = "create function die() returns trigger language plpgsql as
            $$begin perform pg_terminate_backend(pg_backend_pid()); return null; end$$;
         create constraint trigger die after update on store_state deferrable initially deferred
            for each row execute function die();";
    connection.batch_execute(dying).unwrap();
    let edit = Commit {
        id: CommitId(1),
        ..Commit::default()
    };
    unknown(store.commit(&edit));
    connection
        .batch_execute("drop trigger die on store_state")
        .unwrap();
    assert!(!store.was_committed(&edit).unwrap());
    assert_eq!(store.revision().unwrap().sequence, 0);
}

#[test]
fn a_database_that_cannot_hold_all_texts_is_refused() {
    let Some(server) = server() else {
        return;
    };
    let name = format!("vexil_latin1_{}", unique_name());
    let mut connection = PgConnection::establish(&server).unwrap();
    let create = format!("create database {name} encoding 'LATIN1' locale 'C' template template0");
    connection.batch_execute(&create).unwrap();
    let (start, _) = server.rsplit_once('/').unwrap();
    let outcome = open(&format!("{start}/{name}"));
    connection
        .batch_execute(&format!("drop database {name}"))
        .unwrap();
    assert!(
        matches!(&outcome, Err(OpenError::Encoding { encoding }) if encoding == "LATIN1"),
        "{outcome:?}"
    );
}

#[test]
fn an_edit_does_not_wait_for_ever_for_one_that_stands_still() {
    let Some(schema) = Schema::new() else {
        return;
    };
    let store = open(&schema.url()).unwrap();
    let mut standing = PgConnection::establish(&schema.url()).unwrap();
    standing
        .batch_execute("begin; update store_state set sequence = sequence")
        .unwrap();
    let outcome = store.commit(&Commit::default());
    assert!(
        matches!(outcome, Err(CommitError::Store(StoreError::Backend { .. }))),
        "{outcome:?}"
    );
    standing.batch_execute("rollback").unwrap();
    store.commit(&Commit::default()).unwrap();
}
