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
