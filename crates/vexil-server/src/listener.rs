//! Listening: sockets, the workers behind them, and how they come to their end.

use std::future::ready;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_http::error::DispatchError;
use actix_http::{HttpService, KeepAlive, Request, Response};
use actix_server::{Server, ServerHandle};
use actix_service::{
    IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, apply_fn_factory, fn_service, map_config,
};
use actix_web::App as ActixApp;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::http::header::{HeaderValue, X_CONTENT_TYPE_OPTIONS};
use actix_web::middleware::from_fn;
use actix_web::web::Data;
use tokio::net::TcpStream;
use vexil_service::App;

use crate::compression::compress;
use crate::config::ListenArguments;
use crate::connections::{Answer, Connection, Connections, Socket};
use crate::routes;
use crate::slashes::Slashes;

/// How many connections wait to be accepted.
const BACKLOG: i32 = 4096;
/// How many files are open beside connections: databases, and connections that are on their way.
const OTHER_FILES: usize = 192;
/// How many files are open when nobody is connected yet.
const LEAST_FILES: usize = 48;
/// How many files a thread that answers requests has open by itself.
const FILES_OF_WORKER: usize = 4;

/// A server that listens and does not answer yet.
pub(crate) struct Listening {
    /// The addresses that it listens on.
    pub(crate) addresses: Vec<SocketAddr>,
    listeners: Vec<TcpListener>,
}

/// Tells a server to stop. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Stopper {
    handle: ServerHandle,
    stopping: Arc<AtomicBool>,
}

impl Stopper {
    /// Takes no more requests, and returns when those in flight are answered or their time is up.
    pub(crate) async fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.handle.stop(true).await;
    }
}

/// Listens on every address that the arguments stand for.
///
/// # Errors
///
/// When none can be listened on.
pub(crate) fn listen(arguments: &ListenArguments) -> io::Result<Listening> {
    let mut listeners = Vec::new();
    let mut failure = None;
    for address in (arguments.http_host.as_str(), arguments.http_port).to_socket_addrs()? {
        match TcpListener::bind(address).and_then(with_backlog) {
            Ok(listener) => listeners.push(listener),
            Err(error) => failure = Some(error),
        }
    }
    if listeners.is_empty() {
        return Err(failure.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()));
    }
    let addresses = listeners
        .iter()
        .map(TcpListener::local_addr)
        .collect::<Result<_, _>>()?;
    Ok(Listening { addresses, listeners })
}

/// How many connections the operating system lets this process have.
pub(crate) fn most_connections() -> usize {
    most_files().map_or(usize::MAX, |files| files.saturating_sub(OTHER_FILES).max(16))
}

/// How many files the operating system lets this process open where those are too few to serve, and how many it takes.
pub(crate) fn too_few_files(arguments: &ListenArguments) -> Option<(usize, usize)> {
    let least = LEAST_FILES + FILES_OF_WORKER * workers(arguments);
    most_files()
        .filter(|files| *files < least)
        .map(|files| (files, least))
}

/// How many files the operating system lets this process open, once it was asked for all that it gives; `None` for as many
/// as there may be.
fn most_files() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        if limit.current != limit.maximum {
            limit.current = limit.maximum;
            // without it there are fewer
            let _ = setrlimit(Resource::Nofile, limit);
        }
        let files = getrlimit(Resource::Nofile).current?;
        Some(usize::try_from(files).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    None
}

fn workers(arguments: &ListenArguments) -> usize {
    arguments
        .http_workers
        .map_or_else(processors, |workers| workers.max(1))
}

fn with_backlog(listener: TcpListener) -> io::Result<TcpListener> {
    socket2::SockRef::from(&listener).listen(BACKLOG)?;
    Ok(listener)
}

impl Listening {
    /// Starts answering.
    ///
    /// # Errors
    ///
    /// When the sockets cannot be used.
    pub(crate) fn run(self, app: &App, arguments: &ListenArguments) -> io::Result<(Server, Stopper)> {
        let workers = workers(arguments);
        let deadlines = app.limits.deadlines;
        let each = (app.limits.connections / workers).max(1);
        let stopping = Arc::new(AtomicBool::new(false));
        let mut builder = Server::build()
            .workers(workers)
            .disable_signals()
            .shutdown_timeout(deadlines.shutdown.as_secs() + 1)
            // those beyond the limit close others; this is for when they come faster than that
            .max_concurrent_connections(each + each / 4 + 16);
        let draining = builder.graceful_shutdown_signal();
        for (number, listener) in self.listeners.into_iter().enumerate() {
            let (app, base) = (Data::new(app.clone()), arguments.base_uri_path.clone());
            let (stopping, draining) = (Arc::clone(&stopping), draining.clone());
            let factory = move || {
                let connections = Connections::new(each, deadlines);
                let stopping = Arc::clone(&stopping);
                let watch = connections
                    .clone()
                    .watch(move || stopping.load(Ordering::Relaxed));
                actix_web::rt::spawn(watch);
                let (app, base) = (app.clone(), base.clone());
                let service = ActixApp::new()
                    .app_data(app)
                    .wrap(from_fn(compress))
                    .wrap(Slashes)
                    .configure(move |config| routes::configure(&base, config));
                let service = service
                    .into_factory()
                    .map_err(|error: actix_web::Error| error.error_response().into());
                let service = map_config(service, |()| AppConfig::default());
                let draining = draining.clone();
                let http = HttpService::build()
                    .keep_alive(KeepAlive::Os)
                    .client_request_timeout(std::time::Duration::ZERO)
                    // the rest of a request is thrown away after its answer, for a while
                    .client_disconnect_timeout(deadlines.head / 10)
                    .h1_allow_half_closed(false)
                    .on_connect_ext(|socket: &Socket, data| {
                        data.insert(Rc::clone(socket.connection()));
                    })
                    .graceful_shutdown_signal(move || {
                        let draining = draining.clone();
                        async move { draining.notified().await }
                    })
                    .h1(tracked(service));
                sockets(connections).and_then(http)
            };
            builder = builder.listen(format!("http-{number}"), listener, factory)?;
        }
        let server = builder.run();
        let handle = server.handle();
        Ok((server, Stopper { handle, stopping }))
    }
}

/// Tells each connection when a request is handed to its handler, and when its answer ends.
fn tracked<S, B>(
    service: S,
) -> impl ServiceFactory<
    Request,
    Config = (),
    Response = Response<Answer<BoxBody>>,
    Error = Response<BoxBody>,
    InitError = S::InitError,
>
where
    S: ServiceFactory<Request, Config = (), Response = ServiceResponse<B>, Error = Response<BoxBody>>,
    B: MessageBody + 'static,
{
    apply_fn_factory(service, |request: Request, service| {
        let connection = request.conn_data::<Rc<Connection>>().cloned();
        if let Some(connection) = &connection {
            connection.begin();
        }
        let answer = service.call(request);
        async move {
            let mut answer: Response<B> = answer.await?.into();
            let headers = answer.headers_mut();
            headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            Ok(answer.map_body(|_, body| Answer::new(body.boxed(), connection)))
        }
    })
}

/// A socket for each connection that is let in.
fn sockets(
    connections: Connections,
) -> impl ServiceFactory<
    TcpStream,
    Config = (),
    Response = (Socket, Option<SocketAddr>),
    Error = DispatchError,
    InitError = (),
> {
    fn_service(move |stream: TcpStream| {
        let peer = stream.peer_addr().ok();
        // an answer in pieces must not wait for the peer to say that it got the first
        let socket = match stream.set_nodelay(true).map(|()| connections.open()) {
            Ok(Some(connection)) => Ok((Socket::new(stream, connection), peer)),
            Ok(None) => Err(DispatchError::Io(io::ErrorKind::ConnectionRefused.into())),
            Err(error) => Err(DispatchError::Io(error)),
        };
        ready(socket)
    })
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
