//! The tasks and edges of a process, and what a run did with them.

use std::collections::{BTreeMap, HashMap};

use cot_engine::internal::KindTag;
use cot_store::{Status, StepHistory};
use serde_json::Value;

/// The graph of a process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) start: usize,
}

/// A task.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The kind; `None` if the store does not describe the process, or a newer program has described it.
    pub(crate) kind: Option<KindTag>,
    /// The name of the sub-process that the task runs.
    pub(crate) process: Option<String>,
    pub(crate) visits: u64,
    /// The number of its last step among the known ones.
    pub(crate) step: Option<u64>,
    pub(crate) state: NodeState,
}

/// What became of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum NodeState {
    #[default]
    Unvisited,
    Visited,
    /// The run is here.
    Active,
    /// The run waits for a person here.
    Waiting,
    /// The run failed or halted here.
    Failed,
    /// The run succeeded here.
    Ended,
}

/// The edges between two tasks.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) sort: Sort,
    /// The names of the routes.
    pub(crate) routes: Vec<String>,
    /// How many times it was taken; at most 1 if not all steps are known.
    pub(crate) taken: u64,
}

/// What decides that an edge is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    /// The model.
    Choice,
    /// The process.
    Automatic,
    /// The end of a called task, which leads back.
    Back,
    /// A failure.
    Failure,
}

impl Node {
    /// Returns what a task of its kind is.
    pub(crate) const fn words(&self) -> &'static str {
        let Some(kind) = self.kind else { return "task" };
        match kind {
            KindTag::Ai => "asks a model",
            KindTag::ForEach | KindTag::ForEachProcess => "for each item",
            KindTag::ForEachFunction => "code for each item",
            KindTag::Calls => "calls of tools",
            KindTag::Code => "code",
            KindTag::Human => "asks a person",
            KindTag::Process => "sub-process",
            KindTag::Parallel => "branches",
            KindTag::Gateway => "gateway",
            KindTag::End => "end",
            KindTag::Fail => "failure",
        }
    }

    /// Returns whether a visit of the task is no step of the run.
    const fn is_no_step(&self) -> bool {
        matches!(self.kind, Some(KindTag::Gateway | KindTag::End | KindTag::Fail))
    }
}

impl Sort {
    fn from_route(route: &str) -> Self {
        match route {
            "transition" => Self::Choice,
            "choice" | "branch" | "join" | "next" | "sequence" => Self::Automatic,
            "return" | "default_return" => Self::Back,
            _ => Self::Failure,
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Choice => "the model chooses it",
            Self::Automatic => "automatic",
            Self::Back => "back",
            Self::Failure => "after a failure",
        }
    }
}

/// More tasks than this are not drawn.
const MAX_NODES: usize = 400;

impl Graph {
    /// Reads the tasks and edges of a manifest, or of one of its sub-processes.
    pub(crate) fn from_manifest(manifest: &Value) -> Option<Self> {
        let tasks = manifest.get("tasks")?.as_array().filter(|tasks| !tasks.is_empty())?;
        let text = |value: Option<&Value>| Some(value?.as_str()?.to_owned());
        let mut graph = Self::default();
        for task in tasks.iter().take(MAX_NODES) {
            let name = text(task.get("name"))?;
            let title = text(task.get("title")).unwrap_or_else(|| name.clone());
            let kind = task.get("kind").and_then(Value::as_str);
            let kind = kind.and_then(KindTag::from_manifest_name);
            let process = text(task.get("process"));
            graph.nodes.push(Node { name, title, kind, process, ..Node::default() });
        }
        for (from, task) in tasks.iter().take(MAX_NODES).enumerate() {
            for way in task.get("ways").and_then(Value::as_array).into_iter().flatten() {
                let to = way.get("task").and_then(Value::as_str).and_then(|to| graph.find(to));
                let Some(to) = to else { continue };
                let route = way.get("route").and_then(Value::as_str).unwrap_or("next");
                graph.add_edge((from, to), Sort::from_route(route), route);
            }
        }
        let start = manifest.get("start").and_then(Value::as_str);
        graph.start = start.and_then(|start| graph.find(start)).unwrap_or(0);
        Some(graph)
    }

    /// Makes the tasks and edges of what the steps of a run show.
    pub(crate) fn from_steps(steps: &[StepHistory], status: &Status) -> Self {
        let mut graph = Self::default();
        let mut names: Vec<&str> = steps.iter().map(|step| step.task.as_str()).collect();
        names.extend(steps.iter().filter_map(|step| step.next.as_deref()));
        names.extend(Some(status.task()).filter(|task| !task.is_empty()));
        for name in names {
            if graph.find(name).is_none() && graph.nodes.len() < MAX_NODES {
                let (name, title) = (name.to_owned(), name.to_owned());
                graph.nodes.push(Node { name, title, ..Node::default() });
            }
        }
        for step in steps {
            let (Some(next), Some(route)) = (&step.next, &step.route) else { continue };
            if let (Some(from), Some(to)) = (graph.find(&step.task), graph.find(next)) {
                graph.add_edge((from, to), Sort::from_route(route), route);
            }
        }
        graph
    }

    /// Marks what a run did: the known steps, the number of visits of each task if there are more steps, and where it
    /// stands.
    pub(crate) fn mark(
        &mut self,
        steps: &[StepHistory],
        visits: Option<&BTreeMap<String, u64>>,
        status: &Status,
    ) {
        let indices: HashMap<String, usize> =
            self.nodes.iter().enumerate().map(|(index, node)| (node.name.clone(), index)).collect();
        for step in steps {
            let Some(&from) = indices.get(&step.task) else { continue };
            let node = &mut self.nodes[from];
            node.visits += 1;
            node.step = node.step.max(Some(step.step));
            let branches = step.branches.iter().map(|branch| &branch.branch);
            for next in step.next.iter().chain(branches) {
                let edge = self.edges.iter_mut().find(|edge| {
                    edge.from == from && indices.get(next).is_some_and(|to| edge.to == *to)
                });
                edge.into_iter().for_each(|edge| edge.taken += 1);
                let to = indices.get(next).and_then(|to| self.nodes.get_mut(*to));
                to.filter(|node| node.is_no_step()).into_iter().for_each(|node| node.visits += 1);
            }
        }
        for (name, count) in visits.into_iter().flatten() {
            if let Some(node) = indices.get(name).and_then(|index| self.nodes.get_mut(*index)) {
                node.visits = node.visits.max(*count);
            }
        }
        if visits.is_some() {
            self.edges.iter_mut().for_each(|edge| edge.taken = edge.taken.min(1));
        }
        for node in &mut self.nodes {
            node.state = if node.visits > 0 { NodeState::Visited } else { NodeState::Unvisited };
        }
        if let Some(node) = indices.get(status.task()).and_then(|at| self.nodes.get_mut(*at)) {
            node.state = state_at(status);
            node.visits = node.visits.max(1);
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }

    fn add_edge(&mut self, (from, to): (usize, usize), sort: Sort, route: &str) {
        let known = self.edges.iter_mut().find(|edge| (edge.from, edge.to) == (from, to));
        match known {
            Some(edge) => {
                edge.sort = edge.sort.min(sort);
                if edge.routes.iter().all(|known| known != route) {
                    edge.routes.push(route.to_owned());
                }
            }
            None => {
                let routes = vec![route.to_owned()];
                self.edges.push(Edge { from, to, sort, routes, taken: 0 });
            }
        }
    }
}

/// Returns the state of the task at which a run is.
fn state_at(status: &Status) -> NodeState {
    match status.word() {
        "asking" => NodeState::Waiting,
        "end" => NodeState::Ended,
        "fail" | "ran_out" | "halted" => NodeState::Failed,
        _ => NodeState::Active,
    }
}
