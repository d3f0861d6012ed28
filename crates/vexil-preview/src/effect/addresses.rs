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
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn addresses_are_written_as_the_standard_library_writes_them() {
        let octets = (0..=255_u8).map(|octet| Ipv4Addr::new(octet, 255 - octet, octet / 3, 0));
        for address in octets.chain([Ipv4Addr::BROADCAST, Ipv4Addr::UNSPECIFIED, Ipv4Addr::LOCALHOST]) {
            assert_eq!(text(false, u128::from(u32::from(address))), address.to_string());
        }
    }

    fn block(is_v6: bool, first: u128, count: u128) -> Block {
        let last = first + (count - 1);
        Block { is_v6, first, last }
    }

    #[test]
    fn texts_of_a_block_say_its_addresses_each_in_its_turn_and_no_other() {
        let documents = 0x2001_0db8_u128 << 96;
        for (is_v6, first) in [
            (false, 0),
            (false, 0x0a00_00fe),
            (false, 0xffff_ff00),
            (true, 0),
            (true, 0xffff_0a00_0001),
            (true, documents | 0xab_00cd),
        ] {
            for count in [1_u128, 2, 3, 100, 256] {
                let block = block(is_v6, first, count);
                assert_eq!(block.count(), count);
                let many = block.texts().take(count as usize + 400);
                let many: Vec<String> = many.collect();
                let said = |text: &String| parse_address(text).map(bits);
                let plain: Vec<u128> = many.iter().take(count as usize).filter_map(said).collect();
                assert!(plain.into_iter().eq(block.first..=block.last), "{block:?}");
                assert!(many.iter().all(|text| block.is_said_by(text)), "{block:?}");
                // an IPv4 address is written in one way only
                let distinct: BTreeSet<&String> = many.iter().collect();
                assert_eq!(many.len() > count as usize, is_v6);
                assert!(distinct.len() * 2 > many.len(), "{block:?} {}", distinct.len());
                let varied: Vec<String> = (0..600).filter_map(|number| block.varied(number)).collect();
                assert_eq!(varied.len(), 600);
                assert!(varied.iter().all(|text| block.is_said_by(text)), "{block:?}");
                let addresses: BTreeSet<_> = varied.iter().map(said).collect();
                assert!(
                    addresses.len() as u128 * 2 > count,
                    "{block:?} {}",
                    addresses.len()
                );
                if !is_v6 {
                    assert_eq!(addresses.len() as u128, count);
                    assert!(varied.iter().take(count as usize).eq(many.iter()), "{block:?}");
                }
            }
        }
    }

    #[test]
    fn a_block_ends_where_it_ends_and_the_largest_are_beyond_counting() {
        for is_v6 in [false, true] {
            let whole = Block::whole(is_v6);
            let all = block(is_v6, whole.last - 9, 10);
            let plain: Vec<String> = all.texts().take(10).collect();
            assert_eq!(plain.last(), Some(&text(is_v6, whole.last)));
            assert!((0..100).all(|number| all.varied(number).is_some_and(|text| all.is_said_by(&text))));
            let texts = (0..90).filter_map(|number| whole.varied(number));
            let texts: BTreeSet<String> = texts.collect();
            assert_eq!(texts.len(), 90);
            assert!(texts.iter().all(|text| whole.is_said_by(text)));
            let other = Block::whole(!is_v6);
            assert!(!texts.iter().any(|text| other.is_said_by(text)));
        }
        assert_eq!(Block::whole(true).count(), u128::MAX);
        assert_eq!(Block::whole(false).count(), 1 << 32);
        assert_eq!(block(true, 1, u128::MAX).count(), u128::MAX);
        let [before, own, behind] = ["10.0.0.3", "10.0.0.4", "10.0.0.8"];
        let small = block(false, 0x0a00_0004, 4);
        assert_eq!(
            [before, own, behind].map(|text| small.is_said_by(text)),
            [false, true, false]
        );
        // written in capitals, with zeros, or as people do
        let ways: BTreeSet<String> = (0..300)
            .filter_map(|number| block(true, 0xab << 32, 1).varied(number))
            .collect();
        assert!(
            ways.contains("::ab:0:0") && ways.contains("::AB:0:0") && ways.len() > 90,
            "{ways:?}"
        );
    }

    #[test]
    fn an_ipv6_address_is_written_in_20_000_other_ways_and_an_ipv4_address_in_none() {
        for (count, is_v6, expected) in [
            (1, true, 20_001),
            (3, true, 20_003),
            (1, false, 1),
            (300, false, 300),
        ] {
            assert_eq!(block(is_v6, 0xab_cd00, count).texts().count(), expected);
        }
    }

    /// Two bits of a mixed number say how wide a group is, and one whether it is in capitals.
    #[test]
    fn each_group_of_an_ipv6_address_is_written_in_eight_ways() {
        // the number whose mixed one this is
        let inverse = (0..5).fold(1_u32, |inverse, _| {
            inverse.wrapping_mul(2_u32.wrapping_sub(inverse.wrapping_mul(0x9e37_79b1)))
        });
        let bits = 0x000a_000b_000c_000d_000e_000f_00ab_0bcd_u128;
        let groups = ["a", "b", "c", "d", "e", "f", "ab", "bcd"];
        for mixed in (0..24).flat_map(|bit| [1_u32 << bit, 3 << bit, !(1 << bit)]) {
            let expected = (0..8).map(|place| {
                let width = (mixed >> (2 * place) & 3) as usize + 1;
                let group = format!("{:0>width$}", groups[place]);
                let is_capital = mixed >> (16 + place) & 1 == 1;
                if is_capital { group.to_uppercase() } else { group }
            });
            let expected: Vec<String> = expected.collect();
            assert_eq!(respelled(bits, mixed.wrapping_mul(inverse)), expected.join(":"));
        }
    }
}
