//! The error of tasks with `effect: transaction`.

/// Why there are no transactions without a store.
pub(crate) const NO_STORE: &str = "the runner has no store";

/// The error that the functions of tasks with `effect: transaction` can't be called. Nothing was called.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransactionsError {
    /// There is no store, or one that has no transactions for functions.
    #[error(
        "{} {} called in a transaction of the store of the run, and {reason}: use a store in the database that the \
         function writes to, such as `SqliteStore` or `PgStore`, or a mock",
        named(.tasks), if .tasks.len() == 1 { "is" } else { "are" }
    )]
    None {
        /// The tasks, including those of sub-processes.
        tasks: Vec<&'static str>,
        /// What there is instead.
        reason: &'static str,
    },
    /// A function takes another connection than the store has.
    #[error(
        "the function of task `{task}` takes a `&mut {taken}`, and the connection of the store is `{connection}`"
    )]
    OtherConnection {
        /// The task.
        task: &'static str,
        /// The type that it takes.
        taken: &'static str,
        /// The type that the store has.
        connection: &'static str,
    },
}

cot_schema::debug_as_sentence!(TransactionsError);

fn named(tasks: &[&str]) -> String {
    let quoted: Vec<String> = tasks.iter().map(|task| format!("task `{task}`")).collect();
    quoted.join(", ")
}
