//! Addresses at both ends of networks, and just outside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use vexil_budget::Exhausted;
use vexil_values::Network;

use super::found::Candidates;

pub(super) fn add(networks: &[Network], found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    for network in networks {
        let (first, last) = (network.first(), network.last());
        found.add(first.to_string())?;
        found.add(last.to_string())?;
        let outside = [moved(last, 1, true), moved(first, 1, false)];
        for address in outside.into_iter().flatten() {
            found.add(address.to_string())?;
        }
    }
    Ok(())
}

/// The address so many steps up or down.
pub(super) fn moved(address: IpAddr, steps: u32, up: bool) -> Option<IpAddr> {
    match address {
        IpAddr::V4(address) => {
            let bits = u32::from(address);
            let moved = if up {
                bits.checked_add(steps)
            } else {
                bits.checked_sub(steps)
            };
            moved.map(|bits| Ipv4Addr::from(bits).into())
        }
        IpAddr::V6(address) => {
            let (bits, steps) = (u128::from(address), u128::from(steps));
            let moved = if up {
                bits.checked_add(steps)
            } else {
                bits.checked_sub(steps)
            };
            moved.map(|bits| Ipv6Addr::from(bits).into())
        }
    }
}
