//! The listening socket of a node.

use std::{io, net::SocketAddr};

use tokio::net::{TcpListener, TcpSocket};

/// Binds a listener for the SDK's `HttpServer::serve`, with `TCP_NODELAY` set on its connections.
///
/// A step of a run exchanges a few small packets, which the operating system would otherwise delay by
/// up to 40 ms to combine them.
///
/// # Errors
///
/// Returns an error if the address can't be bound, for example because another program uses it.
///
/// # Panics
///
/// Panics outside of a tokio runtime.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // After a restart, the old connections of the node may still be closing.
    socket.set_reuseaddr(true)?;
    // Connections inherit this from the listener.
    socket.set_nodelay(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The limit on connections that wait to be accepted.
const BACKLOG: u32 = 1024;
