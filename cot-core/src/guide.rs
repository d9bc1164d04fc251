//! Guides to single features, with tested examples. The modules contain no items.

#[doc = include_str!("../docs/branches.md")]
pub mod branches {}
#[doc = include_str!("../docs/caching.md")]
pub mod caching {}
#[doc = include_str!("../docs/context.md")]
pub mod context {}
#[doc = include_str!("../docs/editors.md")]
pub mod editors {}
#[doc = include_str!("../docs/errors.md")]
pub mod errors {}
#[doc = include_str!("../docs/for_assistants.md")]
pub mod for_assistants {}
#[cfg(feature = "mcp")]
#[doc = include_str!("../docs/mcp.md")]
pub mod mcp {}
#[doc = include_str!("../docs/media.md")]
pub mod media {}
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}
#[cfg(feature = "agents")]
#[doc = include_str!("../docs/plan_execute.md")]
pub mod plan_execute {}
#[doc = include_str!("../docs/production.md")]
pub mod production {}
#[doc = include_str!("../docs/proven_state.md")]
pub mod proven_state {}
#[cfg(feature = "agents")]
#[doc = include_str!("../docs/reasoning.md")]
pub mod reasoning {}
#[doc = include_str!("../docs/replies.md")]
pub mod replies {}
#[doc = include_str!("../docs/rolling_out.md")]
pub mod rolling_out {}
#[doc = include_str!("../docs/runs.md")]
pub mod runs {}
#[cfg(feature = "progress")]
#[doc = include_str!("../docs/seeing.md")]
pub mod seeing {}
#[cfg(feature = "agents")]
#[doc = include_str!("../docs/sessions.md")]
pub mod sessions {}
#[doc = include_str!("../docs/storing.md")]
pub mod storing {}
#[doc = include_str!("../docs/tasks.md")]
pub mod tasks {}
#[doc = include_str!("../docs/tools.md")]
pub mod tools {}
#[doc = include_str!("../docs/traces.md")]
pub mod traces {}
#[doc = include_str!("../docs/workers.md")]
pub mod workers {}
#[cfg(feature = "testing")]
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}
