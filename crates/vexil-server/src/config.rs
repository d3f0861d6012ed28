//! What can be set, by flags and by the environment names that Unleash users already have.

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use crate::deadlines::Deadlines;

/// A feature-flag server that speaks Unleash's API, and previews a change before it is applied.
#[derive(Debug, Parser)]
#[command(name = "vexil", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server.
    Serve(ServeArguments),
    /// Run a server with a temporary database and a demo project, and print how to ask it.
    Demo(DemoArguments),
    /// Show what a change would do, and to whom: from files, or from a change request on a server.
    Preview(crate::PreviewArguments),
    /// Prove what a change does to every context there is, and whether guards hold.
    Prove(crate::ProveArguments),
    /// Prove that two states are equal for every context, or show how they differ.
    Compare(crate::CompareArguments),
    /// Print every route of the server.
    Routes(RoutesArguments),
}

/// What `vexil routes` can be told.
#[derive(Debug, Clone, Args)]
pub struct RoutesArguments {
    /// How they are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: RoutesFormat,
}

/// How routes are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum RoutesFormat {
    /// One `METHOD path` a line.
    #[default]
    Text,
    /// A page with a table for each group.
    Markdown,
    /// An OpenAPI document.
    Openapi,
}

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
    /// Tokens and limits.
    #[command(flatten)]
    pub options: ServerOptions,
}

/// How people sign in.
#[derive(Debug, Clone, Args)]
pub struct SignInArguments {
    /// The address under which browsers find the server, such as `https://flags.example.com`. Links begin with
    /// it; with https, cookies are for TLS alone.
    #[arg(long, env = "UNLEASH_URL")]
    pub unleash_url: Option<String>,
    /// How many proxies stand before the server and note the address of the client in `X-Forwarded-For`;
    /// `true` is one, `false` none.
    #[arg(long, env = "TRUST_PROXY", default_value = "0", value_parser = read_proxies)]
    pub trust_proxy: usize,
    /// After how many hours without use a session ends.
    #[arg(long, env = "SESSION_IDLE_HOURS", default_value_t = 12)]
    pub session_idle_hours: u32,
    /// After how many hours a session ends, however much it is used.
    #[arg(long, env = "SESSION_TTL_HOURS", default_value_t = 168)]
    pub session_ttl_hours: u32,
    /// The name of the admin that a new instance begins with.
    #[arg(long, env = "UNLEASH_DEFAULT_ADMIN_USERNAME", default_value = "admin")]
    pub default_admin_username: String,
    /// The password of that admin; without it one is drawn and printed once.
    #[arg(long, env = "UNLEASH_DEFAULT_ADMIN_PASSWORD", hide_env_values = true)]
    pub default_admin_password: Option<String>,
}

fn read_proxies(text: &str) -> Result<usize, String> {
    match text {
        "true" => Ok(1),
        "false" => Ok(0),
        number => number
            .parse()
            .map_err(|_not| "must be the number of proxies, or `true` or `false`".to_owned()),
    }
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
    #[arg(long, env = "HTTP_PORT", default_value_t = 4242)]
    pub http_port: u16,
    /// The path under which everything is served, such as `/flags`.
    #[arg(long, env = "BASE_URI_PATH", default_value = "")]
    pub base_uri_path: String,
    /// How many threads answer requests; by default one per processor.
    #[arg(long, env = "HTTP_WORKERS")]
    pub http_workers: Option<usize>,
    /// What is logged: `error`, `warn`, `info`, `debug`, `trace`, or a list such as `info,vexil_server=debug`.
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
    #[arg(long, env = "REQUEST_BODY_LIMIT", default_value_t = 1 << 20)]
    pub request_body_limit: usize,
    /// How many evaluations (environments x flags x combinations) one playground question may cost.
    #[arg(long, env = "PLAYGROUND_LIMIT", default_value_t = 250_000)]
    pub playground_limit: u64,
    /// Whether the web pages are served.
    #[arg(long, env = "UI", default_value_t = true, action = clap::ArgAction::Set)]
    pub ui: bool,
    /// How many connections there may be at a time. Those beyond it close others, the slowest first.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = CONNECTIONS)]
    pub max_connections: usize,
    /// How many days usage counts are kept.
    #[arg(long, env = "USAGE_RETENTION_DAYS", default_value_t = 90)]
    pub usage_retention_days: u16,
}

/// Bounds on what one request may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest request body, in bytes.
    pub body_bytes: usize,
    /// The most evaluations one playground question may cost.
    pub evaluations: u64,
    /// The most bytes that one playground answer may take.
    pub answer_bytes: u64,
    /// The most units of work that one request may cost; see [`vexil_budget`].
    pub work: u64,
    /// How many connections there may be at a time.
    pub connections: usize,
    /// How long anybody is waited for.
    pub deadlines: Deadlines,
}

/// Whoever has been idle for longest goes first, so some ten thousand clients that ask every quarter of a minute are well below it.
const CONNECTIONS: usize = 4096;

/// About five seconds of one processor.
const WORK: u64 = 100_000_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            evaluations: 250_000,
            answer_bytes: 512 << 20,
            work: WORK,
            connections: CONNECTIONS,
            deadlines: Deadlines::default(),
        }
    }
}
