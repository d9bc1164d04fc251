//! The tools of an agent.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use cot_engine::{FunctionError, SourceTool, ToolSource};
use cot_model::BoxFuture;
use cot_schema::CotOutput;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::{limits::CallLimits, tool::Tool};

/// The tools of an agent, in the order in which they were added. Clones are cheap.
///
/// Tools with JSON definitions, and those of sources such as MCP servers, are made by [`Tool::from_json`] and
/// [`Tool::from_source`].
///
/// A process that has a set in its context declares it as a source with `only: all`. Each tool has the effect
/// and the need for approval that were set on it.
#[derive(Clone, Default)]
pub struct ToolSet {
    inner: Arc<Inner>,
}

#[derive(Clone, Default)]
struct Inner {
    tools: Vec<Tool>,
    /// The same tools, as a source has them.
    listed: Vec<SourceTool>,
    limits: CallLimits,
}

impl ToolSet {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a function, as [`Tool::new`] does. It replaces an earlier tool of the same name.
    #[must_use]
    pub fn tool<T, R, E, F>(
        self,
        name: impl Into<String>,
        description: impl Into<String>,
        run: impl Fn(T) -> F + Send + Sync + 'static,
    ) -> Self
    where
        T: CotOutput,
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        self.add(Tool::new(name, description, run))
    }

    /// Adds a tool. It replaces an earlier tool of the same name.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "adding a tool is no addition")]
    pub fn add(mut self, tool: Tool) -> Self {
        let inner = Arc::make_mut(&mut self.inner);
        inner.tools.retain(|other| other.name() != tool.name());
        inner.listed.retain(|other| other.name() != tool.name());
        inner.listed.push(tool.listed.clone());
        inner.tools.push(tool);
        self
    }

    /// Limits the time of each call. A call that takes longer is cancelled, and the model receives an
    /// error. By default only the limits of [tools](Tool::timeout) apply. Requires a tokio runtime with
    /// time enabled.
    #[must_use]
    pub fn timeout(self, limit: Duration) -> Self {
        self.limit(|limits| limits.timeout = Some(limit))
    }

    /// Limits the calls of this set and its clones that are in progress at the same time; 0 is treated as 1.
    /// The time that a call waits for others does not count towards its time limit. Calls that are made
    /// [once](Tool::once) do not count: a run makes them one by one. Each session has this limit for itself.
    #[must_use]
    pub fn max_concurrency(self, calls: usize) -> Self {
        let permits = Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS)));
        self.limit(|limits| limits.permits = Some((calls, permits)))
    }

    /// Limits the bytes of a result as JSON. Defaults to 60 KiB; the highest limit is 64 bytes below 64
    /// KiB. The model receives the beginning of a longer result as text. The arguments of a call have at
    /// most 64 KiB.
    #[must_use]
    pub fn max_result_bytes(self, bytes: usize) -> Self {
        self.limit(|limits| limits.max_result_bytes = Some(bytes))
    }

    /// Returns the set with its limit of concurrent calls, or this one, which it shares with no other set.
    pub(crate) fn with_own_permits(self, default: usize) -> Self {
        let calls = self.inner.limits.permits.as_ref().map_or(default, |(calls, _)| *calls);
        self.max_concurrency(calls)
    }

    /// Returns the tools in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.inner.tools.iter()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Tool> {
        self.iter().find(|tool| tool.name() == name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(Tool::name)
    }

    fn limit(mut self, set: impl FnOnce(&mut CallLimits)) -> Self {
        set(&mut Arc::make_mut(&mut self.inner).limits);
        self
    }
}

impl ToolSource for ToolSet {
    fn tools(&self) -> &[SourceTool] {
        &self.inner.listed
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        Box::pin(async move {
            let tool = self.find(tool);
            let tool = tool.ok_or_else(|| FunctionError::not_done("there is no such tool"))?;
            self.inner.limits.perform(tool, arguments, key).await
        })
    }
}

impl Extend<Tool> for ToolSet {
    fn extend<I: IntoIterator<Item = Tool>>(&mut self, tools: I) {
        *self = tools.into_iter().fold(std::mem::take(self), Self::add);
    }
}

impl FromIterator<Tool> for ToolSet {
    fn from_iter<I: IntoIterator<Item = Tool>>(tools: I) -> Self {
        tools.into_iter().fold(Self::new(), Self::add)
    }
}

impl fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
