//! MCP servers as sources of tools, and processes as tools of a server.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "helpers of tests fail like tests"
)]

mod agent;
mod calls;
mod connecting;
mod http;
mod lifetimes;
mod reference;
mod secrets;
mod served;
mod support;
