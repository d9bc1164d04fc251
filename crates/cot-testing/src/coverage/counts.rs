//! Counters of exercised items.

use cot_engine::{Route, internal::TaskIndex};

/// The exercised items of a process, by task.
#[derive(Debug, Clone)]
pub(super) struct Exercised {
    pub(super) rows: Vec<Row>,
}

/// The exercised items of one task.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The task emits no start event, so that leaving it counts as the visit.
    counts_exit_as_visit: bool,
    pub(super) visits: u64,
    /// `None` for a task without retries.
    pub(super) retries: Option<u64>,
    pub(super) exits: Vec<Exit>,
    pub(super) tools: Vec<ToolCount>,
}

/// A tool that models can call at a task.
#[derive(Debug, Clone)]
pub(super) struct ToolCount {
    pub(super) name: &'static str,
    pub(super) calls: u64,
}

/// A route or transition out of a task.
#[derive(Debug, Clone)]
pub(super) struct Exit {
    pub(super) route: Route,
    /// The next task; `None` if it is known only at run time.
    pub(super) to: Option<TaskIndex>,
    taken: u64,
}

impl Exercised {
    pub(super) const fn new(rows: Vec<Row>) -> Self {
        Self { rows }
    }

    pub(super) fn visit(&mut self, task: TaskIndex) {
        if let Some(row) = self.rows.get_mut(task) {
            row.visits += 1;
        }
    }

    pub(super) fn visits(&self, task: TaskIndex) -> u64 {
        self.rows.get(task).map_or(0, |row| row.visits)
    }

    /// Counts a retry of a task.
    pub(super) fn retry(&mut self, task: TaskIndex) {
        if let Some(retries) = self.rows.get_mut(task).and_then(|row| row.retries.as_mut()) {
            *retries += 1;
        }
    }

    /// Counts the route by which the run left a task. For tasks that only route or end the run, this is the
    /// only event.
    pub(super) fn leave(&mut self, task: TaskIndex, route: Route, to: Option<TaskIndex>) {
        let Some(row) = self.rows.get_mut(task) else {
            return;
        };
        row.visits += u64::from(row.counts_exit_as_visit);
        let is_it = |exit: &&mut Exit| exit.route == route && (exit.to.is_none() || exit.to == to);
        if let Some(exit) = row.exits.iter_mut().find(is_it) {
            exit.taken += 1;
        }
    }

    /// Counts a call of a tool. A model can also call tools that do not exist.
    pub(super) fn call(&mut self, task: TaskIndex, tool: &str) {
        let tools = self.rows.get_mut(task).map(|row| &mut row.tools);
        if let Some(tool) = tools.and_then(|tools| tools.iter_mut().find(|it| it.name == tool)) {
            tool.calls += 1;
        }
    }

    /// Adds counts of the same process.
    pub(super) fn merge(&mut self, other: &Self) {
        for (row, added) in self.rows.iter_mut().zip(&other.rows) {
            row.visits += added.visits;
            row.retries = row.retries.zip(added.retries).map(|(some, more)| some + more);
            for (exit, added) in row.exits.iter_mut().zip(&added.exits) {
                exit.taken += added.taken;
            }
            for (tool, added) in row.tools.iter_mut().zip(&added.tools) {
                tool.calls += added.calls;
            }
        }
    }

    pub(super) fn share(&self) -> f64 {
        let (done, all) = self.rows.iter().flat_map(Row::items).fold((0_u32, 0_u32), add);
        if all == 0 { 1.0 } else { f64::from(done) / f64::from(all) }
    }

    pub(super) fn missing(&self) -> Vec<String> {
        self.rows.iter().flat_map(|row| row.missing(self)).collect()
    }

    pub(super) fn name(&self, task: TaskIndex) -> &'static str {
        self.rows.get(task).map_or("", |row| row.name)
    }
}

/// Adds one item to the counts of exercised and all items.
pub(super) const fn add((done, all): (u32, u32), is_done: bool) -> (u32, u32) {
    (done + is_done as u32, all + 1)
}

impl Row {
    pub(super) fn new(
        name: &'static str,
        counts_exit_as_visit: bool,
        has_retries: bool,
        exits: Vec<Exit>,
        tools: Vec<&'static str>,
    ) -> Self {
        let tools = tools.into_iter().map(|name| ToolCount { name, calls: 0 }).collect();
        let retries = has_retries.then_some(0);
        Self { name, counts_exit_as_visit, visits: 0, retries, exits, tools }
    }

    /// Returns for each item whether it was exercised.
    fn items(&self) -> impl Iterator<Item = bool> {
        let retries = self.retries.map(|retries| retries > 0);
        let exits = self.exits.iter().map(Exit::is_taken);
        let tools = self.tools.iter().map(|tool| tool.calls > 0);
        [self.visits > 0].into_iter().chain(retries).chain(exits).chain(tools)
    }

    fn missing(&self, all: &Exercised) -> Vec<String> {
        if self.visits == 0 {
            return vec![format!("`{}` was never visited", self.name)];
        }
        let untaken = self.exits.iter().filter(|exit| !exit.is_taken());
        let mut missing: Vec<_> =
            untaken.map(|exit| format!("`{}` never {}", self.name, exit.describe(all))).collect();
        let uncalled = self.tools.iter().filter(|tool| tool.calls == 0);
        missing.extend(
            uncalled.map(|tool| format!("`{}` never called the tool `{}`", self.name, tool.name)),
        );
        if self.retries == Some(0) {
            missing.push(format!("`{}` was never retried", self.name));
        }
        missing
    }
}

impl Exit {
    pub(super) const fn new(route: Route, to: Option<TaskIndex>) -> Self {
        Self { route, to, taken: 0 }
    }

    pub(super) const fn is_taken(&self) -> bool {
        self.taken > 0
    }

    fn describe(&self, all: &Exercised) -> String {
        match (self.route, self.to) {
            (Route::Transition, Some(to)) => format!("chose `{}`", all.name(to)),
            (Route::On(why), Some(to)) => format!("went to `{}` on `{why}`", all.name(to)),
            (_, Some(to)) => format!("continued with `{}`", all.name(to)),
            (_, None) => "returned to its calling task".to_owned(),
        }
    }
}
