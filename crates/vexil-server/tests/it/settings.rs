//! Settings with which no server could do its work.

use std::process::Command;

use clap::{CommandFactory, Parser};
use vexil_server::Arguments;

fn reads(option: &str, value: &str) -> Result<(), String> {
    let read = Arguments::try_parse_from(["vexil", "serve", &format!("--{option}"), value]);
    read.map(drop).map_err(|error| error.to_string())
}

#[test]
fn every_number_is_one_with_which_a_server_can_do_its_work() {
    let command = Arguments::command();
    let options = command.find_subcommand("serve").unwrap().get_arguments();
    let names: Vec<&str> = options.filter_map(|option| option.get_long()).collect();
    let is_number = |name: &&&str| reads(name, "x").is_err_and(|why| why.contains("a whole number from"));
    let numbers: Vec<&str> = names.iter().filter(is_number).copied().collect();
    assert!(numbers.len() > 10, "{numbers:?}");
    for name in numbers {
        // any free port, no streams, asked anew each time
        if !["http-port", "max-streams", "access-control-max-age"].contains(&name) {
            let why = reads(name, "0").expect_err(name);
            assert!(why.contains(&format!("--{name} ")), "{why}");
        }
        // bounded by the files that may be open, by streams of connections, and by the time that a question has
        if !["max-connections", "max-streams", "playground-limit"].contains(&name) {
            let why = reads(name, "18446744073709551615").expect_err(name);
            assert!(why.contains(&format!("--{name} ")), "{why}");
        }
        reads(name, "1024").unwrap_or_else(|why| panic!("{why}"));
    }
}

#[cfg(unix)]
#[test]
fn a_process_that_may_open_too_few_files_says_so_and_starts_nothing() {
    let program = env!("CARGO_BIN_EXE_vexil");
    let folder = std::env::temp_dir().join(format!("vexil-settings-{}", uuid::Uuid::new_v4().simple()));
    std::fs::create_dir(&folder).unwrap();
    for (files, workers) in [(24, 1), (100, 20)] {
        let start =
            format!("ulimit -n {files}; exec '{program}' serve --http-port 0 --http-workers {workers}");
        let refused = Command::new("sh")
            .args(["-c", &start])
            .current_dir(&folder)
            .env("DATABASE_URL", "sqlite:vexil.db")
            .output()
            .unwrap();
        let why = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{why}");
        assert!(why.contains(&format!("may open {files} files")), "{why}");
        // what is told once is told by the next start
        assert!(refused.stdout.is_empty());
    }
    std::fs::remove_dir_all(folder).unwrap();
}
