//! Generates processes of any size.

/// The shape of the graph of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Tasks that each have a transition and a `next` to the following task.
    Ring,
    /// One task with transitions to all others, which return to it.
    Hub,
    /// Tasks with transitions to all others.
    Mesh,
    /// A chain of tasks. Each writes a declared field, which the next task shows.
    Chain,
}

impl Shape {
    pub(crate) const ALL: [Self; 4] = [Self::Ring, Self::Hub, Self::Mesh, Self::Chain];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Hub => "hub",
            Self::Mesh => "mesh",
            Self::Chain => "chain",
        }
    }

    /// Returns the number of routes between tasks.
    pub(crate) const fn edges(self, tasks: usize) -> usize {
        match self {
            Self::Ring => 2 * tasks + 1,
            Self::Hub => 2 * tasks,
            Self::Mesh => tasks * tasks,
            Self::Chain => tasks,
        }
    }

    /// Generates the source of a process with a number of tasks that ask a model, and an end.
    pub(crate) fn source(self, tasks: usize) -> String {
        let mut source = format!(
            "pub process Shape {{ state: {}, goal: \"Look at ${{state.subject}}\",
            intro: \"Known so far: ${{json(state)}}\", max_retries: 3,",
            self.state(tasks)
        );
        if self == Self::Hub {
            source.push_str("default_return: t0,");
        }
        for task in 0..tasks {
            source.push_str(&self.task(task, tasks));
        }
        source + "task done { end } }"
    }

    fn state(self, tasks: usize) -> String {
        if self != Self::Chain {
            return "State".to_owned();
        }
        let fields: String = (0..tasks).map(|task| format!("f{task}: String,")).collect();
        format!("{{ input subject: String, {fields} }}")
    }

    fn task(self, task: usize, tasks: usize) -> String {
        let targets: Vec<usize> = match (self, task) {
            (Self::Ring, _) => vec![(task + 1) % tasks],
            (Self::Hub, 0) => (1..tasks).collect(),
            (Self::Hub | Self::Chain, _) => Vec::new(),
            (Self::Mesh, _) => (0..tasks).filter(|&other| other != task).collect(),
        };
        let mut transitions: Vec<_> = targets.iter().map(|to| format!("t{to}")).collect();
        if self == Self::Mesh || (task == 0 && self != Self::Chain) {
            transitions.push("done".to_owned());
        }
        let next = match (self, task) {
            (Self::Ring, _) => format!("next: t{},", (task + 1) % tasks),
            (Self::Mesh, 0) => "may_end,".to_owned(),
            (Self::Chain, _) if task + 1 == tasks => "next: done,".to_owned(),
            (Self::Chain, _) => format!("next: t{},", task + 1),
            _ => String::new(),
        };
        let transitions = match transitions.is_empty() {
            true => String::new(),
            false => format!("transitions: {{ {} }},", transitions.join(", ")),
        };
        let (shown, update) = match (self, task) {
            (Self::Chain, 0) => ("subject".to_owned(), "f0 = output.text".to_owned()),
            (Self::Chain, _) => (format!("f{}", task - 1), format!("f{task} = output.text")),
            _ => ("subject".to_owned(), "found[] = output".to_owned()),
        };
        format!(
            "task t{task} -> Found {{ prompt: \"Look at side {task} of ${{state.{shown}}}\",
            update: {{ {update} }}, {transitions} {next} }}"
        )
    }
}
