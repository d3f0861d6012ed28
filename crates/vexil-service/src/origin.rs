//! Origins of pages, in the one form in which browsers send them.

/// What stands before a host that needs no port: browsers leave these ports out.
const DEFAULT_PORTS: [(&str, u16); 2] = [("http", 80), ("https", 443)];

/// A scheme, a host and the port where it is not the usual one (RFC 6454, section 6.2), in small letters: the form in which
/// a browser sends what somebody may write in other ways. `None` for what no browser sends.
pub(crate) fn normal(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let (scheme, place) = text.split_once("://")?;
    let mut letters = scheme.bytes();
    let is_scheme = letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || b"+-.".contains(&letter));
    let (host, port) = split(place)?;
    let usual = DEFAULT_PORTS.iter().find(|(known, _)| *known == scheme);
    match port.filter(|port| Some(*port) != usual.map(|(_, usual)| *usual)) {
        _ if !is_scheme => None,
        Some(port) => Some(format!("{scheme}://{host}:{port}")),
        None => Some(format!("{scheme}://{host}")),
    }
}

/// Whether an origin is that of the host and port which a request names, over whichever scheme the page came.
pub(crate) fn is_of_host(origin: &str, host: &str) -> bool {
    let Some((scheme, _)) = origin.split_once("://") else {
        return false;
    };
    let own = normal(&format!("{scheme}://{host}"));
    matches!(scheme, "http" | "https") && own.is_some() && own == normal(origin)
}

/// The host and the port of an address, each only as it can be.
fn split(place: &str) -> Option<(&str, Option<u16>)> {
    let (host, port) = match place.rsplit_once(':') {
        // the colons of an IPv6 address stand in brackets
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (place, None),
    };
    let is_host = match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => {
            let fits = |letter: u8| letter.is_ascii_hexdigit() || b":.".contains(&letter);
            address.contains(':') && address.bytes().all(fits)
        }
        None => {
            let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"-._".contains(&letter);
            !host.is_empty() && host.bytes().all(fits)
        }
    };
    let port = match port {
        Some(port) if port.bytes().all(|digit| digit.is_ascii_digit()) => Some(port.parse::<u16>().ok()?),
        Some(_) => return None,
        None => None,
    };
    is_host.then_some((host, port))
}

#[cfg(test)]
mod tests;
