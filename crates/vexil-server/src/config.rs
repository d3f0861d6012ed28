//! What can be set, by flags and by the environment names that Unleash users already have.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use vexil_service::{CONNECTIONS, ForwardingHeader, InitialTokens, MailOptions, STREAMS, TrustedProxies};
use vexil_store::TokenKind;

use crate::whole_numbers::whole;

/// A hundred years.
const MOST_HOURS: u32 = 100 * 366 * 24;
/// Far more threads that answer requests than any machine has processors for.
const MOST_WORKERS: usize = 1024;
/// Bodies of fewer bytes say hardly anything.
const LEAST_BODY: usize = 1 << 10;
/// A body is held in memory as a whole.
const MOST_BODY: usize = 1 << 30;

/// What `vexil serve` can be told.
#[derive(Debug, Clone, Args)]
pub struct ServeArguments {
    /// Where the data lives: `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:vexil.db",
        hide_env_values = true
    )]
    pub database_url: String,
    /// How to listen.
    #[command(flatten)]
    pub listen: ListenArguments,
    /// How people sign in.
    #[command(flatten)]
    pub sign_in: SignInArguments,
    /// How e-mail is sent.
    #[command(flatten)]
    pub mail: MailArguments,
    /// Tokens and limits.
    #[command(flatten)]
    pub options: ServerOptions,
}

/// What becomes of the secrets of API tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TokenSecrets {
    /// Told once; only a hash is kept.
    #[default]
    Hidden,
    /// Kept, sealed, and shown to those who may see the tokens.
    Listed,
}

/// How e-mail is sent. Without a server for it none is, and admins hand out the links.
#[derive(Debug, Clone, Default, Args)]
pub struct MailArguments {
    /// The name of the server that e-mail is sent by.
    #[arg(long, env = "EMAIL_HOST")]
    pub email_host: Option<String>,
    /// Its port.
    #[arg(long, env = "EMAIL_PORT", value_parser = whole(1..=u16::MAX), default_value_t = 587)]
    pub email_port: u16,
    /// Whether the connection is TLS from its first byte; if not, it is switched to TLS before anything is said.
    #[arg(long, env = "EMAIL_SECURE", default_value_t = false, action = clap::ArgAction::Set)]
    pub email_secure: bool,
    /// The name to sign in with there.
    #[arg(long, env = "EMAIL_USER")]
    pub email_user: Option<String>,
    /// The password for it.
    #[arg(long, env = "EMAIL_PASSWORD", hide_env_values = true)]
    pub email_password: Option<String>,
    /// Who e-mail is from, such as `Flags <flags@example.com>`.
    #[arg(long, env = "EMAIL_SENDER", default_value = "")]
    pub email_sender: String,
}

impl MailArguments {
    /// How e-mail is sent, if at all.
    #[must_use]
    pub fn options(&self) -> Option<MailOptions> {
        let host = self.email_host.clone().filter(|host| !host.trim().is_empty())?;
        let password = self.email_password.clone().unwrap_or_default();
        Some(MailOptions {
            host,
            port: self.email_port,
            tls: self.email_secure,
            credentials: self.email_user.clone().map(|user| (user, password)),
            sender: self.email_sender.clone(),
        })
    }
}

/// How people sign in.
#[derive(Debug, Clone, Args)]
pub struct SignInArguments {
    /// The address under which browsers find the server, such as `https://flags.example.com`. Links begin with
    /// it; with https, cookies are for TLS alone.
    #[arg(long, env = "UNLEASH_URL")]
    pub unleash_url: Option<String>,
    /// Which proxies before the server are believed about the address of the client: how many stand there (`true` is
    /// one, `false` none), or their networks, such as `10.0.0.0/8,fd00::/8`.
    #[arg(long, env = "TRUST_PROXY")]
    pub trust_proxy: Option<TrustedProxies>,
    /// The header in which they note it.
    #[arg(
        long,
        env = "FORWARDING_HEADER",
        default_value = ForwardingHeader::default().name(),
        value_parser = PossibleValuesParser::new(ForwardingHeader::ALL.map(ForwardingHeader::name))
            .try_map(|name| name.parse::<ForwardingHeader>())
    )]
    pub forwarding_header: ForwardingHeader,
    /// After how many hours without use a session ends.
    #[arg(long, env = "SESSION_IDLE_HOURS", value_parser = whole(1..=MOST_HOURS), default_value_t = 12)]
    pub session_idle_hours: u32,
    /// After how many hours a session ends, however much it is used.
    #[arg(long, env = "SESSION_TTL_HOURS", value_parser = whole(1..=MOST_HOURS), default_value_t = 168)]
    pub session_ttl_hours: u32,
    /// The name of the admin that a new instance begins with.
    #[arg(long, env = "UNLEASH_DEFAULT_ADMIN_USERNAME", default_value = "admin")]
    pub default_admin_username: String,
    /// The password of that admin; without it one is drawn and printed once.
    #[arg(long, env = "UNLEASH_DEFAULT_ADMIN_PASSWORD", hide_env_values = true)]
    pub default_admin_password: Option<String>,
    /// The provider of single sign-on with OpenID Connect, such as `https://id.example.com/realms/company`.
    #[arg(long, env = "OIDC_ISSUER", requires = "oidc_client_id")]
    pub oidc_issuer: Option<String>,
    /// What the provider calls this server.
    #[arg(long, env = "OIDC_CLIENT_ID", default_value = "")]
    pub oidc_client_id: String,
    /// What proves to the provider that it is this server.
    #[arg(long, env = "OIDC_CLIENT_SECRET", hide_env_values = true)]
    pub oidc_client_secret: Option<String>,
    /// Whether somebody who signs in there for the first time gets an account, as Viewer.
    #[arg(long, env = "OIDC_AUTO_CREATE", default_value_t = true, action = clap::ArgAction::Set)]
    pub oidc_auto_create: bool,
    /// The claim that lists the groups somebody is in, such as `groups`; without it groups are not taken over.
    #[arg(long, env = "OIDC_GROUPS_CLAIM")]
    pub oidc_groups_claim: Option<String>,
    /// The domains of email addresses that are let in, comma-separated; all without it.
    #[arg(long, env = "OIDC_EMAIL_DOMAINS", value_delimiter = ',')]
    pub oidc_email_domains: Vec<String>,
}

/// What `vexil demo` can be told.
#[derive(Debug, Clone, Args)]
pub struct DemoArguments {
    /// How to listen.
    #[command(flatten)]
    pub listen: ListenArguments,
}

/// How to listen.
#[derive(Debug, Clone, Args)]
pub struct ListenArguments {
    /// The address to listen on.
    #[arg(long, env = "HTTP_HOST", default_value = "127.0.0.1")]
    pub http_host: String,
    /// The port to listen on; 0 takes any free one and prints it.
    #[arg(long, env = "HTTP_PORT", value_parser = whole(0..=u16::MAX), default_value_t = 4242)]
    pub http_port: u16,
    /// The path under which everything is served, such as `/flags`.
    #[arg(long, env = "BASE_URI_PATH", default_value = "")]
    pub base_uri_path: String,
    /// How many threads answer requests; by default one per processor.
    #[arg(long, env = "HTTP_WORKERS", value_parser = whole(1..=MOST_WORKERS))]
    pub http_workers: Option<usize>,
    /// What is logged: `error`, `warn`, `info`, `debug`, `trace`, or a list such as `info,vexil_service=debug`.
    #[arg(long, env = "LOG_LEVEL", default_value = "warn")]
    pub log_level: String,
}

/// Tokens and limits.
#[derive(Debug, Clone, Args)]
pub struct ServerOptions {
    /// Admin tokens that exist from the start, comma-separated, such as `*:*.SECRET`.
    #[arg(
        long,
        env = "INIT_ADMIN_API_TOKENS",
        value_delimiter = ',',
        hide_env_values = true
    )]
    pub init_admin_api_tokens: Vec<String>,
    /// Client (backend SDK) tokens that exist from the start, such as `default:development.SECRET`.
    #[arg(
        long,
        env = "INIT_CLIENT_API_TOKENS",
        value_delimiter = ',',
        hide_env_values = true
    )]
    pub init_client_api_tokens: Vec<String>,
    /// The same under the name that newer Unleash versions use.
    #[arg(
        long,
        env = "INIT_BACKEND_API_TOKENS",
        value_delimiter = ',',
        hide_env_values = true
    )]
    pub init_backend_api_tokens: Vec<String>,
    /// Frontend tokens that exist from the start, such as `default:development.SECRET`.
    #[arg(
        long,
        env = "INIT_FRONTEND_API_TOKENS",
        value_delimiter = ',',
        hide_env_values = true
    )]
    pub init_frontend_api_tokens: Vec<String>,
    /// The largest request body that is read, in bytes.
    #[arg(long, env = "REQUEST_BODY_LIMIT", value_parser = whole(LEAST_BODY..=MOST_BODY), default_value_t = 1 << 20)]
    pub request_body_limit: usize,
    /// How many evaluations (environments x flags x combinations) one playground question may cost.
    #[arg(long, env = "PLAYGROUND_LIMIT", value_parser = whole(1..=u64::MAX), default_value_t = 250_000)]
    pub playground_limit: u64,
    /// Whether the secrets of API tokens are shown once (`hidden`), or kept, sealed with the secret key, and shown
    /// to those who may see the tokens (`listed`), as Terraform needs it.
    #[arg(long, env = "API_TOKEN_SECRETS", value_enum, default_value_t)]
    pub api_token_secrets: TokenSecrets,
    /// The key that secrets are sealed with which must be read again: at least 32 characters.
    #[arg(long, env = "SECRET_KEY", hide_env_values = true)]
    pub secret_key: Option<String>,
    /// Whether answers are made for Unleash's own pages: the playground of change requests in the form that they
    /// read, and the configuration that lets them show change requests, roles and groups.
    #[arg(long, env = "UNLEASH_UI", default_value_t = false, action = clap::ArgAction::Set)]
    pub unleash_ui: bool,
    /// Whether the web pages are served.
    #[arg(long, env = "UI", default_value_t = true, action = clap::ArgAction::Set)]
    pub ui: bool,
    /// How many connections there may be at a time. Those beyond it close others, the slowest first.
    #[arg(long, env = "MAX_CONNECTIONS", value_parser = whole(1..=usize::MAX), default_value_t = CONNECTIONS)]
    pub max_connections: usize,
    /// How many SDKs and pages may listen to changes at a time; each takes one of the connections. With 0 none may.
    #[arg(long, env = "MAX_STREAMS", value_parser = whole(0..=usize::MAX), default_value_t = STREAMS)]
    pub max_streams: usize,
    /// Whether evaluations that the front-end endpoints answer count as usage. SDKs report theirs, so those would count
    /// twice.
    #[arg(long, env = "COUNT_FRONTEND_EVALUATIONS", default_value_t = false, action = clap::ArgAction::Set)]
    pub count_frontend_evaluations: bool,
    /// The origins of pages that may ask for flags, comma-separated, such as `https://shop.example.com`; `*` for all.
    #[arg(
        long,
        env = "UNLEASH_FRONTEND_API_ORIGINS",
        value_delimiter = ',',
        default_value = "*"
    )]
    pub frontend_api_origins: Vec<String>,
    /// For how long browsers remember that they may, in seconds.
    #[arg(long, env = "ACCESS_CONTROL_MAX_AGE", value_parser = whole(0..=u32::MAX), default_value_t = 86_400)]
    pub access_control_max_age: u32,
    /// The context fields that are kept of front ends' requests in memory for an hour, comma-separated, such as
    /// `plan,country`, so that a change can be tried on those who really come; nothing is kept without.
    #[arg(long, env = "RECENT_CONTEXT_FIELDS", value_delimiter = ',')]
    pub recent_context_fields: Vec<String>,
    /// The proxies that may get tokens of SDKs by themselves, comma-separated, each as `CLIENT:SECRET`, such as
    /// `enterprise-edge:SECRET` for Edge, which signs with the secret. None without.
    #[arg(long, env = "EDGE_CLIENTS", value_delimiter = ',', hide_env_values = true)]
    pub edge_clients: Vec<String>,
    /// How many days usage counts are kept.
    #[arg(long, env = "USAGE_RETENTION_DAYS", value_parser = whole(1..=u16::MAX), default_value_t = 90)]
    pub usage_retention_days: u16,
}

impl From<&ServerOptions> for InitialTokens {
    fn from(options: &ServerOptions) -> Self {
        let lists = [
            (TokenKind::Admin, &options.init_admin_api_tokens),
            (TokenKind::Client, &options.init_client_api_tokens),
            (TokenKind::Client, &options.init_backend_api_tokens),
            (TokenKind::Frontend, &options.init_frontend_api_tokens),
        ];
        let tokens = lists.into_iter().flat_map(|(kind, texts)| {
            texts
                .iter()
                .map(move |text| (kind, text.trim().to_owned()))
                .filter(|(_, text)| !text.is_empty())
        });
        Self(tokens.collect())
    }
}
