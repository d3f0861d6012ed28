use std::time::Duration;

use super::*;
use crate::lanes::Lanes;
use crate::served_environment::ServedEnvironment;

fn environment(bytes: usize) -> ServedEnvironment {
    let mut snapshot = EnvironmentSnapshot::default();
    let mut flag = EnvironmentFlag::new("checkout", "default");
    flag.description = Some("x".repeat(bytes));
    snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
    ServedEnvironment::new(&"production".into(), snapshot, 7.into())
}

async fn read(environment: &ServedEnvironment, lanes: &Lanes, coding: Coding) -> Bytes {
    let rendering = lanes.rendering_within(Duration::from_secs(60));
    let document = document(environment);
    let text = environment.text(rendering, &document, coding);
    text.await.unwrap_or_else(|error| panic!("{error}"))
}

fn document(environment: &ServedEnvironment) -> Arc<Answer> {
    let scope = Scope {
        projects: None,
        name_prefix: None,
        tagged: None,
        segments: Segments::Listed,
        is_narrowed: false,
    };
    environment.answer(scope, Form::Document, false)
}

fn is_kept(environment: &ServedEnvironment, coding: Coding) -> bool {
    document(environment).packed(coding).text.load().get().is_some()
}

fn bytes_kept(environment: &ServedEnvironment) -> usize {
    environment.answers.whole.lock().unwrap().bytes()
}

#[tokio::test]
async fn a_large_text_goes_when_nobody_reads_it_and_is_made_again() {
    let (environment, lanes) = (environment(LARGE), Lanes::default());
    let (plain, gzip) = (Coding::Plain, Coding::Gzip);
    let first = read(&environment, &lanes, gzip).await;
    let tag = document(&environment).tag(plain).to_owned();
    let both = bytes_kept(&environment);

    environment.answers.let_go();
    assert!(is_kept(&environment, plain), "it was read a moment ago");
    environment.answers.let_go();
    assert!(!is_kept(&environment, plain));
    assert!(is_kept(&environment, gzip), "it is small");
    assert!(both - bytes_kept(&environment) > LARGE);
    assert_eq!(document(&environment).tag(plain), tag);
    assert_eq!(read(&environment, &lanes, gzip).await, first);
    assert!(!is_kept(&environment, plain), "nobody needed it");

    let again = read(&environment, &lanes, plain).await;
    assert!(again.len() > LARGE);
    for _ in 0..3 {
        environment.answers.let_go();
        assert_eq!(read(&environment, &lanes, plain).await, again);
        assert!(is_kept(&environment, plain), "somebody reads it");
    }
    assert_eq!(bytes_kept(&environment), both);
}

#[tokio::test]
async fn a_text_of_usual_size_stays() {
    let (environment, lanes) = (environment(LARGE / 2), Lanes::default());
    let text = read(&environment, &lanes, Coding::Plain).await;
    for _ in 0..3 {
        environment.answers.let_go();
    }
    assert!(is_kept(&environment, Coding::Plain));
    assert_eq!(read(&environment, &lanes, Coding::Plain).await, text);
}
