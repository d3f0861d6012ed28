//! The network address of who asks, in every notation in which proxies write it.

use std::net::IpAddr;

use actix_web::HttpRequest;
use vexil_service::{ForwardingHeader, Proxies, TrustedProxies};
use vexil_values::parse_address;

/// The address that those vouch for who are believed: the other end of the connection, or what the outermost
/// trusted proxy has noted. What is noted before that may be made up and is not read.
pub(crate) fn vouched(proxies: &Proxies, request: &HttpRequest) -> Option<IpAddr> {
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    match &proxies.trusted {
        None | Some(TrustedProxies::Count(0)) => peer,
        Some(TrustedProxies::Count(count)) => {
            let hops = hops(request, proxies.header);
            let place = hops.len().checked_sub(*count);
            place.and_then(|place| *hops.get(place)?).or(peer)
        }
        Some(TrustedProxies::Networks(networks)) => {
            let trusted = |address: &IpAddr| networks.iter().any(|network| network.contains(*address));
            let mut outermost = peer;
            for hop in hops(request, proxies.header).into_iter().rev() {
                if !outermost.as_ref().is_some_and(trusted) {
                    break;
                }
                let Some(hop) = hop else {
                    break;
                };
                outermost = Some(hop);
            }
            outermost
        }
    }
}

/// The address by which flags are decided where a front end names none. As long as the operator has not said whom
/// to believe, that is the first address noted: a front end can make up its context anyway.
pub(crate) fn of_front_end(proxies: &Proxies, request: &HttpRequest) -> Option<IpAddr> {
    if proxies.trusted.is_some() {
        return vouched(proxies, request);
    }
    let mut noted = ForwardingHeader::ALL
        .into_iter()
        .flat_map(|header| hops(request, header));
    noted.find_map(|hop| hop).or_else(|| vouched(proxies, request))
}

/// Whom the proxies have passed on, the first one first; `None` for each that is hidden or cannot be read.
fn hops(request: &HttpRequest, header: ForwardingHeader) -> Vec<Option<IpAddr>> {
    let values = request.headers().get_all(header.name());
    let values = values.filter_map(|value| value.to_str().ok());
    match header {
        ForwardingHeader::XForwardedFor => values
            .flat_map(|list| list.split(','))
            .map(|text| read_address(text.trim().trim_matches('"')))
            .collect(),
        ForwardingHeader::Forwarded => values
            .flat_map(|list| split_outside_quotes(list, ','))
            .map(forwarded_for)
            .collect(),
    }
}

/// What an element of `Forwarded` says of whom it passed on: `for="[2001:db8::1]:443";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = split_outside_quotes(element, ';');
    let node = pairs.find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then_some(value.trim())
    })?;
    let quoted = node.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match quoted {
        // a backslash stands before what means itself
        Some(text) => read_address(&text.replace('\\', "")),
        None => read_address(node),
    }
}

/// The parts of a text between separators that stand in no quotes.
fn split_outside_quotes(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut in_quotes, mut escaped) = (false, false);
    text.split(move |letter| {
        let is_escaped = escaped;
        escaped = in_quotes && !is_escaped && letter == '\\';
        if letter == '"' && !is_escaped {
            in_quotes = !in_quotes;
        }
        letter == separator && !in_quotes
    })
}

/// An address with a port or without, in brackets, with a zone.
fn read_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return is_port.then(|| read_v6(address)).flatten();
    }
    let with_port = || {
        let (address, port) = text.split_once(':')?;
        is_port(port).then(|| read_v4(address)).flatten()
    };
    read_v4(text).or_else(with_port).or_else(|| read_v6(text))
}

fn read_v4(text: &str) -> Option<IpAddr> {
    parse_address(text).filter(IpAddr::is_ipv4)
}

fn read_v6(text: &str) -> Option<IpAddr> {
    let address = text.split_once('%').map_or(text, |(address, _zone)| address);
    let address = parse_address(address).filter(IpAddr::is_ipv6)?;
    Some(address.to_canonical())
}

/// A port, or a name that hides one (RFC 7239, section 6).
fn is_port(text: &str) -> bool {
    let is_hidden = |name: &str| {
        let letters = name.bytes();
        !name.is_empty()
            && letters
                .into_iter()
                .all(|it| it.is_ascii_alphanumeric() || b"._-".contains(&it))
    };
    text.parse::<u16>().is_ok() || text.strip_prefix('_').is_some_and(is_hidden)
}

#[cfg(test)]
mod tests;
