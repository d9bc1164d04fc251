//! The server of `Site::serve`: HTTP/1.1 over a bounded number of connections.

pub(crate) mod connection;
pub(crate) mod serve;
