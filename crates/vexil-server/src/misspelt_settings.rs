//! Environment variables that were most likely meant for this server, and are not read.

use clap::Args as _;
use vexil_client_api::json::closest;

use crate::config::ServeArguments;

/// With which Unleash is told where its database is, and this server is not.
const OF_THE_DATABASE: [&str; 5] = [
    "DATABASE_HOST",
    "DATABASE_PORT",
    "DATABASE_NAME",
    "DATABASE_USERNAME",
    "DATABASE_PASSWORD",
];

/// Shorter names are near too many others.
const SHORTEST: usize = 8;

/// Tells of them in the log. The environment is shared with other programs, so none is refused.
pub(crate) fn warn() {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for told in told_of(names) {
        tracing::warn!("{told}");
    }
}

/// What is said of variables by these names.
fn told_of(names: impl Iterator<Item = String>) -> Vec<String> {
    let serve = ServeArguments::augment_args(clap::Command::new("serve"));
    let known = serve
        .get_arguments()
        .filter_map(|argument| argument.get_env()?.to_str());
    let known: Vec<&str> = known.collect();
    let mut names: Vec<String> = names.filter(|name| !known.contains(&name.as_str())).collect();
    names.sort();
    let told = names.into_iter().filter_map(|name| {
        if OF_THE_DATABASE.contains(&name.as_str()) {
            return Some(format!(
                "the environment variable `{name}` is not read here; DATABASE_URL says where the database is"
            ));
        }
        let meant = closest(&name, &known).filter(|meant| name.len() >= SHORTEST && meant.contains('_'))?;
        Some(format!(
            "the environment variable `{name}` is not read here. Did you mean `{meant}`?"
        ))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(names: &[&str]) -> Vec<String> {
        told_of(names.iter().map(|name| (*name).to_owned()))
    }

    /// Each setting with a letter more, one less, another one, two exchanged, and in other letters.
    #[test]
    fn every_setting_that_is_misspelt_is_told_with_what_was_meant() {
        let serve = ServeArguments::augment_args(clap::Command::new("serve"));
        let known: Vec<&str> = serve
            .get_arguments()
            .filter_map(|it| it.get_env()?.to_str())
            .collect();
        assert!(known.len() > 40, "{known:?}");
        let mut tried = 0;
        for name in known
            .iter()
            .filter(|name| name.len() > SHORTEST && name.contains('_'))
        {
            let (head, tail) = name.split_at(name.len() / 2);
            for misspelt in [
                format!("{name}S"),
                name[..name.len() - 1].to_owned(),
                format!("{head}{}", &tail[1..]),
                format!("{head}X{}", &tail[1..]),
                name.to_lowercase(),
            ] {
                if known.contains(&misspelt.as_str()) {
                    continue;
                }
                let said = told(&[&misspelt]);
                assert_eq!(said.len(), 1, "{misspelt}");
                assert!(
                    said[0].contains(&misspelt) && said[0].contains("Did you mean `"),
                    "{said:?}"
                );
                tried += 1;
            }
        }
        assert!(tried > 100, "{tried}");
        assert_eq!(told(&known), Vec::<String>::new());
    }

    #[test]
    fn a_database_as_unleash_is_told_of_it_is_told_to_be_elsewhere() {
        for name in OF_THE_DATABASE {
            let said = told(&[name]);
            assert!(
                said[0].contains(name) && said[0].contains("DATABASE_URL"),
                "{said:?}"
            );
        }
    }

    #[test]
    fn variables_of_other_programs_are_not_spoken_of() {
        let others = [
            "PATH",
            "HOME",
            "PWD",
            "USER",
            "SHELL",
            "LANG",
            "LC_ALL",
            "TERM",
            "HOSTNAME",
            "TZ",
            "_",
            "SHLVL",
            "OLDPWD",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "http_proxy",
            "no_proxy",
            "SSL_CERT_FILE",
            "XDG_RUNTIME_DIR",
            "KUBERNETES_SERVICE_HOST",
            "KUBERNETES_PORT_443_TCP",
            "VEXIL_SERVICE_HOST",
            "VEXIL_PORT",
            "VEXIL_PORT_4242_TCP_ADDR",
            "DATABASE_SERVICE_HOST",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_REGION",
            "RUST_LOG",
            "RUST_BACKTRACE",
            "CARGO_HOME",
            "PGHOST",
            "PGPASSWORD",
            "NODE_ENV",
            "JAVA_HOME",
            "LS_COLORS",
            "SSH_AUTH_SOCK",
            "INVOCATION_ID",
            "JOURNAL_STREAM",
            "NOTIFY_SOCKET",
            "LISTEN_FDS",
            "CI",
            "GITHUB_TOKEN",
            "VEXIL_TOKEN",
            "VEXIL_TEST_POSTGRES",
            "UNLEASH_API_TOKEN",
            "UNLEASH_APP_NAME",
        ];
        assert_eq!(told(&others), Vec::<String>::new());
    }
}
