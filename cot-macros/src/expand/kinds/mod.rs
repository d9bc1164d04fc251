//! The expansion of each kind of task, one kind per file.

use cot_syntax::TaskKind;
use expansion::KindExpansion;

mod ai;
mod calls;
mod code;
mod each;
mod each_code;
mod each_process;
mod end;
pub(super) mod expansion;
mod fail;
mod gateway;
mod human;
mod parallel;
pub(super) mod process;
pub(in crate::expand) mod reading;
mod unknown;

/// Returns the expansion of a kind.
pub(super) const fn expansion_of(kind: TaskKind) -> &'static dyn KindExpansion {
    match kind {
        TaskKind::Ai => &ai::AiExpansion,
        TaskKind::Each => &each::EachExpansion,
        TaskKind::EachCode => &each_code::EachCodeExpansion,
        TaskKind::EachProcess => &each_process::EachProcessExpansion,
        TaskKind::Code => &code::CodeExpansion,
        TaskKind::Calls => &calls::CallsExpansion,
        TaskKind::Human => &human::HumanExpansion,
        TaskKind::Process => &process::SubProcessExpansion,
        TaskKind::Parallel => &parallel::ParallelExpansion,
        TaskKind::Gateway => &gateway::GatewayExpansion,
        TaskKind::End => &end::EndExpansion,
        TaskKind::Fail => &fail::FailExpansion,
        TaskKind::Unknown => &unknown::UnknownExpansion,
    }
}
