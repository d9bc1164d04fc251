//! Writes a process as a Graphviz graph.

use std::fmt::{self, Write};

use crate::facts::{DescriptionFacts, Edge, EdgeRoute, ProcessFacts, TaskFacts};

/// Returns the graph. Each sub-process is a cluster at the first task that runs it.
pub(crate) fn graph(description: &DescriptionFacts) -> String {
    let mut dot = Dot { description, text: String::new(), drawn: Vec::new(), depth: 0 };
    // Writing to a `String` can't fail.
    let _ = dot.graph();
    dot.text
}

struct Dot<'a> {
    description: &'a DescriptionFacts,
    text: String,
    /// The sub-processes that already have a cluster.
    drawn: Vec<&'a str>,
    depth: usize,
}

impl<'a> Dot<'a> {
    fn graph(&mut self) -> fmt::Result {
        let process = &self.description.root;
        self.open(&format!("digraph {}", quoted(process.name)))?;
        self.line(&format!("label={}", label(process.name)))?;
        self.line("labelloc=t")?;
        self.line("node [fontname=\"sans-serif\"]")?;
        self.line("edge [fontname=\"sans-serif\", fontsize=10]")?;
        self.process(process, "t")?;
        self.close()
    }

    fn process(&mut self, process: &'a ProcessFacts, prefix: &str) -> fmt::Result {
        for (index, task) in process.tasks.iter().enumerate() {
            self.task(task, &format!("{prefix}{index}"))?;
        }
        if process.start.is_some() {
            self.line(&format!("{prefix}_start [label=\"\", shape=circle, width=0.2]"))?;
            self.line(&format!("{prefix}_start -> {prefix}{}", process.start_index))?;
        }
        for (index, task) in process.tasks.iter().enumerate() {
            self.edges(task, prefix, index)?;
        }
        Ok(())
    }

    fn task(&mut self, task: &'a TaskFacts, id: &str) -> fmt::Result {
        let Some((key, process)) = self.undrawn(task) else {
            return self.line(&node(task, id));
        };
        self.drawn.push(key);
        self.open(&format!("subgraph cluster_{id}"))?;
        self.line(&format!("label={}", label(key)))?;
        self.line(&node(task, id))?;
        let prefix = format!("{id}_t");
        self.process(process, &prefix)?;
        if process.start.is_some() {
            self.line(&format!("{id} -> {prefix}_start [style=dotted, arrowhead=none]"))?;
        }
        self.close()
    }

    /// Returns the sub-process of the task, if it has no cluster yet.
    fn undrawn(&self, task: &'a TaskFacts) -> Option<(&'a str, &'a ProcessFacts)> {
        let key = task.process.as_deref()?;
        let process = self.description.sub_process(key)?;
        (!self.drawn.contains(&key)).then_some((key, process))
    }

    fn edges(&mut self, task: &TaskFacts, prefix: &str, index: usize) -> fmt::Result {
        for edge in &task.edges {
            if let Some(target) = edge.index {
                let style = style(edge);
                self.line(&format!("{prefix}{index} -> {prefix}{target}{style}"))?;
            }
        }
        Ok(())
    }

    fn open(&mut self, what: &str) -> fmt::Result {
        self.indent()?;
        self.depth += 1;
        writeln!(self.text, "{what} {{")
    }

    fn close(&mut self) -> fmt::Result {
        self.depth = self.depth.saturating_sub(1);
        self.indent()?;
        self.text.write_str("}\n")
    }

    fn line(&mut self, statement: &str) -> fmt::Result {
        self.indent()?;
        writeln!(self.text, "{statement};")
    }

    fn indent(&mut self) -> fmt::Result {
        write!(self.text, "{:1$}", "", self.depth * 4)
    }
}

/// Returns the node of a task, in the shape of its kind.
fn node(task: &TaskFacts, id: &str) -> String {
    let shape = task.kind.shape;
    format!("{id} [label={}, shape={shape}]", label(task.title))
}

/// Returns the attributes of an edge: choices of the model are solid, automatic routes bold, returns dashed,
/// routes of failures dotted.
fn style(edge: &Edge) -> String {
    let guard = if edge.guard { "guarded" } else { "" };
    let (style, words) = match edge.route {
        EdgeRoute::Transition => ("solid", guard),
        EdgeRoute::Choice => ("bold", "chosen"),
        EdgeRoute::Branch => ("bold", "branch"),
        EdgeRoute::Join => ("dashed", "join"),
        EdgeRoute::Next(arm) if arm > 0 && !edge.guard => ("bold", "otherwise"),
        EdgeRoute::Next(_) => ("bold", guard),
        EdgeRoute::Sequence => ("bold", ""),
        EdgeRoute::DefaultReturn | EdgeRoute::Return => ("dashed", ""),
        EdgeRoute::On(name) => ("dotted", name),
    };
    let words = if words.is_empty() { String::new() } else { format!(", label={}", label(words)) };
    format!(" [style={style}{words}]")
}

/// Returns a text as a quoted label, with escapes and entities escaped.
fn label(text: &str) -> String {
    quoted(&text.replace('&', "&amp;").replace('\\', "\\\\"))
}

/// Returns a text in quotation marks, on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            character if character.is_control() => quoted.push(' '),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
