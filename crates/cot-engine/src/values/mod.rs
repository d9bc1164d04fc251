//! The values of a run: inputs, outcomes, budgets, history, errors.

pub(crate) mod branch_history;
pub(crate) mod budget;
pub(crate) mod catch;
mod halt_reason;
pub(crate) mod history;
pub(crate) mod inputs;
pub(crate) mod item_error;
pub(crate) mod outcome;
pub(crate) mod panicked;
pub(crate) mod update_error;
