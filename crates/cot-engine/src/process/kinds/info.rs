//! The kinds of tasks and their properties.

/// Makes [`KindTag`] of the table of all kinds.
macro_rules! kinds {
    ($($kind:ident: $info:expr,)*) => {
        /// The kind of a task, without its data.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the table says what a task of each kind does")]
        pub enum KindTag { $($kind,)* }

        impl KindTag {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Returns the properties of the kind.
            #[must_use]
            pub const fn info(self) -> KindInfo {
                match self { $(Self::$kind => $info,)* }
            }
        }
    };
}

kinds! {
    Ai: KindInfo::new("ai", "asks a model", "box").spends_budget().succeeds(Success::WithOutput),
    ForEach: KindInfo::new("for_each", "asks a model for each item", "box3d")
        .fingerprinted_as("each")
        .per_item()
        .spends_budget()
        .succeeds(Success::WithOutput),
    ForEachFunction: KindInfo::new("for_each_function", "runs a function for each item", "box3d")
        .per_item()
        .performed_by("A function"),
    ForEachProcess: KindInfo::new("for_each_process", "runs a process for each item", "box3d")
        .per_item()
        .spends_budget()
        .performed_by("The process"),
    Code: KindInfo::new("code", "runs a function", "component").performed_by("A function"),
    Calls: KindInfo::new("calls", "performs tool calls", "component"),
    Human: KindInfo::new("human", "asks a person", "trapezium").performed_by("A person"),
    Process: KindInfo::new("process", "runs a process", "folder")
        .spends_budget()
        .performed_by("The process"),
    Parallel: KindInfo::new("parallel", "runs branches", "parallelogram").performed_by("Branches"),
    Gateway: KindInfo::new("gateway", "chooses a way", "diamond"),
    End: KindInfo::new("end", "ends the run", "doublecircle").succeeds(Success::Never),
    Fail: KindInfo::new("fail", "fails the run", "octagon").succeeds(Success::Never),
}

impl KindTag {
    /// Returns the kind with a name in manifests.
    #[must_use]
    pub fn from_manifest_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.info().manifest_name == name)
    }
}

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
    const fn new(name: &'static str, summary: &'static str, shape: &'static str) -> Self {
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

    const fn fingerprinted_as(self, fingerprint_name: &'static str) -> Self {
        Self { fingerprint_name, ..self }
    }

    const fn per_item(self) -> Self {
        Self { is_per_item: true, ..self }
    }

    const fn spends_budget(self) -> Self {
        Self { spends_budget: true, ..self }
    }

    const fn succeeds(self, success: Success) -> Self {
        Self { success, ..self }
    }

    const fn performed_by(self, performer: &'static str) -> Self {
        Self { performer: Some(performer), ..self }
    }
}
