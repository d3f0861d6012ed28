//! Running the server: from the command line to the last answer.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use vexil_metrics::Retention;
use vexil_service::deadlines::{self, Deadlines, within};
use vexil_service::operations::{Error, chain};
use vexil_service::sign_in::{PublicUrlError, SignInOptions};
use vexil_service::single_sign_on::{IssuerError, OidcSettings};
use vexil_service::{
    App, Background, EdgeClients, EdgeClientsError, FrontEndOptions, InitialTokens, Limits, MailError,
    OriginError, Proxies, ShortKey, bootstrap, first_admin, passwords, tokens_without_place,
};
use vexil_store::StoreError;

use crate::base_path::is_base_path;
use crate::clock::system_clock;
use crate::config::{ListenArguments, ServeArguments, SignInArguments, TokenSecrets};
use crate::listener;
use crate::listener::Stopper;
use crate::log;
use crate::misspelt_settings;

/// What there is beside the deadlines until the process ends whatever it does.
const SPARE: Duration = Duration::from_millis(500);

/// Why the server could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The database cannot be opened.
    #[error("the database cannot be opened (set it with --database-url or DATABASE_URL)")]
    Open(#[source] vexil_store_diesel::OpenError),
    /// No server has used the database.
    #[error(
        "no server has used this database yet; name that of your server with --database-url or DATABASE_URL"
    )]
    Unused,
    /// The database cannot be read.
    #[error("the database cannot be read")]
    Database(#[source] StoreError),
    /// The instance could not be set up.
    #[error("the instance could not be set up")]
    Setup(#[source] Error),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}; choose another with --http-host and --http-port")]
    Listen {
        /// The address.
        address: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The process may open too few files.
    #[error(
        "the process may open {files} files, and needs {least}; let it open more (ulimit -n), or start fewer threads with --http-workers"
    )]
    FewFiles {
        /// How many it may open.
        files: usize,
        /// How many it needs.
        least: usize,
    },
    /// The base path is malformed.
    #[error(
        "the base path `{0}` must be empty, or names of letters, digits and `-._~` with a slash before each, such as `/flags` (set it with --base-uri-path or BASE_URI_PATH)"
    )]
    BasePath(String),
    /// The public address is malformed.
    #[error("the public address is malformed (set it with --unleash-url or UNLEASH_URL)")]
    PublicUrl(#[source] PublicUrlError),
    /// An origin of pages is malformed.
    #[error("the origins of pages are malformed (set them with UNLEASH_FRONTEND_API_ORIGINS)")]
    Origin(#[source] OriginError),
    /// The password of the first admin is too weak.
    #[error("the password of the first admin (UNLEASH_DEFAULT_ADMIN_PASSWORD) is too weak: {0}")]
    WeakPassword(String),
    /// The provider of single sign-on cannot be used.
    #[error("single sign-on cannot be used as it was set up (OIDC_ISSUER)")]
    Issuer(#[source] IssuerError),
    /// The key that secrets are sealed with is too short.
    #[error("the secret key is too short (SECRET_KEY)")]
    SecretKey(#[source] ShortKey),
    /// There is no key that secrets could be sealed with.
    #[error("API_TOKEN_SECRETS=listed needs a key that the secrets are sealed with; set it with SECRET_KEY")]
    NoSecretKey,
    /// The proxies that may get tokens are written as they must not be.
    #[error("the proxies that may get tokens are malformed (set them with EDGE_CLIENTS)")]
    EdgeClients(#[source] EdgeClientsError),
    /// E-mail cannot be sent as it was set up.
    #[error("e-mail cannot be sent as it was set up (EMAIL_HOST and the like)")]
    Mail(#[source] MailError),
    /// The log level is malformed.
    #[error("the log level `{0}` is not understood; use error, warn, info, debug or trace")]
    LogLevel(String),
    /// The folder of the demo cannot be made.
    #[error("the folder `{}` of the demo cannot be made; name another place with TMPDIR", folder.display())]
    Folder {
        /// The folder.
        folder: std::path::PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The server broke off.
    #[error("the server broke off")]
    Run(#[source] std::io::Error),
}

impl StartError {
    /// The error with its causes.
    #[must_use]
    pub fn explain(&self) -> String {
        chain(self)
    }
}

/// Runs `vexil serve` until it is told to stop.
///
/// # Errors
///
/// When it cannot start, or breaks off.
pub fn run(arguments: &ServeArguments) -> Result<(), StartError> {
    start_log(&arguments.listen.log_level)?;
    misspelt_settings::warn();
    let options = &arguments.options;
    let limits = Limits {
        body_bytes: options.request_body_limit,
        evaluations: options.playground_limit,
        connections: options.max_connections.min(listener::most_connections()),
        streams: options.max_streams,
        ..Limits::default()
    };
    let retention = Retention {
        days: time::Duration::days(i64::from(options.usage_retention_days)),
    };
    let store = vexil_store_diesel::open(&arguments.database_url).map_err(StartError::Open)?;
    let app = App::open(Arc::new(store), limits, system_clock()).map_err(StartError::Database)?;
    let app = app
        .with_pages(options.ui)
        .with_recent_contexts(&options.recent_context_fields)
        .with_unleash_ui(options.unleash_ui)
        .with_counted_answers(options.count_frontend_evaluations);
    let listed = options.api_token_secrets == TokenSecrets::Listed;
    let app = match &options.secret_key {
        Some(key) => app.with_secret_key(key, listed).map_err(StartError::SecretKey)?,
        None if listed => return Err(StartError::NoSecretKey),
        None => app,
    };
    let edge_clients = EdgeClients::read(&options.edge_clients);
    let app = app.with_edge_clients(edge_clients.map_err(StartError::EdgeClients)?);
    let front_ends = FrontEndOptions::new(&options.frontend_api_origins, options.access_control_max_age);
    let app = app.with_front_ends(front_ends.map_err(StartError::Origin)?);
    let mut app = app.with_sign_in(sign_in_options(&arguments.sign_in, &arguments.listen)?);
    if let Some(settings) = sign_on_settings(&arguments.sign_in)? {
        app = app.with_sign_on(settings);
    }
    if let Some(mail) = arguments.mail.options() {
        app = app.with_mail(&mail).map_err(StartError::Mail)?;
    }
    check_first_password(&arguments.sign_in)?;
    serve(&app, &arguments.listen, retention, |address, base| {
        let mut lines = format!("Vexil listens on http://{address}{base}\n");
        let initial = InitialTokens::from(options);
        let made = bootstrap(&app, &initial).map_err(StartError::Setup)?;
        tokens_without_place(&app, &initial)
            .iter()
            .for_each(|told| tracing::warn!("{told}"));
        if let Some(token) = made {
            lines.push_str(&format!("Admin token, shown this once: {token}\n"));
        }
        match make_first_admin(&app, &arguments.sign_in) {
            Ok(None) => Ok(lines),
            Ok(Some((name, password))) => {
                Ok(lines + &format!("Sign in as `{name}` with the password, shown this once: {password}\n"))
            }
            Err(error) => {
                // the next start makes no other token
                print(&lines);
                Err(error)
            }
        }
    })
}

/// What the operator has set about signing in.
pub(crate) fn sign_in_options(
    arguments: &SignInArguments,
    listen: &ListenArguments,
) -> Result<SignInOptions, StartError> {
    let mut options = SignInOptions::below(&listen.base_uri_path);
    options.idle = time::Duration::hours(arguments.session_idle_hours.into());
    options.longest = time::Duration::hours(arguments.session_ttl_hours.into());
    options.proxies = Proxies {
        trusted: arguments.trust_proxy.clone(),
        header: arguments.forwarding_header,
    };
    match &arguments.unleash_url {
        Some(url) => options.with_public_url(url).map_err(StartError::PublicUrl),
        None => Ok(options),
    }
}

/// How people sign in at a provider, where the environment says so.
fn sign_on_settings(arguments: &SignInArguments) -> Result<Option<OidcSettings>, StartError> {
    let Some(issuer) = &arguments.oidc_issuer else {
        return Ok(None);
    };
    let domains = arguments
        .oidc_email_domains
        .iter()
        .map(|domain| domain.trim().to_lowercase());
    Ok(Some(OidcSettings {
        enabled: true,
        issuer: OidcSettings::read_issuer(issuer).map_err(StartError::Issuer)?,
        client_id: arguments.oidc_client_id.clone(),
        client_secret: arguments.oidc_client_secret.clone(),
        creates_accounts: arguments.oidc_auto_create,
        groups_claim: arguments.oidc_groups_claim.clone(),
        email_domains: domains.filter(|domain| !domain.is_empty()).collect(),
        ..OidcSettings::default()
    }))
}

/// That the password of the first admin is good enough, where the operator has set one.
fn check_first_password(arguments: &SignInArguments) -> Result<(), StartError> {
    let given = arguments.default_admin_password.as_deref();
    match given.and_then(|password| passwords::problems(password).first().copied()) {
        Some(problem) => Err(StartError::WeakPassword(problem.to_owned())),
        None => Ok(()),
    }
}

/// Makes the first admin of an instance that never had users. Answers name and password where the password
/// was drawn here.
fn make_first_admin(app: &App, arguments: &SignInArguments) -> Result<Option<(String, String)>, StartError> {
    let given = arguments.default_admin_password.as_deref();
    let name = arguments.default_admin_username.trim();
    let drawn = first_admin(app, name, given).map_err(StartError::Setup)?;
    Ok(drawn.map(|password| (name.to_owned(), password)))
}

/// Starts writing the log to standard error.
pub(crate) fn start_log(level: &str) -> Result<(), StartError> {
    log::start(level).map_err(|_unknown| StartError::LogLevel(level.to_owned()))
}

/// Answers requests until the process is told to stop. `prepare` gets the address and the base path, makes what has to
/// be there before the first request, and answers what is printed. It is called once nothing else of the arguments can
/// be refused: what it makes and tells once, such as a password, is told.
///
/// # Errors
///
/// When it cannot start, `prepare` fails, or it breaks off.
pub fn serve(
    app: &App,
    listen: &ListenArguments,
    retention: Retention,
    prepare: impl FnOnce(SocketAddr, &str) -> Result<String, StartError>,
) -> Result<(), StartError> {
    let base = listen.base_uri_path.clone();
    if !is_base_path(&base) {
        return Err(StartError::BasePath(base));
    }
    if let Some((files, least)) = listener::too_few_files(listen) {
        return Err(StartError::FewFiles { files, least });
    }
    let place = format!("{}:{}", listen.http_host, listen.http_port);
    actix_web::rt::System::new().block_on(async {
        let listening = listener::listen(listen).map_err(|source| StartError::Listen {
            address: place,
            source,
        })?;
        let unspecified = SocketAddr::from(([0, 0, 0, 0], 0));
        let address = listening.addresses.first().copied().unwrap_or(unspecified);
        let greeting = prepare(address, &base)?;
        let told = deadlines::told_to_stop();
        deadlines::outlive_file_limits();
        print(&greeting);
        let (server, stopper) = listening.run(app, listen).map_err(StartError::Run)?;
        let background = Background::start(app, retention);
        actix_web::rt::spawn(stop_when_told(told, stopper, app.limits.deadlines));
        let result = server.await.map_err(StartError::Run);
        background.tell_to_end();
        let flush = app.limits.deadlines.flush;
        let _counted = app.send_answer_counts();
        if within(flush, app.usage_writer.finish()).await.is_none() {
            tracing::warn!("usage reports that were not answered yet could not be stored before the end");
        }
        // what is written after it would lie beside the file of the database again
        background.ended();
        if let Err(error) = app.checkpoint() {
            tracing::warn!(
                cause = chain(&error),
                "not everything is in the file of the database itself"
            );
        }
        result
    })
}

/// Stops the server when the process is told to, in any case within the time that there is for that.
async fn stop_when_told(told: impl Future<Output = ()>, stopper: Stopper, deadlines: Deadlines) {
    told.await;
    deadlines::exit_within(deadlines.shutdown + deadlines.flush + SPARE);
    stopper.stop().await;
}

fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        tracing::warn!(
            "standard output is closed; what is shown once is lost, and `vexil admin reset-password` sets another password"
        );
    }
}
