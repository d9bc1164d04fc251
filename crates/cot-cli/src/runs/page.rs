//! The readable description of a run.

use std::fmt::Write;

use clap::builder::styling::Style;
use cot_schema::Issues;
use cot_store::{
    Answer, AttemptHistory, CancelRequest, RunHistory, RunSummary, SetAside, Status, StepHistory,
    ToolCallHistory,
};

use super::words::{self, one_line};

/// A page under construction.
#[derive(Default)]
pub(super) struct Page {
    text: String,
}

const BOLD: Style = Style::new().bold();

impl Page {
    /// Renders the history of a run.
    pub(super) fn render(history: &RunHistory) -> String {
        let mut page = Self::default();
        page.head(&history.summary);
        for step in &history.steps {
            page.line(0, "");
            page.step(step, 0);
        }
        page.waiting(&history.summary);
        page.text
    }

    fn head(&mut self, run: &RunSummary) {
        let status = &run.status;
        let style = words::style(status);
        self.fact("run", &run.run);
        self.fact("process", &run.process);
        self.fact("status", format!("{style}{}{style:#} at {}", status.word(), status.task()));
        if let Status::Ended { why, .. } = status
            && !why.is_empty()
        {
            self.fact("why", one_line(why));
        }
        self.fact("steps", run.steps);
        self.fact("usage", words::usage(&run.usage));
        self.fact("begun", words::time(run.begun));
        self.fact("updated", words::time(run.updated));
        self.fact("entries", run.entries);
        match &run.driver_error {
            Some(error) => self.fact("driven", format!("unknown: {}", one_line(error))),
            None => self.fact("driven", words::driven(run)),
        }
        if let Some(origin) = &run.origin {
            self.fact("fork of", origin);
        }
    }

    fn step(&mut self, step: &StepHistory, depth: usize) {
        let item = step.item.map(|item| format!("[{item}]")).unwrap_or_default();
        let process = step.process.as_ref().map(|process| format!("{process}{item}::"));
        let whither = match (&step.next, &step.route) {
            (Some(next), Some(route)) => format!(" -> {next} ({route})"),
            (None, Some(route)) => format!(" ({route})"),
            _ => " …".to_owned(),
        };
        let (process, StepHistory { step: number, task, .. }) = (process.unwrap_or_default(), step);
        let mut line = format!("{BOLD}{number} {process}{task}{BOLD:#}{whither}");
        let usage = step.usage();
        if usage.calls > 0 {
            _ = write!(line, "  [{}, {}]", words::usage(&usage), words::elapsed(step.elapsed()));
        }
        self.line(depth, &line);
        for branch in &step.branches {
            self.line(depth + 1, &one_line(&branch.to_string()));
        }
        for call in &step.tools {
            self.tool_call(call, depth + 1);
        }
        for attempt in &step.attempts {
            self.attempt(attempt, depth + 1);
        }
        step.nested.iter().for_each(|nested| self.step(nested, depth + 1));
        if let Some(transition) = &step.transition {
            self.block(depth + 1, "chose", &transition.go_to);
            self.block(depth + 2, "intent", &transition.intent);
            self.block(depth + 2, "step after", &transition.step_after);
        }
        if let Some(output) = &step.output {
            self.block(depth + 1, "output", &output.to_string());
        }
    }

    fn tool_call(&mut self, call: &ToolCallHistory, depth: usize) {
        let ToolCallHistory { number, tool, arguments, approval, result, error, .. } = call;
        self.line(depth, &format!("call {number} of {}", one_line(tool)));
        self.block(depth + 1, "arguments", arguments);
        if let Some(approval) = approval {
            self.block(depth + 1, "approval", &approval.to_string());
        }
        match (result, error) {
            (Some(result), _) => self.block(depth + 1, "returned", result),
            (None, Some(error)) => self.block(depth + 1, "failed", error),
            (None, None) => self.line(depth + 1, "no answer yet"),
        }
    }

    fn attempt(&mut self, attempt: &AttemptHistory, depth: usize) {
        let mut line = format!("attempt {}", attempt.number);
        if let Some(item) = attempt.item {
            _ = write!(line, " at item {item}");
        }
        if let Some(engine) = &attempt.engine {
            _ = write!(line, " by {}", one_line(engine));
        }
        if let Some(failure) = attempt.failure {
            _ = write!(line, ": {}", words::failure(failure));
        }
        self.line(depth, &line);
        if let Some(prompt) = &attempt.prompt {
            self.text_block(depth + 1, "system", &prompt.system());
            self.text_block(depth + 1, "prompt", &prompt.prompt());
        }
        match &attempt.answer {
            Some(Answer::Replied { text, .. }) => self.block(depth + 1, "reply", text),
            Some(Answer::Answered(value)) => self.block(depth + 1, "answer", &value.to_string()),
            Some(Answer::Returned(value)) => self.block(depth + 1, "returned", &value.to_string()),
            Some(Answer::Failed(why)) => self.block(depth + 1, "failed", why),
            Some(Answer::TimedOut) => self.line(depth + 1, "no answer in time"),
            Some(Answer::Interrupted) => self.line(depth + 1, "interrupted, and not made again"),
            _ => {}
        }
        for repair in &attempt.repairs {
            self.block(depth + 1, "mended", &repair.to_string());
        }
        self.issues(depth + 1, &attempt.issues);
    }

    /// Writes the question that the run asks, or the time until which it sleeps.
    fn waiting(&mut self, run: &RunSummary) {
        if let Some(SetAside { why, at, .. }) = &run.set_aside {
            self.line(0, "");
            self.line(0, &format!("{BOLD}set aside{BOLD:#} since {}", words::time(*at)));
            self.block(1, "reason", why);
            self.block(1, "put it back with", &format!("cot runs retry {}", run.run));
        }
        if let Some(CancelRequest { reason, at, .. }) = &run.cancel_requested {
            self.line(0, "");
            let since = words::time(*at);
            self.line(0, &format!("{BOLD}to be cancelled{BOLD:#} since {since}"));
            self.block(1, "reason", reason);
        }
        match &run.status {
            Status::Asking { key, question, schema, issues, since, until, .. } => {
                let until = until.map(|until| format!(", until {}", words::time(until)));
                let (since, until) = (words::time(*since), until.unwrap_or_default());
                self.line(0, "");
                self.line(0, &format!("{BOLD}asks {key}{BOLD:#} since {since}{until}"));
                self.text_block(1, "question", question);
                self.block(1, "schema", &schema.to_string());
                self.issues(1, issues.as_ref().unwrap_or(&Issues::new()));
                self.block(1, "answer it with", &format!("cot runs answer {} {key} JSON", run.run));
            }
            Status::Sleeping { until, .. } => {
                self.line(0, "");
                self.line(0, &format!("sleeps until {}", words::time(*until)));
            }
            _ => {}
        }
    }

    fn issues(&mut self, depth: usize, issues: &Issues) {
        for issue in issues.iter() {
            self.block(depth, "issue", &issue.to_string());
        }
    }

    fn fact(&mut self, name: &str, value: impl ToString) {
        self.line(0, &format!("{name:<8} {}", value.to_string()));
    }

    /// Writes an external text: beside its name, or below it if it has several lines.
    fn block(&mut self, depth: usize, name: &str, text: &str) {
        if text.trim_end().contains('\n') {
            return self.text_block(depth, name, text);
        }
        self.line(depth, &format!("{name}: {}", one_line(text)));
    }

    /// Writes an external text below its name, if it is not empty.
    fn text_block(&mut self, depth: usize, name: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        self.line(depth, &format!("{name}:"));
        for line in text.lines() {
            self.line(depth + 1, &one_line(line));
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let indent = if text.is_empty() { 0 } else { depth * 2 };
        _ = writeln!(self.text, "{:indent$}{text}", "");
    }
}
