//! Requests that are drawn: a route, a caller, a path with names that are there or not, a body.

use actix_web::http::{Method, Uri};
use vexil_server::Route;

use super::bodies::body;
use super::mutations::{TEXTS, mutated, written};
use super::world::World;
use crate::chance::Chance;
use crate::support::{CLIENT, FRONTEND};

/// A request before it is sent.
pub(crate) struct Sent {
    pub(crate) caller: String,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) body: Vec<u8>,
}

/// Draws a request.
pub(crate) fn draw(world: &World, routes: &[Route], chance: &mut Chance) -> Sent {
    let route = chance.pick(routes);
    let path = path(route, world, chance);
    let asked = format!("{} {}", route.method, route.path);
    let body = match body(&asked, world, chance) {
        Some(body) if chance.one_in(5) => written(&body),
        Some(body) => mutated(body, chance),
        None if chance.one_in(10) => mutated(serde_json::json!({ "a": [1] }), chance),
        None => Vec::new(),
    };
    let caller = match chance.below(10) {
        0..7 if route.path.starts_with("/api/client") => CLIENT.to_owned(),
        0..7 if ["/api/frontend", "/api/proxy", "/ofrep"]
            .iter()
            .any(|front| route.path.starts_with(front)) =>
        {
            FRONTEND.to_owned()
        }
        0..7 => world.callers[0].clone(),
        _ => chance.pick(&world.callers).clone(),
    };
    let method = if chance.one_in(50) {
        chance
            .pick(&[
                Method::HEAD,
                Method::OPTIONS,
                Method::TRACE,
                Method::PATCH,
                Method::GET,
                Method::DELETE,
            ])
            .clone()
    } else {
        route.method.clone()
    };
    let mut headers = Vec::new();
    if !chance.one_in(50) {
        headers.push(("content-type", "application/json"));
    }
    if chance.one_in(10) {
        headers.push(*chance.pick(HEADERS));
    }
    Sent {
        caller,
        method,
        path,
        headers,
        body,
    }
}

const HEADERS: &[(&str, &str)] = &[
    ("content-type", "text/plain"),
    ("content-type", "application/json; charset=utf-16"),
    ("content-type", "multipart/form-data; boundary=x"),
    ("content-encoding", "gzip"),
    ("content-encoding", "br"),
    ("content-encoding", "xyz"),
    ("accept-encoding", "gzip"),
    ("accept-encoding", "gzip;q=0, identity;q=0"),
    ("accept-encoding", ",,,;;;"),
    ("accept", "text/html"),
    ("if-none-match", "*"),
    ("if-none-match", "W/\"a\""),
    ("if-none-match", ",,\""),
    ("unleash-client-spec", "5.1.9"),
    ("unleash-client-spec", "99999999999999999999.0.0"),
    ("x-forwarded-for", "[2001:db8::1]:443"),
    ("x-forwarded-for", "x, y"),
    ("forwarded", "for=\"[::1\""),
    ("cookie", "unleash-session=x"),
    ("origin", "http://evil.example"),
    ("sec-fetch-site", "cross-site"),
    ("vexil-revision", "-1"),
    ("vexil-revision", "3"),
    ("x-http-method-override", "DELETE"),
];

const SEGMENTS: &[&str] = &[
    "..",
    ".",
    "%2e%2e",
    "%2f",
    "%5c",
    "%00",
    "%ff",
    "%C0%AF",
    "%25",
    "%E2%98%83",
    "-1",
    "0",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "1e5",
    "+1",
    "%201",
    "00",
    "constructor",
    "*",
    "%0d%0aX:%20y",
    "%7b%7d",
    "%2a",
    "%3f",
    "%23",
    ";x",
    "a;b=c",
    "%F0%9F%98%80",
    "~",
    "null",
    "undefined",
    "true",
    "%zz",
    "%",
];

const PARAMETERS: &[&str] = &[
    "offset",
    "limit",
    "query",
    "sortBy",
    "sortOrder",
    "project",
    "project[]",
    "type",
    "createdBy",
    "from",
    "to",
    "state",
    "archived",
    "hoursBack",
    "strategyResult",
    "namePrefix",
    "feature",
    "segment",
    "environment",
    "q",
    "shouldActivateDisabledStrategies",
    "userId",
    "properties[a]",
    "properties",
    "currentTime",
    "appName",
    "tag",
    "lifecycle",
    "createdAt",
    "lastSeenAt",
    "favoritesFirst",
    "status[]",
];

/// The path of a route, most often with names that are there.
fn path(route: &Route, world: &World, chance: &mut Chance) -> String {
    let mut path = route.path.replace(":.*}", "}");
    for parameter in route.parameters() {
        let name = match chance.below(12) {
            0 => (*chance.pick(SEGMENTS)).to_owned(),
            1 => encoded(chance.pick::<&str>(TEXTS)),
            _ => encoded(&world.name(parameter, chance)),
        };
        path = path.replace(&format!("{{{parameter}}}"), &name);
    }
    let queries = *chance.pick(&[0, 0, 0, 1, 2, 20]);
    for at in 0..queries {
        let value = match chance.below(3) {
            0 => (*chance.pick(SEGMENTS)).to_owned(),
            1 => encoded(chance.pick::<&str>(TEXTS)),
            _ => chance
                .pick(&[
                    "1",
                    "10",
                    "true",
                    "IS:default",
                    "IS_ANY_OF:a,b",
                    "desc",
                    "name",
                    "a=b=c",
                ])
                .to_string(),
        };
        let mark = if at == 0 { '?' } else { '&' };
        path = format!("{path}{mark}{}={value}", encoded(chance.pick::<&str>(PARAMETERS)));
    }
    match path.parse::<Uri>() {
        Ok(_) => path,
        Err(_) => "/api/admin/projects".to_owned(),
    }
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
