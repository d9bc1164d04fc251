//! What a trace has to be, one file for each kind of rule.

mod arguments;
mod calls;
mod marks;
mod order;
mod todos;
mod tools;

use std::collections::HashSet;

use super::{
    Block, BlockKind, CallSummary, Diagnostic, Position, Report, Severity, Trace,
    diagnostic::Findings,
};

pub(super) use todos::Items as TodoItems;

/// Checks a trace that ends at a place, and adds what was found in its syntax.
pub(super) fn validate(trace: &Trace, end: Position, syntax: Vec<Diagnostic>) -> Report {
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
pub(super) struct Definitions(tools::Tools);

impl Definitions {
    /// The tools that these structures define.
    pub(super) fn of(blocks: &[Block]) -> Self {
        Self(tools::check(blocks, &mut Report::default(), &mut Findings::default()))
    }

    /// Why the calls of a structure can't be made.
    pub(super) fn wrong_calls(&self, act: &Block) -> Vec<Diagnostic> {
        let mut findings = Findings::default();
        calls::check(std::slice::from_ref(act), &self.0, &mut findings);
        let mut wrong = findings.into_sorted();
        wrong.retain(|finding| finding.severity() == Severity::Error);
        wrong
    }
}

fn summary(call: super::Call<'_>) -> CallSummary {
    CallSummary {
        tool: call.tool().map(str::to_owned),
        id: call.id().map(std::borrow::Cow::into_owned),
    }
}

/// Values in the order of their first occurrence.
fn unique<T: Clone + Eq + std::hash::Hash>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.filter(|value| seen.insert(value.clone())).collect()
}

/// Whether the model makes such structures, or the tools it calls.
const fn is_of_turn(kind: BlockKind) -> bool {
    !matches!(kind, BlockKind::System | BlockKind::Tool | BlockKind::User)
}
