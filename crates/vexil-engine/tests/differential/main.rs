//! Other engines beside this one, on flags and contexts that hold everything odd: each difference is of a kind that
//! `docs/COMPATIBILITY.md` lists, or the test fails.
//!
//! A difference is of a kind when it goes away once what that kind is about is written otherwise, in a way that means the
//! same here (`normal.rs`). What is left after all that is a fault, of this engine or of the page.
//!
//! `DIFFERENTIAL_EVALUATIONS` says how many evaluations are compared (1,500), `DIFFERENTIAL_SEED` which. The SDK for
//! Node.js is asked where `VEXIL_NODE_SDK` names the script that asks it.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test stops at what it does not expect, prints what it found, and is told how much to try"
)]

mod case;
mod chance;
mod kinds;
mod normal;
mod oracle;
mod peers;

#[path = "../it/reference/interpreter.rs"]
mod interpreter;
#[path = "../it/reference/values.rs"]
mod values;

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use vexil_proptest::{arb_context, arb_environment_snapshot};

use case::{Answer, Case, sendable};
use kinds::{Kind, Kinds, PeerName};
use peers::{Node, Peer, Yggdrasil};

/// So many contexts are asked for each state.
const CONTEXTS: usize = 24;

fn from_environment(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(otherwise, |text| text.parse().unwrap())
}

/// What was found of one peer.
#[derive(Default)]
struct Found {
    compared: u64,
    different: u64,
    /// How many differences have these kinds as their cause.
    of: BTreeMap<Kinds, u64>,
    unexplained: Vec<String>,
}

#[test]
fn every_difference_from_other_engines_is_of_a_listed_kind() {
    let wanted = from_environment("DIFFERENTIAL_EVALUATIONS", 1_500);
    let mut runner = runner(from_environment("DIFFERENTIAL_SEED", 1));
    let mut peers: Vec<Box<dyn Peer>> = vec![Box::new(Yggdrasil)];
    peers.extend(Node::start().map(|node| Box::new(node) as Box<dyn Peer>));
    peers::hush();
    let drawn = (arb_environment_snapshot(), vec(arb_context(), CONTEXTS));
    let mut found: BTreeMap<PeerName, Found> =
        peers.iter().map(|peer| (peer.name(), Found::default())).collect();
    let (mut evaluations, mut by_chance) = (0_u64, 0_u64);
    while evaluations - by_chance < wanted {
        let (snapshot, contexts) = drawn.new_tree(&mut runner).unwrap().current();
        let snapshot = sendable(snapshot);
        let flags: Vec<_> = snapshot.flags.keys().cloned().collect();
        let ours = case::ours(&snapshot, &flags, &contexts);
        evaluations += ours.len() as u64;
        let certain: Vec<bool> = chance::certain(&snapshot, &flags, &contexts);
        by_chance += certain.iter().filter(|certain| !**certain).count() as u64;
        for peer in &mut peers {
            let theirs = peer.ask(&snapshot, &flags, &contexts);
            let found = found.get_mut(&peer.name()).unwrap();
            for (place, (our, their)) in ours.iter().zip(&theirs).enumerate() {
                if !certain[place] {
                    continue;
                }
                found.compared += 1;
                if our == their {
                    continue;
                }
                let case = Case {
                    snapshot: snapshot.clone(),
                    flag: flags[place / CONTEXTS].clone(),
                    context: contexts[place % CONTEXTS].clone(),
                };
                found.different += 1;
                match explain(&case, our, &mut **peer) {
                    Ok(kinds) => *found.of.entry(kinds).or_default() += 1,
                    Err(text) => found.unexplained.push(text),
                }
            }
        }
        if found.values().any(|found| found.unexplained.len() > 20) {
            break;
        }
    }
    println!("{evaluations} evaluations, {by_chance} left to chance");
    for (peer, found) in &found {
        println!(
            "{peer:?}: {} compared, {} different",
            found.compared, found.different
        );
        for (kinds, count) in &found.of {
            println!("{count:>8}  {kinds:?}");
        }
    }
    let wrong: Vec<&String> = found.values().flat_map(|found| &found.unexplained).collect();
    assert!(
        wrong.is_empty(),
        "{} differences are of no listed kind:\n{}",
        wrong.len(),
        {
            let first: Vec<_> = wrong.iter().take(5).map(|text| text.as_str()).collect();
            first.join("\n\n")
        }
    );
}

fn runner(seed: u64) -> TestRunner {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &bytes),
    )
}

/// The kinds that a difference is of: those without which it does not go away.
fn explain(case: &Case, ours: &Answer, peer: &mut dyn Peer) -> Result<Kinds, String> {
    let all = Kinds::all(peer.name());
    let mut agrees = |kinds: &Kinds| -> Result<bool, String> {
        let normal = normal::of(case, kinds);
        let one = (
            std::slice::from_ref(&normal.flag),
            std::slice::from_ref(&normal.context),
        );
        let still_ours = case::ours(&normal.snapshot, one.0, one.1);
        if still_ours.first() != Some(ours) {
            return Err(format!(
                "written otherwise ({kinds:?}), we say {still_ours:?}, not {ours:?}:\n{}\nas {}",
                case.show(),
                normal.show()
            ));
        }
        let theirs = peer.ask(&normal.snapshot, one.0, one.1);
        Ok(theirs.first() == Some(ours))
    };
    for kind in &all.0 {
        let only = Kinds(vec![*kind]);
        if agrees(&only)? {
            return Ok(only);
        }
    }
    if !agrees(&all)? {
        let normal = normal::of(case, &all);
        let theirs = peer.ask(
            &normal.snapshot,
            std::slice::from_ref(&normal.flag),
            std::slice::from_ref(&normal.context),
        );
        return Err(format!(
            "{:?}: we say {ours:?}, they say {theirs:?} of what is left:\n{}\nof {}",
            peer.name(),
            normal.show(),
            case.show()
        ));
    }
    let mut left = all;
    for kind in left.0.clone() {
        let without = Kinds(left.0.iter().copied().filter(|one| *one != kind).collect());
        if agrees(&without)? {
            left = without;
        }
    }
    Ok(left)
}

#[test]
fn every_kind_stands_on_the_page() {
    let page = include_str!("../../../../docs/COMPATIBILITY.md");
    let missing: Vec<&str> = Kind::ALL
        .iter()
        .map(|kind| kind.row())
        .filter(|row| !page.contains(row))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
