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
        TaskKind::Ai => &ai::Ai,
        TaskKind::Each => &each::Each,
        TaskKind::Code => &code::Code,
        TaskKind::Human => &human::Human,
        TaskKind::Process => &process::SubProcess,
        TaskKind::Gateway => &gateway::Gateway,
        TaskKind::End => &end::End,
        TaskKind::Fail => &fail::Fail,
        TaskKind::Unknown => &unknown::Unknown,
    }
}
