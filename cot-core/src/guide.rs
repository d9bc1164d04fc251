//! Guides to single features, with tested examples. The modules contain no items.

#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/branches.md")]
pub mod branches {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/caching.md")]
pub mod caching {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/context.md")]
pub mod context {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/costs.md")]
pub mod costs {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/editors.md")]
pub mod editors {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/errors.md")]
pub mod errors {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/exactly_once.md")]
pub mod exactly_once {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/for_assistants.md")]
pub mod for_assistants {}
#[cfg(feature = "mcp")]
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/mcp.md")]
pub mod mcp {}
#[cfg(feature = "eval")]
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/evals.md")]
pub mod evals {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/media.md")]
pub mod media {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}
#[cfg(feature = "agents")]
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/plan_execute.md")]
pub mod plan_execute {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/production.md")]
pub mod production {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/proven_state.md")]
pub mod proven_state {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/postgres.md")]
pub mod postgres {}
#[cfg(feature = "agents")]
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/reasoning.md")]
pub mod reasoning {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/replies.md")]
pub mod replies {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/rolling_out.md")]
pub mod rolling_out {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/runs.md")]
pub mod runs {}
#[cfg(feature = "progress")]
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/seeing.md")]
pub mod seeing {}
#[cfg(feature = "agents")]
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/sessions.md")]
pub mod sessions {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/storing.md")]
pub mod storing {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/tasks.md")]
pub mod tasks {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/tools.md")]
pub mod tools {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/traces.md")]
pub mod traces {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/trust.md")]
pub mod trust {}
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/workers.md")]
pub mod workers {}
#[cfg(feature = "testing")]
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}
