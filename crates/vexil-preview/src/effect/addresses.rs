//! IP addresses, cut where a network begins or ends.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use vexil_values::{Network, parse_address};

/// Addresses of one family from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block {
    pub(crate) is_v6: bool,
    pub(crate) first: u128,
    pub(crate) last: u128,
}

/// In so many ways one IPv6 address is written at most.
const RESPELLED: u32 = 20_000;

impl Block {
    fn whole(is_v6: bool) -> Self {
        Self {
            is_v6,
            first: 0,
            last: if is_v6 { u128::MAX } else { u128::from(u32::MAX) },
        }
    }

    fn of(network: &Network) -> Self {
        Self {
            is_v6: network.first().is_ipv6(),
            first: bits(network.first()),
            last: bits(network.last()),
        }
    }

    /// Whether a text says one of the addresses.
    pub(crate) fn is_said_by(&self, text: &str) -> bool {
        let address = parse_address(text).filter(|address| address.is_ipv6() == self.is_v6);
        address.is_some_and(|address| (self.first..=self.last).contains(&bits(address)))
    }

    /// How many addresses there are; `u128::MAX` stands for that or more.
    pub(crate) fn count(&self) -> u128 {
        (self.last - self.first).saturating_add(1)
    }

    /// The text of one of its addresses: of the first few each in its turn, then of others here and there.
    pub(crate) fn varied(&self, number: u64) -> Option<String> {
        let mixed = u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let place = match self.count() {
            u128::MAX => mixed,
            count if u128::from(number) < count && !self.is_v6 && count <= 1 << 16 => u128::from(number),
            count => mixed % count,
        };
        let bits = self.first.wrapping_add(place);
        Some(match number % 3 {
            1 if self.is_v6 => respelled(bits, number as u32),
            2 if self.is_v6 => text(true, bits).to_uppercase(),
            _ => text(self.is_v6, bits),
        })
    }

    /// Texts of its addresses. An IPv4 address has one text, an IPv6 address several.
    pub(crate) fn texts(self) -> impl Iterator<Item = String> {
        let address = move |number: u128| self.first.checked_add(number).filter(|bits| *bits <= self.last);
        let plain = (0..u128::MAX)
            .map_while(address)
            .map(move |bits| text(self.is_v6, bits));
        let ways = if self.is_v6 { RESPELLED } else { 0 };
        let spelled = (0..ways).map(move |way| respelled(self.first, way));
        plain.chain(spelled)
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    }
}

fn text(is_v6: bool, bits: u128) -> String {
    if is_v6 {
        return Ipv6Addr::from(bits).to_string();
    }
    // by hand: all addresses of small blocks are written, and this takes a tenth of the time
    let mut text = String::with_capacity("255.255.255.255".len());
    for (place, octet) in Ipv4Addr::from(bits as u32).octets().into_iter().enumerate() {
        if place > 0 {
            text.push('.');
        }
        for (least, ten) in [(100, 100), (10, 10), (0, 1)] {
            if octet >= least {
                text.push(char::from(b'0' + octet / ten % 10));
            }
        }
    }
    text
}

/// All eight groups, some in capitals, each with some leading zeros.
fn respelled(bits: u128, way: u32) -> String {
    let groups = Ipv6Addr::from(bits).segments();
    // neighbours differ in many places
    let way = way.wrapping_mul(0x9e37_79b1);
    let spelled = (0_u32..).zip(groups).map(|(place, group)| {
        let width = (way >> (2 * place) & 3) as usize + 1;
        let text = format!("{group:0width$x}");
        if way >> (16 + place) & 1 == 1 {
            text.to_uppercase()
        } else {
            text
        }
    });
    spelled.collect::<Vec<_>>().join(":")
}

/// Blocks that no network tells apart, of both families.
pub(crate) fn blocks(networks: &[Network]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for is_v6 in [false, true] {
        let whole = Block::whole(is_v6);
        let known = networks
            .iter()
            .map(Block::of)
            .filter(|block| block.is_v6 == is_v6);
        let mut starts: Vec<u128> = known
            .flat_map(|block| [Some(block.first), block.last.checked_add(1)])
            .flatten()
            .filter(|start| *start <= whole.last)
            .chain([0])
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).map(|next| next - 1).chain([whole.last]);
        blocks.extend(starts.iter().zip(ends).map(|(first, last)| Block {
            is_v6,
            first: *first,
            last,
        }));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::text;

    #[test]
    fn addresses_are_written_as_the_standard_library_writes_them() {
        let octets = (0..=255_u8).map(|octet| Ipv4Addr::new(octet, 255 - octet, octet / 3, 0));
        for address in octets.chain([Ipv4Addr::BROADCAST, Ipv4Addr::UNSPECIFIED, Ipv4Addr::LOCALHOST]) {
            assert_eq!(text(false, u128::from(u32::from(address))), address.to_string());
        }
    }
}
