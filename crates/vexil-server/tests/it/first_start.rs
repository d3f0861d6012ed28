//! What the program prints and makes at its first start.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::folder::Folder;

/// A server of its own process, stopped when dropped.
struct Program {
    child: Child,
    address: String,
    lines: Vec<String>,
}

impl Program {
    /// Starts the program on any free port, and reads what it prints until nothing more is to come.
    fn start(folder: &std::path::Path, settings: &[(&str, &str)], lines: usize) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vexil"))
            .args(["serve", "--http-port", "0", "--http-workers", "1"])
            .current_dir(folder)
            .env("DATABASE_URL", "sqlite:vexil.db")
            .env("INIT_ADMIN_API_TOKENS", "*:*.first-start")
            .envs(settings.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap()).lines();
        let lines: Vec<String> = (0..lines)
            .map_while(|_| printed.next())
            .map(Result::unwrap)
            .collect();
        let address = lines[0].rsplit_once("http://").unwrap().1.to_owned();
        Self {
            child,
            address,
            lines,
        }
    }

    fn sign_in(&self, name: &str, password: &str) -> u16 {
        let body = json!({ "username": name, "password": password }).to_string();
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let sent = agent
            .post(format!("http://{}/auth/simple/login", self.address))
            .header("content-type", "application/json")
            .send(body);
        sent.unwrap().status().as_u16()
    }

    fn events(&self) -> Value {
        let text = ureq::get(format!("http://{}/api/admin/events", self.address))
            .header("authorization", "*:*.first-start")
            .call()
            .unwrap()
            .body_mut()
            .read_to_string()
            .unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_new_instance_begins_with_an_admin_whose_password_nobody_knows() {
    let folder = Folder::new();
    let program = Program::start(&folder, &[], 2);
    let password = program.lines[1].rsplit_once(": ").unwrap().1.to_owned();
    assert!(
        program.lines[1].starts_with("Sign in as `admin`"),
        "{:?}",
        program.lines
    );
    assert_eq!(program.sign_in("admin", "unleash4all"), 401);
    assert_eq!(program.sign_in("admin", &password), 200);
    assert!(!program.events().to_string().contains(&password));
    drop(program);
    // the second start makes none, and prints none
    let program = Program::start(&folder, &[], 1);
    assert_eq!(program.sign_in("admin", &password), 200);
    drop(program);
}

#[test]
fn the_operator_may_choose_the_first_admin() {
    let folder = Folder::new();
    let settings = [
        ("UNLEASH_DEFAULT_ADMIN_USERNAME", "root"),
        ("UNLEASH_DEFAULT_ADMIN_PASSWORD", "Xy7!pqRstuvw9"),
    ];
    let program = Program::start(&folder, &settings, 1);
    assert_eq!(program.sign_in("root", "Xy7!pqRstuvw9"), 200);
    assert_eq!(program.sign_in("admin", "Xy7!pqRstuvw9"), 401);
    drop(program);
    let other = Folder::new();
    let refused = Command::new(env!("CARGO_BIN_EXE_vexil"))
        .args(["serve", "--http-port", "0"])
        .current_dir(&other)
        .env("DATABASE_URL", "sqlite:vexil.db")
        .env("UNLEASH_DEFAULT_ADMIN_PASSWORD", "unleash4all")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && told.contains("too weak"), "{told}");
    assert!(!told.contains("unleash4all"), "{told}");
}

/// `vexil admin reset-password admin`, with the database `vexil.db` of a folder.
fn reset_password(folder: &std::path::Path) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_vexil"))
        .args(["admin", "reset-password", "admin"])
        .current_dir(folder)
        .env_remove("DATABASE_URL")
        .output()
        .unwrap()
}

#[test]
fn a_lost_password_is_reset_while_the_server_runs_and_in_no_other_database() {
    let (used, other) = (Folder::new(), Folder::new());
    let program = Program::start(&used, &[], 2);
    let lost = program.lines[1].rsplit_once(": ").unwrap().1.to_owned();
    let reset = reset_password(&used);
    let told = String::from_utf8(reset.stdout).unwrap();
    let password = told.trim().rsplit_once(": ").unwrap().1;
    assert!(
        reset.status.success() && told.contains("the user `admin`"),
        "{told}"
    );
    drop(program);
    let program = Program::start(&used, &[], 1);
    assert_eq!(program.sign_in("admin", password), 200);
    assert_eq!(program.sign_in("admin", &lost), 401);
    let refused = reset_password(&other);
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && refused.stdout.is_empty(), "{why}");
    assert!(why.contains("--database-url"), "{why}");
    // what is refused leaves no database behind
    assert_eq!(std::fs::read_dir(&other).unwrap().count(), 0);
    drop(program);
}

#[test]
fn a_provider_that_does_not_know_the_server_by_a_name_is_refused_at_once() {
    let answer = Command::new(env!("CARGO_BIN_EXE_vexil"))
        .args(["serve", "--http-port", "0"])
        .env("OIDC_ISSUER", "https://id.example.com")
        .env_remove("OIDC_CLIENT_ID")
        .output()
        .unwrap();
    assert_eq!(answer.status.code(), Some(2));
    let said = String::from_utf8_lossy(&answer.stderr);
    assert!(said.contains("--oidc-client-id"), "{said}");
}

/// Every way to be refused at the first start for what the arguments say is tried, and then a start that works.
#[test]
fn a_start_that_fails_takes_no_secret_with_it() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = Folder::new();
    for (setting, value) in [
        ("HTTP_PORT", port.as_str()),
        ("HTTP_HOST", "name.invalid"),
        ("BASE_URI_PATH", "flags"),
        ("UNLEASH_DEFAULT_ADMIN_PASSWORD", "short"),
        ("UNLEASH_URL", "flags"),
        ("SECRET_KEY", "short"),
        ("UNLEASH_FRONTEND_API_ORIGINS", "nowhere"),
        ("INIT_CLIENT_API_TOKENS", "nothing"),
    ] {
        let refused = Command::new(env!("CARGO_BIN_EXE_vexil"))
            .args(["serve", "--database-url", "sqlite:vexil.db"])
            .current_dir(&folder)
            .env("HTTP_PORT", "0")
            .env_remove("INIT_ADMIN_API_TOKENS")
            .env(setting, value)
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(1), "{setting}");
        assert!(refused.stdout.is_empty(), "{setting}");
    }
    let program = Program::start(&folder, &[("INIT_ADMIN_API_TOKENS", "")], 3);
    let told = program.lines.join("\n");
    assert!(told.contains("Admin token, shown this once: *:*."), "{told}");
    let (name, password) = program.lines[2].rsplit_once(": ").unwrap();
    assert!(name.contains("Sign in as `admin`"), "{told}");
    assert_eq!(program.sign_in("admin", password), 200);
    drop(program);
}

#[test]
fn a_demo_that_has_no_place_for_its_files_says_so() {
    let answer = Command::new(env!("CARGO_BIN_EXE_vexil"))
        .args(["demo", "--http-port", "0"])
        .env("TMPDIR", "/nowhere-at-all")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&answer.stderr);
    assert!(!answer.status.success() && said.contains("TMPDIR"), "{said}");
}

/// What a server writes to its log until it listens.
fn log_of_start(folder: &std::path::Path, settings: &[(&str, &str)]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_vexil"))
        .args(["serve", "--http-port", "0", "--http-workers", "1"])
        .current_dir(folder)
        .env("DATABASE_URL", "sqlite:vexil.db")
        .env("INIT_ADMIN_API_TOKENS", "*:*.first-start")
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    printed.read_line(&mut String::new()).unwrap();
    child.kill().unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
}

#[test]
fn an_initial_token_for_what_is_not_there_is_told_at_every_start_and_its_secret_is_not() {
    let folder = Folder::new();
    let settings = [
        (
            "INIT_CLIENT_API_TOKENS",
            "default:staging.s3cret,*:development.s3cret,shop:production.s3cret",
        ),
        ("INIT_FRONTEND_API_TOKENS", "default:devlopment.s3cret"),
    ];
    for start in ["first", "second"] {
        let log = log_of_start(&folder, &settings);
        assert!(!log.contains("s3cret"), "{log}");
        assert_eq!(log.matches("which is not there").count(), 3, "{start}: {log}");
        for told in [
            "initial client token `default:staging.…` names the environment `staging`",
            "initial client token `shop:production.…` names the project `shop`",
            "initial frontend token `default:devlopment.…` names the environment `devlopment`",
        ] {
            assert!(log.contains(told), "{told}: {log}");
        }
    }
}

/// SQLite writes at most four megabytes beside the database before it folds them in, and may write half of that here.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_refuses_edits_and_ends_no_server() {
    let folder = Folder::new();
    let mut child = Command::new("sh")
        .args([
            "-c",
            "ulimit -f 4000 && exec \"$0\" serve --http-port 0 --http-workers 1",
        ])
        .arg(env!("CARGO_BIN_EXE_vexil"))
        .current_dir(&*folder)
        .env("DATABASE_URL", "sqlite:vexil.db")
        .env("INIT_ADMIN_API_TOKENS", "*:*.first-start")
        .env("INIT_CLIENT_API_TOKENS", "default:development.first-start")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line.trim().rsplit_once("http://").unwrap().1.to_owned();
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .into();
    let features = format!("http://{address}/api/admin/projects/default/features");
    let edit = |number: usize| {
        let body = json!({ "name": format!("flag-{number}"), "description": "x".repeat(20_000) });
        let request = agent.post(&features).header("authorization", "*:*.first-start");
        let sent = request
            .header("content-type", "application/json")
            .send(body.to_string());
        sent.unwrap().status().as_u16()
    };
    let statuses: Vec<u16> = (0..200).map(edit).take_while(|status| *status == 201).collect();
    assert!((1..200).contains(&statuses.len()), "{}", statuses.len());
    assert_eq!(edit(999), 503);
    let flags = agent
        .get(format!("http://{address}/api/client/features"))
        .header("authorization", "default:development.first-start")
        .call()
        .unwrap();
    assert_eq!(flags.status().as_u16(), 200);
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_setting_that_is_misspelt_is_told_in_the_log() {
    let folder = Folder::new();
    let settings = [
        ("UNLEASH_FRONTEND_API_ORIGIN", "https://a.example"),
        ("DATABASE_HOST", "db"),
    ];
    let log = log_of_start(&folder, &settings);
    for told in [
        "`UNLEASH_FRONTEND_API_ORIGIN` is not read here. Did you mean `UNLEASH_FRONTEND_API_ORIGINS`?",
        "`DATABASE_HOST` is not read here; DATABASE_URL says where the database is",
    ] {
        assert!(log.contains(told), "{log}");
    }
}
