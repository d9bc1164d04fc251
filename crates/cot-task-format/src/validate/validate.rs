//! Runs all rules on a trace.

use super::{calls, marks, order, todos, tools};
use crate::{
    block::{Block, Call, Trace},
    diagnostic::{Diagnostic, Findings, Severity},
    position::Position,
    report::{CallSummary, Report},
};

/// Validates a trace that ends at `end` and merges the syntax diagnostics into the report.
pub(crate) fn validate(trace: &Trace, end: Position, syntax: Vec<Diagnostic>) -> Report {
    let blocks = &trace.blocks;
    let mut report = Report {
        blocks: blocks.iter().map(|block| block.kind.keyword()).collect(),
        ..Report::default()
    };
    let mut findings = Findings::default();
    order::check(blocks, end, &mut findings);
    order::check_user_ids(blocks, &mut findings);
    marks::check(blocks, &mut report, &mut findings);
    todos::check(blocks, &mut report, &mut findings);
    let tools = tools::check(blocks, &mut report, &mut findings);
    calls::check(blocks, &tools, &mut findings);
    report.calls = blocks.iter().flat_map(|block| block.calls()).map(summary).collect();
    let mut all = syntax;
    all.extend(findings.into_sorted());
    all.sort_by_key(|diagnostic| diagnostic.position);
    (report.errors, report.warnings) =
        all.into_iter().partition(|diagnostic| diagnostic.severity() == Severity::Error);
    report
}

/// The tools that a trace defines.
#[derive(Clone, Debug)]
pub struct ToolDefinitions(tools::Tools);

impl ToolDefinitions {
    /// Collects the tools that these structures define.
    pub fn from_blocks(blocks: &[Block]) -> Self {
        Self(tools::check(blocks, &mut Report::default(), &mut Findings::default()))
    }

    /// Returns the errors in the calls of an `act`.
    pub fn call_errors(&self, act: &Block) -> Vec<Diagnostic> {
        let mut findings = Findings::default();
        calls::check(std::slice::from_ref(act), &self.0, &mut findings);
        let mut wrong = findings.into_sorted();
        wrong.retain(|finding| finding.severity() == Severity::Error);
        wrong
    }
}

fn summary(call: Call<'_>) -> CallSummary {
    CallSummary {
        tool: call.tool().map(str::to_owned),
        id: call.id().map(std::borrow::Cow::into_owned),
    }
}
