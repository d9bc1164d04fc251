//! What a process declares about trust, and what the compiler found of it.

/// The marks of a process.
#[derive(Debug, Clone, Copy)]
pub struct TrustDefinition {
    /// Whether it is an error that an untrusted value reaches an effect.
    pub is_strict: bool,
    /// The fields of the state that are untrusted.
    pub untrusted: &'static [&'static str],
    /// The fields of the state that are private.
    pub private: &'static [&'static str],
    /// Whether each argument of `new` of the state is untrusted, and whether it is private.
    pub inputs: &'static [[bool; 2]],
    /// The members of the state's JSON that can hold private values: those of the private fields, and of the fields to which
    /// tasks write what is made of them. `*` stands for a member whose name is not known.
    pub private_members: &'static [&'static str],
    /// The engines that private values may be shown to.
    pub engines: &'static [&'static str],
    /// What prompts show of untrusted entries of the history.
    pub history: UntrustedHistory,
    /// The tasks that have to do with marked values.
    pub tasks: &'static [TaskTrust],
}

/// What prompts show of entries of the history that are made of untrusted values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UntrustedHistory {
    /// They are shown as the others are.
    Shown,
    /// They are left out.
    Omit,
    /// The history is shown in a fence, if it has such an entry.
    Quoted,
}

/// What the compiler found of a task.
#[derive(Debug, Clone, Copy)]
pub struct TaskTrust {
    /// The index of the task.
    pub task: usize,
    /// The name of the task, which entries of the history have.
    pub name: &'static str,
    /// The untrusted fields of the state that its model is shown, also by way of other values.
    pub untrusted: &'static [&'static str],
    /// The private ones.
    pub private: &'static [&'static str],
    /// Whether its model is shown untrusted values.
    pub shows_untrusted: bool,
    /// Whether its output, its choice or the entry of its calls is made of untrusted values.
    pub is_untrusted: bool,
    /// Why untrusted values may reach what the task does.
    pub trusts: Option<&'static str>,
}

impl TrustDefinition {
    /// Nothing is marked.
    pub const NONE: Self = Self {
        is_strict: false,
        untrusted: &[],
        private: &[],
        inputs: &[],
        private_members: &[],
        engines: &[],
        history: UntrustedHistory::Shown,
        tasks: &[],
    };

    /// Returns what was found of a task, if it has to do with marked values.
    pub(crate) fn task(&self, task: usize) -> Option<&'static TaskTrust> {
        self.tasks.iter().find(|found| found.task == task)
    }

    /// Returns whether entries of the history that a task made are untrusted.
    pub(crate) fn is_untrusted(&self, task: &str) -> bool {
        self.tasks.iter().any(|found| found.is_untrusted && found.name == task)
    }
}
