//! Functions without a runtime.

use std::task::{Context, Poll, Waker};

use cot_model::BoxFuture;

/// How often a function is asked whether it is done. Some say *not yet* though nothing has to happen.
const MAX_POLLS: usize = 1000;

/// What a future gives; `None` if it waits for something outside.
pub(super) fn to_the_end<T>(mut future: BoxFuture<'_, T>) -> Option<T> {
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
        assert_eq!(to_the_end(Box::pin(slow)), Some(11));
        assert_eq!(to_the_end(Box::pin(future::pending::<()>())), None);
    }
}
