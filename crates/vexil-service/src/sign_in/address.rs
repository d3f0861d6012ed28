//! Places on the network.

use std::net::{IpAddr, Ipv6Addr};

/// What counts as one place to guess from: an IPv4 address, or the network of an IPv6 address, of which
/// anybody has 2^64.
pub(crate) fn place_of(address: Option<IpAddr>) -> IpAddr {
    match address {
        Some(IpAddr::V6(address)) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        Some(address) => address,
        None => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_place() {
        let place = |text: &str| place_of(Some(text.parse().unwrap()));
        assert_eq!(place("2001:db8::1"), place("2001:db8::ffff:1"));
        assert_ne!(place("2001:db8::1"), place("2001:db8:0:1::1"));
        assert_ne!(place("203.0.113.9"), place("203.0.113.8"));
    }
}
