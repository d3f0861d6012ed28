//! What a proxy such as Unleash Edge asks.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::web::{Bytes, Data};
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use vexil_client_api::edge::{KnownToken, KnownTokens, TokenRequest, read_token_requests};
use vexil_service::operations::json_text::parse;
use vexil_service::operations::{Error, edge_tokens};
use vexil_service::{App, CheckedHead, Sealer, SignatureError, SignedHead, hash_secret};
use vexil_store::TokenKind;

use crate::routes::ApiError;
use crate::routes::bodies::{Body, TokenTexts};
use crate::routes::body::{RawBody, app};

/// Where tokens are asked for, as Edge signs it where nothing stands before it.
const ISSUE: &str = "/edge/issue-token";

/// Which of some tokens are known, and what they are for. Whoever knows a token may ask about it.
pub(crate) async fn validate(
    app: Data<App>,
    Body(TokenTexts(asked)): Body<TokenTexts>,
) -> Result<HttpResponse, ApiError> {
    let (known, now) = (app.credentials(), app.now());
    let mut tokens = Vec::new();
    for text in &asked {
        if let Some(token) = known.token(&hash_secret(text), now) {
            let (kind, environment) = (token.kind.name(), token.environment.as_ref());
            tokens.push(KnownToken::new(text, kind, &token.projects, environment));
        }
    }
    Ok(HttpResponse::Ok().json(KnownTokens { tokens }))
}

/// A body whose head is signed by an Edge client. Nothing of it is read before that is known.
pub(crate) struct SignedBody {
    head: CheckedHead,
    text: Bytes,
}

impl FromRequest for SignedBody {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let mut payload = payload.take();
        Box::pin(async move {
            let head = check_head(&request)?;
            let body = RawBody::from_request(&request, &mut payload);
            let RawBody(text) = body.await?;
            Ok(Self { head, text })
        })
    }
}

fn check_head(request: &HttpRequest) -> Result<CheckedHead, ApiError> {
    let app = app(request)?;
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let head = SignedHead {
        authorization: header(AUTHORIZATION.as_str()),
        timestamp: header("x-timestamp"),
        nonce: header("x-nonce"),
        content_sha256: header("content-sha256"),
    };
    let checked = app
        .edge_clients
        .check_head(head, &[ISSUE, request.path()], app.now());
    checked.map_err(ApiError::from)
}

/// Tells a proxy tokens for what it asks for. Those that it does not have are made.
pub(crate) async fn issue(app: Data<App>, signed: SignedBody) -> Result<HttpResponse, ApiError> {
    let SignedBody { head, text } = signed;
    let signer = app.edge_clients.check_body(&head, &text, app.now())?;
    let asked = app.parse(text.len(), move |_| read_requests(&text)).await??;
    let sealer: Option<Sealer> = app.sealer().filter(|_| app.lists_secrets()).cloned();
    let wanted = asked.clone();
    let actor = edge_tokens::actor(&signer.id);
    let made = app.edit(&actor, move |tx| {
        edge_tokens::get_or_create(tx, &signer, &wanted, sealer.as_ref())
    });
    let secrets = made.await?;
    let kind = TokenKind::Client.name();
    let tokens = asked.iter().zip(&secrets);
    let tokens = tokens
        .map(|(asked, secret)| KnownToken::new(secret, kind, &asked.projects, Some(&asked.environment)))
        .collect();
    Ok(HttpResponse::Ok().json(KnownTokens { tokens }))
}

fn read_requests(text: &[u8]) -> Result<Vec<TokenRequest>, Error> {
    read_token_requests(&parse(text)?).map_err(Error::from)
}

impl From<SignatureError> for ApiError {
    fn from(error: SignatureError) -> Self {
        match error {
            SignatureError::TooMany(retry_after) => Self::from(Error::TooManyRequests {
                message: format!("{error}."),
                retry_after,
            }),
            _ => Self::Unauthorized(format!("{error}.")),
        }
    }
}
