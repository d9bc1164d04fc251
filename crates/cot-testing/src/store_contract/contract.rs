//! The contract of stores, as tests.

use cot_store::Store;

use super::{
    answers, blobs, cancels, drafts, journals, leases, lists, processes, queue, spending, summaries,
};

/// Checks that a store implements the contract of [`Store`]. Each call of `open` must return a separate,
/// empty store.
///
/// A store needs its own tests of persistence: that runs survive reopening the store, that a lease ends with
/// its program, that no data is lost in a power failure.
///
/// ```
/// use cot_core::{store::MemoryStore, testing::check_store};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(
/// check_store(async || MemoryStore::default())
/// # );
/// ```
///
/// # Panics
///
/// Panics like a test if the store violates the contract.
pub async fn check_store<S: Store>(open: impl AsyncFn() -> S) {
    journals::exist_from_their_first_entry(&open().await).await;
    journals::keep_the_order(&open().await).await;
    journals::append_all_records_or_none(&open().await).await;
    journals::return_records_unchanged(&open().await).await;
    journals::keep_times_to_the_millisecond(&open().await).await;
    journals::take_big_records(&open().await).await;
    journals::find_full_snapshots(&open().await).await;
    journals::accept_concurrent_appends(&open().await).await;
    journals::return_growing_prompts(&open().await).await;
    journals::are_removed(&open().await).await;

    blobs::are_read_by_their_digest(&open().await).await;
    blobs::belong_to_their_runs(&open().await).await;
    blobs::are_appended_with_their_records(&open().await).await;

    leases::are_given_to_one(&open().await).await;
    leases::are_given_to_one_of_many(&open().await).await;
    leases::have_distinct_epochs(&open().await).await;
    leases::are_renewed(&open().await).await;

    summaries::match_the_journal(&open().await).await;
    summaries::ignore_invalid_costs(&open().await).await;
    summaries::follow_events(&open().await).await;
    summaries::are_filtered(&open().await).await;
    summaries::count_in_milliseconds(&open().await).await;
    summaries::describe_forks(&open().await).await;

    answers::require_an_open_question(&open().await).await;
    answers::fit_the_schema(&open().await).await;
    answers::keep_the_rules_of_their_type(&open().await).await;
    answers::are_returned_and_awaited(&open().await).await;
    answers::are_replaced(&open().await).await;
    answers::are_taken_by_the_event(&open().await).await;

    queue::takes_submissions(&open().await).await;
    queue::refuses_names_that_are_taken(&open().await).await;
    queue::begins_a_submitted_run_once(&open().await).await;
    queue::lists_due_runs(&open().await).await;
    queue::filters_due_runs(&open().await).await;
    queue::keeps_answered_runs_due(&open().await).await;
    queue::sets_runs_aside(&open().await).await;

    lists::are_filtered(&open().await).await;
    lists::are_ordered(&open().await).await;
    lists::have_pages(&open().await).await;
    lists::follow_the_runs(&open().await).await;

    spending::is_summed(&open().await).await;
    spending::is_kept(&open().await).await;
    spending::is_of_appended_records(&open().await).await;

    processes::are_replaced_by_version(&open().await).await;

    cancels::need_a_run_that_has_not_ended(&open().await).await;
    cancels::are_awaited_until_they_are_applied(&open().await).await;
    cancels::make_runs_due(&open().await).await;
    cancels::put_runs_back(&open().await).await;

    drafts::are_gone_with_their_calls(&open().await).await;
    drafts::are_gone_with_their_lease(&open().await).await;
}
