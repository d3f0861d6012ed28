//! The proxies that stand before a server.

use std::str::FromStr;

use vexil_values::Network;

/// The proxies that stand before the server, and the header in which they note whom they pass on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// Which of them are believed; `None` where the operator has not said.
    pub trusted: Option<TrustedProxies>,
    /// Where they note it.
    pub header: ForwardingHeader,
}

/// Which proxies are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustedProxies {
    /// So many stand before the server, whatever their addresses.
    Count(usize),
    /// Those in these networks.
    Networks(Vec<Network>),
}

/// The header in which proxies note whom they pass on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ForwardingHeader {
    /// `X-Forwarded-For: 203.0.113.9, 192.0.2.7`
    #[default]
    XForwardedFor,
    /// `Forwarded: for=203.0.113.9, for=192.0.2.7` (RFC 7239)
    Forwarded,
}

impl ForwardingHeader {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::XForwardedFor, Self::Forwarded];

    /// Its name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::XForwardedFor => "x-forwarded-for",
            Self::Forwarded => "forwarded",
        }
    }
}

/// The text names no header in which proxies note whom they pass on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be `x-forwarded-for` or `forwarded`")]
pub struct ForwardingHeaderError;

impl FromStr for ForwardingHeader {
    type Err = ForwardingHeaderError;

    fn from_str(text: &str) -> Result<Self, ForwardingHeaderError> {
        let mut all = Self::ALL.into_iter();
        all.find(|header| header.name() == text)
            .ok_or(ForwardingHeaderError)
    }
}

/// The text says neither a number nor networks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be the number of proxies, `true` or `false`, or their networks, such as `10.0.0.0/8,fd00::/8`")]
pub struct ProxiesError;

impl FromStr for TrustedProxies {
    type Err = ProxiesError;

    fn from_str(text: &str) -> Result<Self, ProxiesError> {
        let text = text.trim();
        match text {
            "true" => return Ok(Self::Count(1)),
            "false" => return Ok(Self::Count(0)),
            _ => {}
        }
        if let Ok(count) = text.parse::<usize>() {
            return Ok(Self::Count(count));
        }
        let network = |text: &str| Network::parse(text.trim()).ok_or(ProxiesError);
        text.split(',')
            .map(network)
            .collect::<Result<_, _>>()
            .map(Self::Networks)
    }
}

impl Proxies {
    /// Whether any are believed.
    #[must_use]
    pub fn any(&self) -> bool {
        match &self.trusted {
            None | Some(TrustedProxies::Count(0)) => false,
            Some(TrustedProxies::Count(_)) => true,
            Some(TrustedProxies::Networks(networks)) => !networks.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_known_by_its_name() {
        for header in ForwardingHeader::ALL {
            assert_eq!(header.name().parse(), Ok(header));
        }
        assert_eq!("via".parse::<ForwardingHeader>(), Err(ForwardingHeaderError));
    }

    #[test]
    fn a_setting_that_is_not_understood_is_refused() {
        for wrong in ["", "yes", "-1", "10.0.0.0/33", "10.0.0.0/8,x"] {
            assert_eq!(wrong.parse::<TrustedProxies>(), Err(ProxiesError), "{wrong}");
        }
        assert_eq!("true".parse(), Ok(TrustedProxies::Count(1)));
        assert_eq!("false".parse(), Ok(TrustedProxies::Count(0)));
    }
}
