//! The client that sent a request.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::{
    extract::{ConnectInfo, Request},
    http::HeaderMap,
};

/// Identifies a client by its address. An IPv6 address stands for its network of 64 bits, all of which one client can have.
/// All clients whose address is not known are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Client(Option<IpAddr>);

impl Client {
    pub(crate) fn new(address: IpAddr) -> Self {
        Self(Some(match address.to_canonical() {
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
            address @ IpAddr::V4(_) => address,
        }))
    }

    /// Returns the client of a request: the peer of its connection or, if that is one of the trusted `proxies`, the last
    /// address in `X-Forwarded-For` that is none.
    pub(crate) fn from_request(request: &Request, proxies: &[IpAddr]) -> Self {
        let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() else {
            return Self(None);
        };
        let mut client = peer.ip().to_canonical();
        let mut senders = forwarded_for(request.headers());
        while proxies.contains(&client) {
            let Some(sender) = senders.next() else { break };
            client = sender;
        }
        Self::new(client)
    }
}

/// Returns the addresses in `X-Forwarded-For`, from the last, up to one that does not parse.
fn forwarded_for(headers: &HeaderMap) -> impl Iterator<Item = IpAddr> {
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let addresses = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    addresses.map_while(|address| parse_address(address.trim()))
}

/// Parses an address that may have a port.
fn parse_address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(with_port).map(|address: IpAddr| address.to_canonical())
}
