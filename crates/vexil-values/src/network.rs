//! IP addresses and networks.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;

/// An IP network of either family. An address alone is the network of that one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network(IpNet);

impl Network {
    /// Reads an address, or an address and the length of the network's prefix such as `10.0.0.0/8`. Bits
    /// behind the prefix do not matter.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let network = text.parse().ok();
        network.or_else(|| parse_address(text).map(IpNet::from)).map(Self)
    }

    /// Whether an address is in the network. An IPv4 address is in no IPv6 network, and the other way round.
    #[inline]
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }

    /// The lowest address.
    #[must_use]
    pub fn first(&self) -> IpAddr {
        self.0.network()
    }

    /// The highest address.
    #[must_use]
    pub fn last(&self) -> IpAddr {
        self.0.broadcast()
    }

    /// How many leading bits all its addresses share.
    #[must_use]
    pub fn prefix_length(&self) -> u8 {
        self.0.prefix_len()
    }
}

/// As it was written.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads an IP address of either family, exactly as it is written.
#[must_use]
pub fn parse_address(text: &str) -> Option<IpAddr> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Network, parse_address};

    #[test]
    fn bits_behind_the_prefix_do_not_matter() {
        let network = Network::parse("10.1.2.3/8").unwrap();
        assert_eq!(network.first().to_string(), "10.0.0.0");
        assert_eq!(network.last().to_string(), "10.255.255.255");
        assert!(network.contains("10.200.0.1".parse().unwrap()));
        assert!(!network.contains("11.0.0.0".parse().unwrap()));
    }

    #[test]
    fn an_address_alone_is_a_network_of_one() {
        let network = Network::parse("2001:db8::1").unwrap();
        assert_eq!((network.first(), network.prefix_length()), (network.last(), 128));
    }

    #[test]
    fn families_do_not_mix() {
        let all = Network::parse("::/0").unwrap();
        assert!(
            all.contains("::ffff:10.0.0.1".parse().unwrap()) && !all.contains("10.0.0.1".parse().unwrap())
        );
    }

    #[test]
    fn refuses_what_is_no_address_and_no_network() {
        for text in [
            "",
            "10.0.0",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/-1",
            "10.0.0.0/+8",
            "10.0.0.0/255.0.0.0",
            "300.1.1.1",
            "l10.0.0.1",
            "::/129",
            "fe80::1%eth0",
            "010.0.0.1",
            " 10.0.0.1",
        ] {
            assert_eq!(Network::parse(text), None, "{text:?}");
        }
        assert_eq!(parse_address("10.0.0.1/32"), None);
    }
}
