//! The properties of a kind of task. `TaskKind::info` is the table of all kinds.

/// The properties that all tasks of a kind have in common.
#[derive(Debug, Clone, Copy)]
pub struct KindInfo {
    /// The name in fingerprints, which are stored: it never changes.
    pub(crate) fingerprint_name: &'static str,
    /// The name in manifests.
    pub manifest_name: &'static str,
    /// What a task does, in descriptions.
    pub summary: &'static str,
    /// The shape of a task in Graphviz.
    pub shape: &'static str,
    /// Whether a task has one output for each item.
    pub is_per_item: bool,
    /// Whether a task fails at its start if the budget is exhausted.
    pub(crate) spends_budget: bool,
    /// When a task can succeed other than by a transition.
    pub success: Success,
    /// What performs a task that asks no model itself.
    pub performer: Option<&'static str>,
}

/// When a task can succeed other than by a transition.
#[derive(Debug, Clone, Copy)]
pub enum Success {
    /// Whenever it is performed.
    Always,
    /// If the task has an output.
    WithOutput,
    /// The run ends there.
    Never,
}

impl KindInfo {
    /// Creates the row of a kind with the same name in fingerprints and manifests.
    pub(in crate::process) const fn new(
        name: &'static str,
        summary: &'static str,
        shape: &'static str,
    ) -> Self {
        Self {
            fingerprint_name: name,
            manifest_name: name,
            summary,
            shape,
            is_per_item: false,
            spends_budget: false,
            success: Success::Always,
            performer: None,
        }
    }

    pub(in crate::process) const fn spends_budget(self) -> Self {
        Self { spends_budget: true, ..self }
    }

    pub(in crate::process) const fn succeeds(self, success: Success) -> Self {
        Self { success, ..self }
    }

    pub(in crate::process) const fn performed_by(self, performer: &'static str) -> Self {
        Self { performer: Some(performer), ..self }
    }
}
