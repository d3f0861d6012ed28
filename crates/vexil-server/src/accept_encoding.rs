//! Which forms of an answer a client takes (RFC 9110, section 12.5.3).

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{ACCEPT_ENCODING, HeaderMap};
use actix_web::{FromRequest, HttpRequest};
use vexil_service::Coding;

/// What a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// gzip.
    Gzip,
    /// Answers as they are.
    Plain,
    /// Neither of them.
    Neither,
}

impl Accepted {
    /// What the headers of a request say.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let Codings { gzip, plain, any, .. } = Codings::of(headers);
        match (gzip.or(any), plain.or(any)) {
            (Some(true), _) => Self::Gzip,
            (_, None | Some(true)) => Self::Plain,
            (_, Some(false)) => Self::Neither,
        }
    }
}

impl FromRequest for Accepted {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request.headers())))
    }
}

/// The best that the headers of a request let one send.
pub(crate) fn best_coding(headers: &HeaderMap) -> Coding {
    let Codings {
        gzip,
        brotli,
        zstd,
        any,
        ..
    } = Codings::of(headers);
    match (brotli, zstd, gzip.or(any)) {
        (Some(true), _, _) => Coding::Brotli,
        (_, Some(true), _) => Coding::Zstd,
        (_, _, Some(true)) => Coding::Gzip,
        _ => Coding::Plain,
    }
}

/// Which codings a request names, and whether each is taken or refused.
#[derive(Debug, Default)]
struct Codings {
    gzip: Option<bool>,
    brotli: Option<bool>,
    zstd: Option<bool>,
    plain: Option<bool>,
    any: Option<bool>,
}

impl Codings {
    /// What `Accept-Encoding` says (RFC 9110, section 12.5.3).
    fn of(headers: &HeaderMap) -> Self {
        let mut codings = Self::default();
        let values = headers
            .get_all(ACCEPT_ENCODING)
            .filter_map(|value| value.to_str().ok());
        for item in values.flat_map(|value| value.split(',')) {
            let mut parts = item.split(';').map(str::trim);
            let place = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => &mut codings.gzip,
                "br" => &mut codings.brotli,
                "zstd" => &mut codings.zstd,
                "identity" => &mut codings.plain,
                "*" => &mut codings.any,
                _ => continue,
            };
            *place = Some(!parts.any(is_refusal));
        }
        codings
    }
}

/// Whether a parameter of what a request accepts says that it is not accepted: a weight of nothing (RFC 9110,
/// section 12.4.2).
pub(crate) fn is_refusal(parameter: &str) -> bool {
    let weight = parameter
        .strip_prefix("q=")
        .or_else(|| parameter.strip_prefix("Q="));
    weight.is_some_and(|weight| weight.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0))
}

#[cfg(test)]
mod tests;
