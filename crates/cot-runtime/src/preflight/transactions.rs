//! The check of tasks with `effect: transaction` against the store.

use cot_engine::{
    Effect, MockMode,
    internal::{ProcessOutline, TaskDefinition},
};
use cot_store::TransactionSupport;

use crate::preflight::{checked_tasks::CheckedTasks, transactions_error::TransactionsError};

/// Checks that the tasks of a process and its sub-processes with `effect: transaction` that are not mocked can be called;
/// for a task that runs alone, this task. `support` is what the store offers, or why there is nothing.
pub(crate) fn check_transactions(
    process: &'static dyn ProcessOutline,
    alone: Option<&'static TaskDefinition>,
    mock_mode: Option<&MockMode>,
    support: Result<TransactionSupport, &'static str>,
) -> Result<(), TransactionsError> {
    let (mut tasks, mut other) = (Vec::new(), None);
    let is_meant = |task: &TaskDefinition| task.kind.effect() == Effect::Transaction;
    CheckedTasks::new(process, alone, mock_mode).for_each_of(is_meant, |process, index, task| {
        let taken = process.task(index).and_then(|task| task.connection);
        let task = task.about.name;
        if !tasks.contains(&task) {
            tasks.push(task);
        }
        if let (Ok(support), Some(taken)) = (support, taken)
            && support.connection != taken
        {
            let (taken, connection) = (taken.name(), support.connection.name());
            other = Some(TransactionsError::OtherConnection { task, taken, connection });
        }
    });
    match support {
        Err(reason) if !tasks.is_empty() => Err(TransactionsError::None { tasks, reason }),
        _ => other.map_or(Ok(()), Err),
    }
}
