//! The rules of each kind of task, one kind per file.

use cot_syntax::TaskKind;
use kind_rules::KindRules;

pub(super) mod ai;
pub(super) mod calls;
mod code;
pub(super) mod each;
mod gateway;
mod human;
mod kind_rules;
mod parallel;
pub(super) mod process;
pub(super) mod read;
pub(super) mod reason;
pub(super) mod rules;
mod terminal;

/// Returns the rules of a kind.
pub(super) const fn rules_of(kind: TaskKind) -> &'static dyn KindRules {
    match kind {
        TaskKind::Ai => &ai::AiRules,
        TaskKind::Each => &each::EachRules,
        TaskKind::EachCode => &each::EachCodeRules,
        TaskKind::EachProcess => &each::EachProcessRules,
        TaskKind::Code => &code::CodeRules,
        TaskKind::Calls => &calls::CallsRules,
        TaskKind::Human => &human::HumanRules,
        TaskKind::Process => &process::SubProcessRules,
        TaskKind::Parallel => &parallel::ParallelRules,
        TaskKind::Gateway | TaskKind::Unknown => &gateway::GatewayRules,
        TaskKind::End | TaskKind::Fail => &terminal::TerminalRules,
    }
}
