//! Follows untrusted values through the process, forwards, until nothing changes.
//!
//! Each fact before each task is set at most once, and then passed on along the ways of the task, so that the work is
//! linear in tasks and ways, times the number of fields.

use cot_syntax::TaskKind;

use super::{
    facts::Fact,
    marks::Mark,
    node::{Node, goal},
    ways::Way,
};
use crate::{
    check::{graph::task_graph::TaskGraph, proof::sites::Sites},
    model::Model,
};

/// The values with a mark in a process.
pub(in crate::check) struct Flow {
    mark: Mark,
    fields: usize,
    /// For each task, and the return to calling tasks, where each fact comes from if it holds.
    origins: Vec<Vec<Option<Origin>>>,
    nodes: Vec<Node>,
}

/// Where a fact comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// The declaration of a field.
    Declaration,
    /// The results of the tool with this index.
    Tool(usize),
    /// A sub-process, which has untrusted values of its own.
    SubProcess,
    /// A fact before or within a task.
    Fact(usize, Fact),
}

impl Flow {
    pub(super) fn new(model: &Model<'_>, sites: &Sites<'_>, mark: Mark) -> Self {
        let (graph, fields) = (TaskGraph::new(model), model.state_fields().len());
        let node = |task| Node::new(model, task, mark, sites, &graph);
        let nodes = model.tasks.iter().map(node).collect();
        let origins = vec![vec![None; Fact::count(fields)]; model.tasks.len() + 1];
        let mut flow = Self { mark, fields, origins, nodes };
        flow.follow(model, sites);
        flow
    }

    /// Returns where a fact comes from, if it holds.
    pub(super) fn origin(&self, task: usize, fact: Fact) -> Option<Origin> {
        self.origins[task][fact.number(self.fields)]
    }

    pub(super) fn holds(&self, task: usize, fact: Fact) -> bool {
        self.origin(task, fact).is_some()
    }

    pub(super) fn node(&self, task: usize) -> &Node {
        &self.nodes[task]
    }

    fn follow(&mut self, model: &Model<'_>, sites: &Sites<'_>) {
        let mut open = Vec::new();
        for (index, field) in model.state_fields().iter().enumerate() {
            if self.mark.is_on(field) && !model.tasks.is_empty() {
                self.set(model.start, Fact::Declared(index), Origin::Declaration, &mut open);
            }
        }
        let shown = goal(model, sites).into_iter().find(|fact| self.holds(model.start, *fact));
        if let Some(fact) = shown {
            self.set(model.start, Fact::Goal, Origin::Fact(model.start, fact), &mut open);
        }
        for task in &model.tasks {
            if let Some(tool) = self.nodes[task.index].tools.first() {
                self.set(task.index, Fact::Shown, Origin::Tool(*tool), &mut open);
            }
            // A model chooses the arguments of the tool, so that the results may repeat what it was shown.
            if let Some(tool) = self.nodes[task.index].source_tool {
                self.set(task.index, Fact::Source, Origin::Tool(tool), &mut open);
            }
            let of_its_own = self.mark == Mark::Untrusted && task.kind.runs_process();
            if of_its_own && !self.mark.is_cleared_by(task) {
                self.set(task.index, Fact::Output, Origin::SubProcess, &mut open);
            }
        }
        while let Some((task, fact)) = open.pop() {
            for (next, found) in self.steps(model, task, fact) {
                self.set(next, found, Origin::Fact(task, fact), &mut open);
            }
        }
    }

    fn set(&mut self, task: usize, fact: Fact, origin: Origin, open: &mut Vec<(usize, Fact)>) {
        let known = &mut self.origins[task][fact.number(self.fields)];
        if known.is_none() {
            *known = Some(origin);
            open.push((task, fact));
        }
    }

    /// Returns the facts that follow from one.
    fn steps(&self, model: &Model<'_>, task: usize, fact: Fact) -> Vec<(usize, Fact)> {
        let Some(node) = self.nodes.get(task) else {
            // A return leads to any task that waits for those that it called.
            let waiting = model.tasks.iter().filter(|task| !task.transitions.is_empty());
            return waiting.map(|task| (task.index, fact)).collect();
        };
        let mut steps = self.within(model, task, fact);
        for way in &node.success {
            self.after_success(model, (task, node), fact, way, &mut steps);
        }
        for way in &node.others {
            let chosen = way.decides.contains(&fact);
            if way.is_transition && (chosen || fact == Fact::Shown && node.records_calls) {
                steps.extend(node.entries.iter().map(|entry| (way.target, *entry)));
            }
            let choice = (chosen && !model.tasks[task].trusts()).then_some(Fact::Choice);
            let kept = (!fact.is_local()).then_some(fact);
            let inputs = way.with.contains(&fact).then_some(Fact::Inputs);
            let all = [choice, kept, inputs].into_iter().flatten();
            steps.extend(all.map(|fact| (way.target, fact)));
        }
        steps
    }

    /// Returns the facts within a task that follow from one.
    fn within(&self, model: &Model<'_>, task: usize, fact: Fact) -> Vec<(usize, Fact)> {
        let (node, declared) = (&self.nodes[task], &model.tasks[task]);
        let mut found = Vec::new();
        found.extend(node.list.contains(&fact).then_some(Fact::Item));
        found.extend(node.shown.contains(&fact).then_some(Fact::Shown));
        found.extend(node.sources.contains(&fact).then_some(Fact::Source));
        let is_shown = fact == Fact::Shown && declared.kind != TaskKind::Human;
        // What stands in a trusted text is trusted.
        let is_found = node.is_found && !self.holds(task, Fact::Source);
        let output = is_shown && !is_found || node.computed.contains(&fact);
        let late = fact == Fact::Source && self.holds(task, Fact::Shown);
        found.extend(
            ((output || late) && !self.mark.is_cleared_by(declared)).then_some(Fact::Output),
        );
        found.into_iter().map(|fact| (task, fact)).collect()
    }

    /// Adds the facts at the end of a way after success.
    fn after_success(
        &self,
        model: &Model<'_>,
        (task, node): (usize, &Node),
        fact: Fact,
        way: &Way,
        steps: &mut Vec<(usize, Fact)>,
    ) {
        let declared = &model.tasks[task];
        let is_output = fact == Fact::Output;
        let vouches = self.mark.is_cleared_by(declared) || declared.kind == TaskKind::Human;
        let is_replaced = match fact {
            Fact::Written(field) => node.replaced.contains(&field),
            Fact::LastOutput => declared.has_output(),
            Fact::Choice => vouches,
            _ => false,
        };
        let mut found = Vec::new();
        found.extend((!fact.is_local() && !is_replaced).then_some(fact));
        found.extend(is_output.then_some(Fact::LastOutput));
        // What clears the output says nothing of the calls that led to it.
        if is_output || fact == Fact::Shown && node.records_calls {
            found.extend(&node.entries);
        }
        found.extend(way.with.contains(&fact).then_some(Fact::Inputs));
        for write in &node.writes {
            // A source that turns out to be untrusted covers nothing.
            let covers = write.is_found && !self.holds(task, Fact::Source);
            let late = fact == Fact::Source && write.is_found && self.holds(task, Fact::Output);
            // What decides about a write is not what stands in the source.
            let decides = write.decides.contains(&fact);
            if late || decides || write.reads.contains(&fact) && !(is_output && covers) {
                found.push(Fact::Written(write.field));
            }
        }
        if is_output && declared.syntax.items.process_output.is_some() {
            found.extend((0..self.fields).map(Fact::Written));
        }
        // A guard reads the fields after the update.
        let own = fact.is_local().then_some(&fact);
        let mut read = found.iter().filter(|it| !it.is_local()).chain(own);
        let decides = read.any(|it| way.decides.contains(it) && !matches!(it, Fact::Declared(_)));
        found.extend((decides && !declared.trusts()).then_some(Fact::Choice));
        steps.extend(found.into_iter().map(|fact| (way.target, fact)));
    }
}
