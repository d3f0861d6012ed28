//! Lists of networks, in which an address is found without a look at each.

use std::cmp::Reverse;
use std::net::IpAddr;
use std::sync::Arc;

use vexil_values::Network;

/// So many networks are looked at one by one.
const FEW: usize = 16;
/// The number of no network.
const NONE: u32 = u32::MAX;

/// Networks in the order of a list.
#[derive(Debug, Clone)]
pub(crate) struct Networks {
    list: Arc<[Network]>,
    /// Where there are many.
    ranges: Option<Arc<ByFamily>>,
}

/// Ranges of addresses that are in the same networks, of each family.
#[derive(Debug)]
struct ByFamily {
    v4: Ranges,
    v6: Ranges,
}

/// Where each range starts, with the number of the first network that it is in.
#[derive(Debug, Default)]
struct Ranges(Vec<(u128, u32)>);

impl Networks {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first network that an address is in.
    #[inline]
    pub(crate) fn find(&self, address: IpAddr) -> Option<&Network> {
        match &self.ranges {
            None => self.list.iter().find(|network| network.contains(address)),
            Some(ranges) => self.list.get(ranges.find(address)?),
        }
    }
}

impl FromIterator<Network> for Networks {
    fn from_iter<I: IntoIterator<Item = Network>>(networks: I) -> Self {
        let list: Arc<[Network]> = networks.into_iter().collect();
        let is_many = list.len() > FEW && u32::try_from(list.len()).is_ok();
        Self {
            ranges: is_many.then(|| Arc::new(ByFamily::of(&list))),
            list,
        }
    }
}

impl ByFamily {
    fn of(list: &[Network]) -> Self {
        let of_family = |is_v4: bool| {
            let numbered = (0..).zip(list);
            let own = numbered.filter(|(_, network)| network.first().is_ipv4() == is_v4);
            Ranges::of(own.map(|(number, network)| (bits(network.first()), bits(network.last()), number)))
        };
        Self {
            v4: of_family(true),
            v6: of_family(false),
        }
    }

    fn find(&self, address: IpAddr) -> Option<usize> {
        let Ranges(ranges) = if address.is_ipv4() { &self.v4 } else { &self.v6 };
        let address = bits(address);
        let behind = ranges.partition_point(|(start, _)| *start <= address);
        let (_, number) = ranges.get(behind.checked_sub(1)?)?;
        (*number != NONE).then_some(*number as usize)
    }
}

impl Ranges {
    /// Networks are given by their first and last address and their number. Of any two, one is in the other, or they have
    /// no address in common.
    fn of(networks: impl Iterator<Item = (u128, u128, u32)>) -> Self {
        let mut networks: Vec<_> = networks.collect();
        networks.sort_unstable_by_key(|(first, last, number)| (*first, Reverse(*last), *number));
        let mut ranges = Self::default();
        // those that are not over yet, each in the one before: the last address, and the first of all that they are in
        let mut open: Vec<(u128, u32)> = Vec::new();
        for (first, last, number) in networks {
            ranges.close(&mut open, |end| end < first);
            let outer = open.last().map_or(NONE, |(_, number)| *number);
            ranges.start(first, number.min(outer));
            open.push((last, number.min(outer)));
        }
        ranges.close(&mut open, |_| true);
        ranges
    }

    fn close(&mut self, open: &mut Vec<(u128, u32)>, is_over: impl Fn(u128) -> bool) {
        while let Some((last, _)) = open.pop_if(|(last, _)| is_over(*last)) {
            if let Some(next) = last.checked_add(1) {
                self.start(next, open.last().map_or(NONE, |(_, number)| *number));
            }
        }
    }

    fn start(&mut self, first: u128, number: u32) {
        match self.0.last_mut() {
            Some((start, known)) if *start == first => *known = number,
            Some((_, known)) if *known == number => {}
            _ => self.0.push((first, number)),
        }
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Networks close together, so that many are in others.
    fn network() -> impl Strategy<Value = Network> {
        let v4 = (0_u32..300, 20_u8..=32)
            .prop_map(|(low, length)| format!("10.0.{}.{}/{length}", low >> 8, low & 255));
        let v6 = (0_u16..300, 110_u8..=128).prop_map(|(low, length)| format!("2001:db8::{low:x}/{length}"));
        let ends = prop_oneof![
            Just("0.0.0.0/0".to_owned()),
            Just("255.255.255.255".to_owned()),
            Just("::/0".to_owned()),
            Just("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff".to_owned()),
            Just("0.0.0.0".to_owned()),
        ];
        prop_oneof![10 => v4, 10 => v6, 1 => ends].prop_map(|text| Network::parse(&text).unwrap())
    }

    proptest! {
        #[test]
        fn many_are_found_as_one_by_one(list in vec(network(), 0..60), low in 0_u32..400) {
            let networks: Networks = list.iter().copied().collect();
            prop_assert_eq!(networks.ranges.is_some(), list.len() > FEW);
            let around = list.iter().flat_map(|network| [network.first(), network.last()]);
            let v4 = IpAddr::from((0x0a00_0000 + low).to_be_bytes());
            let v6 = IpAddr::from((0x2001_0db8_u128 << 96 | u128::from(low)).to_be_bytes());
            for address in around.chain([v4, v6, IpAddr::from([255; 4]), IpAddr::from([0; 16])]) {
                let one_by_one = list.iter().find(|network| network.contains(address));
                prop_assert_eq!(networks.find(address), one_by_one, "{}", address);
            }
        }
    }
}
