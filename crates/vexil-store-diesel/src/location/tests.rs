#![expect(clippy::unwrap_used, reason = "a failed assertion is what a test is for")]

use super::*;

fn refusal(url: &str) -> String {
    Location::parse(url).unwrap_err().to_string()
}

#[test]
fn sqlite_urls_name_a_file_or_memory() {
    let file = |path: &str| Location::SqliteFile {
        path: path.into(),
        writing: true,
    };
    assert_eq!(Location::parse("sqlite:flags.db").unwrap(), file("flags.db"));
    assert_eq!(Location::parse("sqlite://flags.db").unwrap(), file("flags.db"));
    assert_eq!(
        Location::parse("sqlite:///var/lib/a b.db").unwrap(),
        file("/var/lib/a b.db")
    );
    assert_eq!(
        Location::parse("sqlite:/var/lib/x.db").unwrap(),
        file("/var/lib/x.db")
    );
    assert_eq!(
        Location::parse("sqlite::memory:").unwrap(),
        Location::SqliteMemory
    );
    assert_eq!(
        Location::parse("sqlite://:memory:").unwrap(),
        Location::SqliteMemory
    );
}

#[test]
fn postgres_urls_go_to_libpq_with_a_time_limit() {
    let postgres = |url: &str| Location::Postgres(url.to_owned());
    let url = "postgres://u:p@h:5432/d";
    assert_eq!(
        Location::parse(url).unwrap(),
        postgres("postgres://u:p@h:5432/d?connect_timeout=10")
    );
    let url = "postgresql://h/d?sslmode=require";
    assert_eq!(
        Location::parse(url).unwrap(),
        postgres("postgresql://h/d?sslmode=require&connect_timeout=10")
    );
    let url = "postgres://h/d?connect_timeout=3";
    assert_eq!(Location::parse(url).unwrap(), postgres(url));
}

#[test]
fn an_unknown_scheme_is_refused_with_the_accepted_ones_and_without_the_password() {
    for url in [
        "mysql://root:secret@h/d",
        "flags-secret.db",
        "",
        "SQLITE:secret",
        "file:secret",
        "postgres:secret",
    ] {
        let message = refusal(url);
        for accepted in ["sqlite:", "sqlite::memory:", "postgres://", "postgresql://"] {
            assert!(message.contains(accepted), "{message}");
        }
        assert!(!message.contains("secret"), "{message}");
    }
}

#[test]
fn a_sqlite_url_needs_a_path_and_takes_no_options() {
    assert!(refusal("sqlite:").contains("path"));
    assert!(refusal("sqlite://").contains("path"));
    assert!(refusal("sqlite:flags.db?mode=ro").contains("`?`"));
}
