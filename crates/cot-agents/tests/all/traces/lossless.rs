//! Checks that traces are sound, and contain what the history of a run contains.

use std::collections::{BTreeMap, BTreeSet};

use cot_core::{
    store::{Answer, RunHistory, StepHistory},
    task_format::{self, BlockKind, Code, Expr, Report, Trace, Value},
};
use serde_json::Value as Json;

/// Asserts that a trace is valid, has no other warnings than of tasks without an output, and is read back as it is.
pub(crate) fn assert_sound(trace: &Trace) -> Report {
    let text = trace.to_string();
    let parsed = task_format::parse(&text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    assert_eq!(&parsed, trace, "{text}");
    assert_eq!(parsed.to_string(), text);
    assert_eq!(&Trace::from_json(&trace.to_json()).unwrap(), trace);
    let report = task_format::check(&text);
    assert!(report.is_valid(), "{text}\n{:#?}", report.errors);
    let mut warnings = report.warnings.iter();
    let is_open = warnings.all(|warning| warning.code == Code::UnsatisfiedTodo);
    assert!(is_open, "{text}\n{:#?}", report.warnings);
    report
}

/// Asserts that a trace contains what the history of its run contains.
pub(crate) fn assert_lossless(trace: &Trace, history: &RunHistory) {
    let contents = Contents::from_trace(trace);
    let mut steps = BTreeMap::new();
    contents.assert_steps("", &history.steps, &mut steps);
    let mut todos: BTreeMap<String, usize> = BTreeMap::new();
    for todo in trace.todos() {
        let path = todo.text.split(": ").next().unwrap_or_default().to_owned();
        *todos.entry(path).or_default() += 1;
    }
    assert_eq!(todos, steps, "{trace}");
}

/// All texts and values of a trace.
struct Contents {
    texts: String,
    values: BTreeSet<String>,
}

impl Contents {
    fn from_trace(trace: &Trace) -> Self {
        let mut contents = Self { texts: String::new(), values: BTreeSet::new() };
        for block in trace.blocks.iter().filter(|block| block.kind != BlockKind::Tool) {
            contents.add(&block.content);
        }
        contents
    }

    fn add(&mut self, expr: &Expr) {
        self.values.insert(sorted(&expr.to_plain_json()).to_string());
        match &expr.value {
            Value::Text(text) => {
                self.texts.push('\0');
                self.texts.push_str(text);
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(object) => object.entries.iter().for_each(|entry| self.add(&entry.expr)),
            _ => {}
        }
    }

    fn assert_text(&self, text: &str) {
        assert!(self.texts.contains(text), "{text:?} is not in {}", self.texts);
    }

    fn assert_value(&self, value: &Json) {
        let same = sorted(&Expr::from_plain_json(value).to_plain_json()).to_string();
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let is_found = self.values.contains(&same) || self.texts.contains(&text);
        assert!(is_found, "{value} is not in {:#?}", self.values);
    }

    /// Asserts that a text is in the trace, as it is or as the JSON that it contains.
    fn assert_json(&self, text: &str) {
        match serde_json::from_str(text) {
            Ok(value) if !self.texts.contains(text) => self.assert_value(&value),
            _ => self.assert_text(text),
        }
    }

    fn assert_steps(
        &self,
        outer: &str,
        steps: &[StepHistory],
        paths: &mut BTreeMap<String, usize>,
    ) {
        for step in steps {
            let item = step.item.map(|item| format!("[{item}]")).unwrap_or_default();
            let outer = if outer.is_empty() { String::new() } else { format!("{outer}{item}/") };
            let path = outer + &step.task;
            *paths.entry(path.clone()).or_default() += 1;
            self.assert_step(step);
            self.assert_steps(&path, &step.nested, paths);
        }
    }

    fn assert_step(&self, step: &StepHistory) {
        step.output.iter().for_each(|output| self.assert_value(output));
        if let Some(choice) = &step.transition {
            self.assert_text(&choice.go_to);
            self.assert_text(&choice.intent);
            self.assert_text(&choice.step_after);
        }
        for branch in &step.branches {
            self.assert_text(&format!("the branch `{}` ", branch.branch));
        }
        for item in &step.items_failed {
            self.assert_text(&format!("item {item} failed"));
        }
        for call in &step.tools {
            self.assert_text(&call.tool);
            self.assert_json(&call.arguments);
            call.result.iter().for_each(|result| self.assert_json(result));
            call.error.iter().for_each(|error| self.assert_text(error));
            call.approval.iter().for_each(|approval| self.assert_value(approval));
        }
        for attempt in &step.attempts {
            match &attempt.answer {
                Some(Answer::Replied { text, .. }) => self.assert_json(text),
                Some(Answer::Answered(value) | Answer::Returned(value)) => self.assert_value(value),
                Some(Answer::Failed(error)) => self.assert_text(error),
                _ => {}
            }
            for issue in attempt.issues.iter() {
                self.assert_text(&issue.to_string());
            }
            attempt.repairs.iter().for_each(|repair| self.assert_text(&repair.to_string()));
        }
    }
}

/// Returns a value with the members of its objects in the order of their names.
fn sorted(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(sorted).collect(),
        Json::Object(members) => {
            let members: BTreeMap<&String, Json> =
                members.iter().map(|(key, json)| (key, sorted(json))).collect();
            members.into_iter().map(|(key, json)| (key.clone(), json)).collect()
        }
        json => json.clone(),
    }
}
