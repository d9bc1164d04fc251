//! MCP for chain-of-thought processes: the tools of MCP servers as tools of a process, and a process as a tool of
//! an MCP server.
//!
//! [`McpServer`] connects to a server, over stdio or streamable HTTP, checks its tools, and gives
//! [`McpTools`], a [`ToolSource`](cot_engine::ToolSource) that the context of a process contains. [`serve`] is
//! the other direction.
//!
//! The crate `cot-core` re-exports this one as `cot_core::mcp`, with a guide: `cot_core::guide::mcp`.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `client`: an MCP server as a `ToolSource`: `builder` describes it, `target` is where it is, `connection` one
// connection to it (`child` its program, `link` what transport and calls share), `listing`, `schema` and `selection`
// check its tools, `outcome` reads its results, `tools` calls them and connects again; `serve`: processes as tools
// of a server, a run for each call.

mod client;
mod clock;
pub mod serve;

pub use client::{
    builder::{Http, McpServer, ServerKind, Stdio},
    error::{McpError, MissingTool},
    tools::McpTools,
};

/// The guide, compiled with this crate: the command of the README builds no MCP.
#[cfg(doctest)]
#[doc = include_str!("../../../cot-core/docs/mcp.md")]
mod guide {}
