//! What a task makes of untrusted values: what its model is shown, what it writes, and where it leads.

use cot_syntax::{FoundRow, Item, TaskKind, Template, Write};

use super::{
    facts::{Fact, all_fields, facts_in},
    marks::Mark,
    records::{entries, records_calls},
    ways::{Way, others, success},
    writes::{NodeWrite, node_write},
};
use crate::{
    check::{
        found_in::is_tool,
        graph::task_graph::TaskGraph,
        proof::{
            sites::{Site, Sites},
            writes::{is_whole, writes_to},
        },
        shown_parts::parts_in,
    },
    model::{Model, Place, Task, root_of_place},
};

/// A task as untrusted values pass through it.
pub(super) struct Node {
    /// The facts that its model is shown.
    pub(super) shown: Vec<Fact>,
    /// The facts that make its output untrusted, beside what a model is shown.
    pub(super) computed: Vec<Fact>,
    /// The facts that make the item of a for-each task untrusted.
    pub(super) list: Vec<Fact>,
    /// The facts that the sources of `found_in` read.
    pub(super) sources: Vec<Fact>,
    /// The tool whose results are a source of `found_in`, if one is.
    pub(super) source_tool: Option<usize>,
    /// Whether `found_in` covers the whole output.
    pub(super) is_found: bool,
    pub(super) writes: Vec<NodeWrite>,
    /// The fields that the update replaces.
    pub(super) replaced: Vec<usize>,
    /// The next tasks after success.
    pub(super) success: Vec<Way>,
    /// The next tasks without an update: transitions and routes for failures.
    pub(super) others: Vec<Way>,
    /// The facts that hold the entries of the task in the history.
    pub(super) entries: Vec<Fact>,
    /// Whether these are also entries of tool calls, with what the model passed and what it got.
    pub(super) records_calls: bool,
    /// The untrusted tools whose results the task gets.
    pub(super) tools: Vec<usize>,
}

impl Node {
    pub(super) fn new(
        model: &Model<'_>,
        task: &Task<'_>,
        mark: Mark,
        sites: &Sites<'_>,
        graph: &TaskGraph,
    ) -> Self {
        let items = &task.syntax.items;
        let sources: Vec<_> = task.sources().collect();
        let list = items.for_each.as_ref().map(|item| facts_in(model, None, &item.value.list));
        let writes = items.update.iter().flat_map(|item| &item.value.writes);
        let replaces = |write: &&Write| is_whole(write) && write.guard.is_none();
        let covers_all = |row: &FoundRow| row.member.segments.is_empty();
        let rows = items.found_in.iter().flat_map(|item| &item.value.rows);
        let untrusted =
            |tool: &usize| mark == Mark::Untrusted && model.tools[*tool].gives_untrusted();
        Self {
            shown: shown(model, task, sites),
            computed: computed(model, task, mark),
            list: list.unwrap_or_default(),
            sources: sources.iter().flat_map(|(_, it)| facts_in(model, Some(task), it)).collect(),
            source_tool: source_tool(task),
            is_found: rows.into_iter().any(covers_all),
            replaced: writes
                .clone()
                .filter(replaces)
                .filter_map(|it| writes_to(model, it))
                .collect(),
            writes: writes.filter_map(|write| node_write(model, task, write)).collect(),
            success: success(model, task, graph),
            others: others(model, task),
            entries: entries(model, task, mark),
            records_calls: records_calls(model, task),
            tools: task.tools.iter().map(|used| used.tool).filter(untrusted).collect(),
        }
    }
}

/// Returns the first tool of a task whose results are a source of `found_in`.
fn source_tool(task: &Task<'_>) -> Option<usize> {
    let mut rows = task.syntax.items.found_in.iter().flat_map(|item| &item.value.rows);
    rows.find_map(|row| {
        let name = root_of_place(&row.source).filter(|_| is_tool(task, row))?;
        task.tools.iter().find(|used| used.syntax.name == *name).map(|used| used.tool)
    })
}

/// Returns the facts that the model of a task is shown.
fn shown(model: &Model<'_>, task: &Task<'_>, sites: &Sites<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (_, site) in &sites.tasks[task.index] {
        match site {
            Site::Shown { expr, .. } if task.kind.asks_model() => {
                facts.extend(facts_in(model, Some(task), expr));
            }
            Site::Function { path, .. } if task.kind.asks_model() && !is_constant(path) => {
                facts.extend(all_fields(model));
                facts.extend([
                    Fact::History,
                    Fact::LastOutput,
                    Fact::Goal,
                    Fact::Inputs,
                    Fact::Item,
                ]);
            }
            Site::Expr { expr, place: Place::Turns | Place::Calls } => {
                facts.extend(facts_in(model, Some(task), expr));
            }
            // An issue shows the nearest passage.
            Site::Expr { expr, place: Place::Source } if task.kind.asks_model() => {
                facts.extend(facts_in(model, Some(task), expr));
            }
            _ => {}
        }
    }
    let full = task.syntax.items.full_prompt.as_ref();
    for (part, fact) in [("history", Fact::History), ("goal", Fact::Goal)] {
        let shows_it = |full: &Item<Template>| parts_in(&full.value).iter().any(|it| it == part);
        let is_shown = task.kind.asks_model() && full.is_none_or(shows_it);
        facts.extend(is_shown.then_some(fact));
    }
    facts
}

/// Returns the facts that the goal is made of.
pub(super) fn goal(model: &Model<'_>, sites: &Sites<'_>) -> Vec<Fact> {
    let facts = sites.goal.iter().map(|site| match site {
        Site::Function { path, .. } if !is_constant(path) => all_fields(model),
        site => site.expr().map(|expr| facts_in(model, None, expr)).unwrap_or_default(),
    });
    facts.flatten().collect()
}

/// A constant can't be told from a function but by its name.
fn is_constant(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|last| !last.ident.to_string().contains(|letter: char| letter.is_lowercase()))
}

/// Returns the facts that the output of a function or a sub-process can be made of. A function sees the whole state, and
/// it is the program that decides what of private values it returns.
fn computed(model: &Model<'_>, task: &Task<'_>, mark: Mark) -> Vec<Fact> {
    let with = task.syntax.items.process.as_ref().and_then(|item| item.value.with.as_ref());
    match (task.kind, with) {
        (TaskKind::Process | TaskKind::EachProcess, Some(with)) => {
            // Its own tasks are shown the goal, unless it declares one.
            let with = facts_in(model, Some(task), with);
            with.into_iter().chain([Fact::Goal]).collect()
        }
        (kind, _) if mark == Mark::Untrusted && (kind.runs_function() || kind.runs_process()) => {
            let mut facts = all_fields(model);
            facts.extend([Fact::Inputs, Fact::Item, Fact::Goal]);
            facts
        }
        _ => Vec::new(),
    }
}
