//! E-mail, where an operator has set up a server for it.

use std::sync::Arc;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::transport::smtp::authentication::Credentials;
use lettre::{Message, SmtpTransport, Transport};

use crate::operations::{Error, chain};
use crate::pool::{Pool, PoolSettings};
use crate::sign_in::{Secret, SignInOptions};

/// How many letters are sent at the same time.
const AT_ONCE: usize = 2;
/// How many more may wait for that.
const WAITING: usize = 50;
/// How long the server for e-mail may take for one step.
const DEADLINE: Duration = Duration::from_secs(20);

/// How e-mail is sent.
#[derive(Debug, Clone)]
pub struct MailOptions {
    /// The name of the server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whether the connection is TLS from its first byte; if not, it is switched to TLS where the server can.
    pub tls: bool,
    /// With which name and password.
    pub credentials: Option<(String, String)>,
    /// Who it is from, such as `Flags <flags@example.com>`.
    pub sender: String,
}

/// Sends e-mail.
#[derive(Clone)]
pub struct Mailer(Arc<Inner>);

struct Inner {
    transport: SmtpTransport,
    sender: Mailbox,
    /// The address of this server, with which links begin.
    own: String,
    threads: Pool,
}

/// E-mail cannot be sent as it was set up.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// Nobody can be sent from.
    #[error("`{sender}` is no address to send from; it must be like `Flags <flags@example.com>`")]
    Sender {
        /// What was given.
        sender: String,
        /// Why not.
        #[source]
        source: lettre::address::AddressError,
    },
    /// Nobody knows the address of this server. One that a request says must not get into e-mail: anybody could
    /// say another, and have the link sent there.
    #[error(
        "links in e-mail begin with the address of this server; set it with --unleash-url or UNLEASH_URL"
    )]
    NoAddress,
    /// The server cannot be reached that way.
    #[error("the server for e-mail cannot be used")]
    Server(#[source] lettre::transport::smtp::Error),
}

impl Mailer {
    /// Sends as `options` say.
    ///
    /// # Errors
    ///
    /// When it cannot.
    pub(crate) fn new(options: &MailOptions, sign_in: &SignInOptions) -> Result<Self, MailError> {
        let origin = sign_in.public_origin().ok_or(MailError::NoAddress)?;
        let sender = options
            .sender
            .parse::<Mailbox>()
            .map_err(|source| MailError::Sender {
                sender: options.sender.clone(),
                source,
            })?;
        let is_here = matches!(options.host.as_str(), "localhost" | "127.0.0.1" | "::1");
        let builder = if options.tls {
            SmtpTransport::relay(&options.host).map_err(MailError::Server)?
        } else if is_here {
            SmtpTransport::builder_dangerous(&options.host)
        } else {
            SmtpTransport::starttls_relay(&options.host).map_err(MailError::Server)?
        };
        let builder = builder.port(options.port).timeout(Some(DEADLINE));
        let builder = match &options.credentials {
            Some((name, password)) => builder.credentials(Credentials::new(name.clone(), password.clone())),
            None => builder,
        };
        Ok(Self(Arc::new(Inner {
            transport: builder.build(),
            sender,
            own: format!("{origin}{}", sign_in.base_path),
            threads: Pool::new(PoolSettings {
                name: "mailing",
                threads: AT_ONCE,
                waiting: WAITING,
                suspended: 0,
            }),
        })))
    }

    /// Sends somebody a link with which a new password is set.
    ///
    /// # Errors
    ///
    /// When the address is none, or too many letters wait already. That it could not be sent is told to the log.
    pub fn send_reset(&self, address: &str, secret: &Secret) -> Result<(), Error> {
        let link = format!("{}/reset-password?token={}", self.0.own, secret.text());
        let text = format!(
            "Somebody, probably you, asked for a new password.\n\nSet it here, once, within a day:\n\n{link}\n\nIf it was not you, do nothing: your password stays as it is.\n"
        );
        self.send(address, "Set a new password", text)
    }

    /// Sends a new user a link with which the first password is set.
    ///
    /// # Errors
    ///
    /// When the address is none, or too many letters wait already. That it could not be sent is told to the log.
    pub fn send_invitation(&self, address: &str, secret: &Secret) -> Result<(), Error> {
        let link = format!("{}/new-user?token={}", self.0.own, secret.text());
        let text = format!(
            "You have an account for feature flags.\n\nSet your password here, once, within a day:\n\n{link}\n"
        );
        self.send(address, "Your account for feature flags", text)
    }

    fn send(&self, address: &str, subject: &str, text: String) -> Result<(), Error> {
        let unfit = |_| Error::invalid("E-mail cannot be sent to this address.");
        let letter = Message::builder()
            .from(self.0.sender.clone())
            .to(address.parse::<Mailbox>().map_err(unfit)?)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(Error::internal)?;
        let inner = Arc::clone(&self.0);
        let started = self.0.threads.start(move || {
            if let Err(error) = inner.transport.send(&letter) {
                tracing::warn!(cause = chain(&error), "a letter could not be sent");
            }
        });
        started.map_err(|_full| Error::Busy {
            doing: "other e-mail",
            retry_after: Duration::from_secs(10),
        })
    }
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailer")
            .field("sender", &self.0.sender)
            .finish_non_exhaustive()
    }
}
