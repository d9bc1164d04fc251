//! The tools of an agent.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use cot_engine::{Effect, ToolSource};
use cot_schema::CotOutput;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::{
    definition::ToolDefinitionError,
    function::{ToolCall, ToolCallError},
    group::ToolGroup,
    tool::Tool,
};

/// The tools of an agent, in the order in which they were added. Clones are cheap.
///
/// Invalid definitions are stored, and the agent reports the first of them before it calls a model.
///
/// A process that takes a set in its context declares each group that it wants as a source, with
/// `only: all` and the settings of the group.
#[derive(Clone, Default)]
pub struct ToolSet {
    inner: Arc<Inner>,
}

#[derive(Clone, Default)]
struct Inner {
    tools: Vec<Arc<Tool>>,
    invalid: Vec<ToolDefinitionError>,
    groups: [ToolGroup; 4],
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

    /// Adds a function with a JSON definition, as [`Tool::from_json`] does. It replaces an earlier tool of
    /// the same name.
    #[must_use]
    pub fn json_tool<R, E, F>(
        self,
        definition: &Value,
        run: impl Fn(Value) -> F + Send + Sync + 'static,
    ) -> Self
    where
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        match Tool::from_json(definition, run) {
            Ok(tool) => self.add(tool),
            Err(error) => self.with_invalid(error),
        }
    }

    /// Adds the tools of a source, such as an MCP server, as [`Tool::from_source`] does. They replace
    /// earlier tools of the same names.
    ///
    /// Calls of these tools can be repeated and need no approval. For other settings, add the tools of
    /// [`Tool::from_source`] one by one.
    #[must_use]
    pub fn source(self, source: impl ToolSource + 'static) -> Self {
        match Tool::from_source(source) {
            Ok(tools) => tools.into_iter().fold(self, Self::add),
            Err(error) => self.with_invalid(error),
        }
    }

    /// Adds a tool. It replaces an earlier tool of the same name.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "adding a tool is no addition")]
    pub fn add(mut self, tool: Tool) -> Self {
        let inner = Arc::make_mut(&mut self.inner);
        if inner.tools.iter().any(|other| other.name == tool.name) {
            inner.tools.retain(|other| other.name != tool.name);
            inner.groups.iter_mut().for_each(|group| group.remove(&tool.name));
        }
        let tool = Arc::new(tool);
        inner.groups[group_index(tool.effect, tool.needs_approval)].add(Arc::clone(&tool));
        inner.tools.push(tool);
        self
    }

    /// Limits the time of each call. A call that takes longer is cancelled, and the model receives an
    /// error. By default only the limits of [tools](Tool::timeout) apply. Requires a tokio runtime with
    /// time enabled.
    #[must_use]
    pub fn timeout(self, limit: Duration) -> Self {
        self.for_groups(|group| group.limits.timeout = Some(limit))
    }

    /// Limits the calls of this set and its clones that are in progress at the same time; 0 is treated as 1.
    /// The time that a call waits for others does not count towards its time limit. Calls that are made
    /// [once](Tool::once) do not count: a run makes them one by one.
    #[must_use]
    pub fn max_concurrency(self, calls: usize) -> Self {
        let permits = Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS)));
        self.for_groups(|group| {
            group.limits.max_concurrency = Some(calls);
            group.limits.permits = Some(Arc::clone(&permits));
        })
    }

    /// Limits the bytes of a result as JSON. Defaults to 60 KiB; the highest limit is 64 bytes below 64
    /// KiB. The model receives the beginning of a longer result as text. The arguments of a call have at
    /// most 64 KiB.
    #[must_use]
    pub fn max_result_bytes(self, bytes: usize) -> Self {
        self.for_groups(|group| group.limits.max_result_bytes = Some(bytes))
    }

    /// Adds the tools and the invalid definitions of another set, and takes the limits that it has.
    pub(crate) fn add_set(self, other: &Self) -> Self {
        let mut set = other.iter().cloned().fold(self, Self::add);
        Arc::make_mut(&mut set.inner).invalid.extend_from_slice(&other.inner.invalid);
        set.for_groups(|group| group.limits.update(&other.repeatable().limits))
    }

    /// Returns the set with the same limit of concurrent calls, which it shares with no other set.
    pub(crate) fn with_own_permits(self) -> Self {
        match self.repeatable().limits.max_concurrency {
            Some(calls) => self.max_concurrency(calls),
            None => self,
        }
    }

    /// Returns the tools in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.inner.tools.iter().map(|tool| &**tool)
    }

    /// Returns the tool of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.iter().find(|tool| tool.name == name)
    }

    /// Returns whether the set has no tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.tools.is_empty()
    }

    /// Returns the tools whose calls can be repeated, without approval.
    #[must_use]
    pub fn repeatable(&self) -> &ToolGroup {
        self.group(Effect::Repeatable, false)
    }

    /// Returns the tools whose calls are made [once](Tool::once), without approval.
    #[must_use]
    pub fn once(&self) -> &ToolGroup {
        self.group(Effect::Once, false)
    }

    /// Returns the tools whose calls can be repeated and need [approval](Tool::approved).
    #[must_use]
    pub fn approved(&self) -> &ToolGroup {
        self.group(Effect::Repeatable, true)
    }

    /// Returns the tools whose calls are made [once](Tool::once) and need [approval](Tool::approved).
    #[must_use]
    pub fn approved_once(&self) -> &ToolGroup {
        self.group(Effect::Once, true)
    }

    /// Checks the definitions of the tools.
    ///
    /// # Errors
    ///
    /// Returns the first invalid definition.
    pub fn check(&self) -> Result<(), ToolDefinitionError> {
        self.invalid().cloned().map_or(Ok(()), Err)
    }

    /// Returns the first invalid definition.
    pub(crate) fn invalid(&self) -> Option<&ToolDefinitionError> {
        self.inner.invalid.first()
    }

    /// Starts a call without the limits of the set. The function runs when the future is polled.
    pub(crate) fn start(&self, name: &str, arguments: Value) -> Result<ToolCall, ToolCallError> {
        let tool = self.find(name).ok_or(ToolCallError::Unknown)?;
        tool.start(arguments, "").map_err(ToolCallError::Arguments)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(Tool::name)
    }

    fn group(&self, effect: Effect, needs_approval: bool) -> &ToolGroup {
        &self.inner.groups[group_index(effect, needs_approval)]
    }

    fn for_groups(mut self, set: impl FnMut(&mut ToolGroup)) -> Self {
        Arc::make_mut(&mut self.inner).groups.iter_mut().for_each(set);
        self
    }

    fn with_invalid(mut self, error: ToolDefinitionError) -> Self {
        Arc::make_mut(&mut self.inner).invalid.push(error);
        self
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

/// Returns the index of the group of tools with these settings.
const fn group_index(effect: Effect, needs_approval: bool) -> usize {
    let effect = match effect {
        Effect::Repeatable => 0,
        Effect::Once => 1,
    };
    effect + if needs_approval { 2 } else { 0 }
}
