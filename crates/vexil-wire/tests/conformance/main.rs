//! The official client specification and the reported engine faults, through the wire and the engine.

mod locate;
mod suite;

use locate::Source;

#[test]
fn every_case_of_the_client_specification_holds() {
    let source = Source {
        variable: "CLIENT_SPECIFICATION",
        beside: "../shared/client-specification/specifications",
        package: "node_modules/@unleash/client-specification/specifications",
    };
    let Some(folder) = source.folder() else { return };
    let files = suite::files_of_index(&folder);
    let cases = suite::run(&folder, &files);
    println!("client specification: {} files, {cases} cases", files.len());
    assert_eq!((files.len(), cases), (22, 279));
}

#[test]
fn no_reported_fault_is_ours() {
    let source = Source {
        variable: "ENGINE_CASES",
        beside: "../shared/cases/engine",
        package: "engine-cases",
    };
    let Some(folder) = source.folder() else { return };
    let files = suite::files_in(&folder);
    let cases = suite::run(&folder, &files);
    println!("reported faults: {} files, {cases} cases", files.len());
    assert_eq!(files.len(), 28);
}
