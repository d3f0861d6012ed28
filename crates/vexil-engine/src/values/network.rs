//! Lists of IP networks.

use std::net::IpAddr;
use std::sync::Arc;

use ipnet::IpNet;

/// Networks of either family, in the order they were listed.
#[derive(Debug, Clone)]
pub(crate) struct Networks(Arc<[IpNet]>);

impl Networks {
    /// Reads addresses and networks, blanks around them ignored. Bits of the host part do not
    /// matter. What is neither is skipped and reported to `unreadable`.
    pub(crate) fn parse<'a>(
        entries: impl IntoIterator<Item = &'a str>,
        mut unreadable: impl FnMut(&'a str),
    ) -> Self {
        let networks = entries.into_iter().map(str::trim).filter_map(|entry| {
            let network = entry
                .parse::<IpNet>()
                .ok()
                .or_else(|| entry.parse::<IpAddr>().ok().map(IpNet::from));
            if network.is_none() && !entry.is_empty() {
                unreadable(entry);
            }
            network
        });
        Self(networks.collect())
    }

    /// The first network that the address is in. An IPv4 address is in no IPv6 network, and the other way round.
    pub(crate) fn find(&self, address: IpAddr) -> Option<&IpNet> {
        self.0.iter().find(|network| network.contains(&address))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
