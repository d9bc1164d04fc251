//! Where a node takes up its work.

use std::{io, net::SocketAddr};

use tokio::net::{TcpListener, TcpSocket};

/// A listener for the SDK's `HttpServer::serve`, on connections without delay.
///
/// A step of a run is a few small packets back and forth. The system by itself holds small packets back
/// for some 40 ms in the hope of more to send.
///
/// # Errors
///
/// When the address can't be listened on, because another program does for instance. There has to be a
/// tokio runtime around it.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A node that is started again finds its old connections still closing.
    socket.set_reuseaddr(true)?;
    // Connections inherit it from the listener.
    socket.set_nodelay(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;
