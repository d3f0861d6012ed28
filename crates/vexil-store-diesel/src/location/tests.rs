#![expect(clippy::unwrap_used, reason = "a failed assertion is what a test is for")]

use super::*;

fn refusal(url: &str) -> String {
    Location::parse(url).unwrap_err().to_string()
}

#[test]
fn sqlite_urls_name_a_file_or_memory() {
    let file = |path: &str| Location::SqliteFile(path.into());
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
fn postgres_urls_go_to_libpq_with_limits_of_time_that_they_may_set_themselves() {
    let postgres = |url: &str| match Location::parse(url).unwrap() {
        Location::Postgres(url) => url,
        other => panic!("{other:?}"),
    };
    let limits =
        "keepalives_idle=10&keepalives_interval=3&keepalives_count=3&fallback_application_name=vexil";
    let url = "postgres://u:p@h:5432/d";
    assert_eq!(
        postgres(url),
        format!("{url}?connect_timeout=5&tcp_user_timeout=10000&{limits}")
    );
    let url = "postgresql://h/d?sslmode=require&connect_timeout=3";
    assert_eq!(postgres(url), format!("{url}&tcp_user_timeout=10000&{limits}"));
    let url = "postgres://h/connect_timeout=1?tcp_user_timeout=0&connect_timeout=1";
    assert_eq!(postgres(url), format!("{url}&{limits}"));
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
