//! What any store has to do, as tests.

use cot_store::Store;

use super::{answers, journals, leases, summaries};

/// Checks that a store keeps the contract of the trait [`Store`]. Each call of `open` gives a store of its
/// own, without runs.
///
/// What a store alone can know is left to its own tests: that runs are there after it was opened again, that
/// a lease ends with its program, that nothing is lost when the power is.
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
/// As a test does, when the store does anything else.
pub async fn check_store<S: Store>(open: impl AsyncFn() -> S) {
    journals::begin_with_their_beginning(&open().await).await;
    journals::keep_the_order(&open().await).await;
    journals::take_all_records_or_none(&open().await).await;
    journals::give_back_what_they_were_given(&open().await).await;
    journals::keep_times_to_the_millisecond(&open().await).await;
    journals::take_big_records(&open().await).await;
    journals::know_where_they_can_be_read_from(&open().await).await;
    journals::grow_at_the_same_time(&open().await).await;
    journals::are_forgotten(&open().await).await;

    leases::are_given_to_one(&open().await).await;
    leases::are_given_to_one_of_many(&open().await).await;
    leases::have_another_epoch_each_time(&open().await).await;

    summaries::say_what_the_journal_says(&open().await).await;
    summaries::count_costs_that_are_none_as_nothing(&open().await).await;
    summaries::follow_events(&open().await).await;
    summaries::are_filtered(&open().await).await;
    summaries::count_in_milliseconds(&open().await).await;
    summaries::tell_of_forks(&open().await).await;

    answers::are_for_what_is_asked(&open().await).await;
    answers::fit_the_schema(&open().await).await;
    answers::are_found_and_waited_for(&open().await).await;
    answers::are_replaced(&open().await).await;
    answers::are_taken_by_the_event(&open().await).await;
}
