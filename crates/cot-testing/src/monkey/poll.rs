//! Executes futures without a runtime.

use std::task::{Context, Poll, Waker};

use cot_model::BoxFuture;

/// The maximum number of polls. Some futures are pending once without waiting for anything.
const MAX_POLLS: usize = 1000;

/// Polls a future to completion; `None` if it waits for an external event.
pub(super) fn poll_to_completion<T>(mut future: BoxFuture<'_, T>) -> Option<T> {
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..MAX_POLLS {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::future;

    use super::*;

    #[test]
    fn futures_that_wait_for_nothing_come_to_their_end() {
        let mut polls = 0;
        let slow = future::poll_fn(move |_| {
            polls += 1;
            if polls > 10 { Poll::Ready(polls) } else { Poll::Pending }
        });
        assert_eq!(poll_to_completion(Box::pin(slow)), Some(11));
        assert_eq!(poll_to_completion(Box::pin(future::pending::<()>())), None);
    }
}
