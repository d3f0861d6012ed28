//! The official client specification, the reported engine faults and any input, through the wire and the engine.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it does not expect"
)]

mod any_input;
mod cases;
#[expect(
    clippy::disallowed_methods,
    reason = "a test finds its data by environment variables"
)]
mod locate;
mod suite;
mod tolerance;

use locate::Source;

#[test]
fn every_case_of_the_client_specification_holds() {
    let source = Source {
        variable: "CLIENT_SPECIFICATION",
        beside: "../shared/client-specification/specifications",
        package: "node_modules/@unleash/client-specification/specifications",
    };
    let Some(folder) = source.folder() else { return };
    let files = cases::files_of_index(&folder);
    let cases = suite::run(&folder, &files);
    println!("client specification: {} files, {cases} cases", files.len());
    assert_eq!((files.len(), cases), (22, 279));
}

#[test]
fn no_reported_fault_is_ours() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/engine-faults");
    let files = suite::files_in(&folder);
    let cases = suite::run(&folder, &files);
    println!("reported faults: {} files, {cases} cases", files.len());
    assert_eq!(files.len(), 28);
}

#[test]
fn the_corpus_of_the_fuzz_target_is_answered() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/client_features");
    let entries: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
    assert!(entries.len() >= 9);
    for entry in entries {
        any_input::answer(&std::fs::read(entry.unwrap().path()).unwrap());
    }
}
