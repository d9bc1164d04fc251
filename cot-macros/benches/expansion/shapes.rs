//! Processes of any size.

/// How the tasks of a process lead to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Tasks that each have a transition, and `next`, to the one after them.
    Ring,
    /// One task with transitions to all others, which return to it.
    Hub,
    /// Tasks with transitions to all others.
    Mesh,
}

impl Shape {
    pub(crate) const ALL: [Self; 3] = [Self::Ring, Self::Hub, Self::Mesh];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Hub => "hub",
            Self::Mesh => "mesh",
        }
    }

    /// How many ways lead from task to task.
    pub(crate) const fn edges(self, tasks: usize) -> usize {
        match self {
            Self::Ring => 2 * tasks + 1,
            Self::Hub => 2 * tasks,
            Self::Mesh => tasks * tasks,
        }
    }

    /// The source of a process: so many tasks that ask a model, and an end.
    pub(crate) fn source(self, tasks: usize) -> String {
        let mut source = String::from(
            "pub process Shape { state: State, goal: \"Look at ${state.subject}\",
            intro: \"Known so far: ${json(state)}\", max_retries: 3,",
        );
        if self == Self::Hub {
            source.push_str("default_return: t0,");
        }
        for task in 0..tasks {
            source.push_str(&self.task(task, tasks));
        }
        source + "task done { end } }"
    }

    fn task(self, task: usize, tasks: usize) -> String {
        let targets: Vec<usize> = match (self, task) {
            (Self::Ring, _) => vec![(task + 1) % tasks],
            (Self::Hub, 0) => (1..tasks).collect(),
            (Self::Hub, _) => Vec::new(),
            (Self::Mesh, _) => (0..tasks).filter(|&other| other != task).collect(),
        };
        let mut transitions: Vec<_> = targets.iter().map(|to| format!("t{to}")).collect();
        if task == 0 || self == Self::Mesh {
            transitions.push("done".to_owned());
        }
        let next = match (self, task) {
            (Self::Ring, _) => format!("next: t{},", (task + 1) % tasks),
            (Self::Mesh, 0) => "may_end,".to_owned(),
            _ => String::new(),
        };
        let transitions = match transitions.is_empty() {
            true => String::new(),
            false => format!("transitions: {{ {} }},", transitions.join(", ")),
        };
        format!(
            "task t{task} -> Found {{ prompt: \"Look at side {task} of ${{state.subject}}\",
            update: {{ found[] = output }}, {transitions} {next} }}"
        )
    }
}
