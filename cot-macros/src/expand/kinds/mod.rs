//! The kinds of tasks: a file for each.

use cot_syntax::TaskKind;
use expansion::KindExpansion;

mod ai;
mod code;
mod each;
mod end;
pub(super) mod expansion;
mod fail;
mod gateway;
mod human;
pub(super) mod process;
mod unknown;

/// The expansion of each kind: the one place of the expansion where kinds are told apart.
pub(super) const fn expansion_of(kind: TaskKind) -> &'static dyn KindExpansion {
    match kind {
        TaskKind::Ai => &ai::AiExpansion,
        TaskKind::Each => &each::EachExpansion,
        TaskKind::Code => &code::CodeExpansion,
        TaskKind::Human => &human::HumanExpansion,
        TaskKind::Process => &process::SubProcessExpansion,
        TaskKind::Gateway => &gateway::GatewayExpansion,
        TaskKind::End => &end::EndExpansion,
        TaskKind::Fail => &fail::FailExpansion,
        TaskKind::Unknown => &unknown::UnknownExpansion,
    }
}
