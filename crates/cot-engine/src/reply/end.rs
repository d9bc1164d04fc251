//! Where a streamed reply ends, if its task decides that itself.

use std::{
    fmt,
    future::poll_fn,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use cot_model::{BoxFuture, FunctionError};

use crate::values::catch::catch_panic;

/// Decides where a streamed reply ends: the `until` of a task with `read`. Cloning it is cheap.
///
/// A driver that streams a reply [watches](Self::watch) it, and begins again when the stream starts over. When
/// the watcher returns that the reply has ended, the driver ends the call: the reply is the text so far. A driver
/// that does not stream ignores it.
#[derive(Clone)]
pub struct ReplyEnd(Arc<dyn Fn(ReplyChunks) -> BoxFuture<'static, ()> + Send + Sync>);

impl ReplyEnd {
    pub(crate) fn new(
        watch: impl Fn(ReplyChunks) -> BoxFuture<'static, ()> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(watch))
    }

    /// Begins to watch a reply.
    #[must_use]
    pub fn watch(&self) -> ReplyWatcher {
        let chunks = ReplyChunks::default();
        ReplyWatcher { watching: Some((self.0)(chunks.clone())), chunks }
    }
}

impl fmt::Debug for ReplyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplyEnd").finish_non_exhaustive()
    }
}

/// Watches one reply that is streamed.
pub struct ReplyWatcher {
    chunks: ReplyChunks,
    /// Calls the function of the task, which may borrow from copies of the state. `None` after the end.
    watching: Option<BoxFuture<'static, ()>>,
}

impl ReplyWatcher {
    /// Passes on the next chunk. Returns whether the reply ends with it, or has ended before.
    ///
    /// # Errors
    ///
    /// If the function of the task panicked. The driver ends the call, and answers it with
    /// [`Event::Ran`](crate::protocol::event::Event::Ran) and this error.
    pub fn push(&mut self, chunk: &str) -> Result<bool, FunctionError> {
        let Some(watching) = &mut self.watching else { return Ok(true) };
        *self.chunks.lock() = Some(chunk.to_owned());
        // The future waits for nothing but the next chunk.
        let polled =
            catch_panic(|| watching.as_mut().poll(&mut Context::from_waker(Waker::noop())));
        let ended = polled.map(|polled| polled.is_ready());
        if !matches!(ended, Ok(false)) {
            self.watching = None;
        }
        ended.map_err(|payload| FunctionError::from_panic(&*payload))
    }
}

impl fmt::Debug for ReplyWatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_ended = self.watching.is_none();
        f.debug_struct("ReplyWatcher").field("has_ended", &has_ended).finish_non_exhaustive()
    }
}

/// The chunks that a watched reply consists of, one at a time.
#[derive(Debug, Clone, Default)]
pub struct ReplyChunks(Arc<Mutex<Option<String>>>);

impl ReplyChunks {
    /// Waits until a function returns true for a chunk.
    pub fn find(self, mut is_end: impl FnMut(&str) -> bool) -> impl Future<Output = ()> {
        poll_fn(move |_| {
            let chunk = self.lock().take();
            match chunk.is_some_and(|chunk| is_end(&chunk)) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
    }

    // A text is replaced as a whole, so that poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
