//! The beginnings of replies that are being received, as the store shows them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cot_engine::{CallId, CallKey};
use cot_model::Delta;
use cot_store::Draft;

/// The replies of a run that are being received.
#[derive(Clone, Default)]
pub(crate) struct DraftBoard(Arc<Mutex<Vec<BoardEntry>>>);

/// A reply that is being received, or has just ended.
struct BoardEntry {
    id: CallId,
    draft: Draft,
    /// Whether it has changed since it was taken.
    is_changed: bool,
    /// Whether it was ever taken.
    is_taken: bool,
    has_ended: bool,
}

/// The draft of one reply. Dropping it ends the draft.
pub(crate) struct OpenDraft {
    board: DraftBoard,
    id: CallId,
}

impl DraftBoard {
    /// Begins the draft of a call.
    pub(super) fn begin(&self, id: CallId, key: CallKey) -> OpenDraft {
        let draft = Draft::new(key, "", "");
        let entry = BoardEntry { id, draft, is_changed: false, is_taken: false, has_ended: false };
        self.lock().push(entry);
        OpenDraft { board: self.clone(), id }
    }

    /// Adds a chunk to the draft of a call, unless the draft has ended.
    pub(super) fn push(&self, id: CallId, delta: Delta<'_>) {
        let mut entries = self.lock();
        let is_open = |entry: &&mut BoardEntry| entry.id == id && !entry.has_ended;
        let Some(entry) = entries.iter_mut().find(is_open) else { return };
        entry.is_changed = true;
        match delta {
            Delta::Text(text) => entry.draft.text.push_str(text),
            Delta::Thought(thought) => entry.draft.thought.push_str(thought),
            Delta::Restart => {
                entry.draft.text.clear();
                entry.draft.thought.clear();
            }
        }
    }

    /// Takes the drafts that have changed, and an empty one for each that was taken and has ended since.
    pub(crate) fn take_changed(&self) -> Vec<Draft> {
        let mut changed = Vec::new();
        self.lock().retain_mut(|entry| {
            if entry.has_ended {
                changed.push(Draft::new(entry.draft.key.clone(), "", ""));
            } else if entry.is_changed {
                (entry.is_changed, entry.is_taken) = (false, true);
                changed.push(entry.draft.clone());
            }
            !entry.has_ended
        });
        changed
    }

    // A thread that panicked with the lock can't leave the data inconsistent.
    fn lock(&self) -> MutexGuard<'_, Vec<BoardEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenDraft {
    pub(super) const fn id(&self) -> CallId {
        self.id
    }
}

impl Drop for OpenDraft {
    fn drop(&mut self) {
        self.board.lock().retain_mut(|entry| {
            entry.has_ended |= entry.id == self.id;
            // The store knows nothing of a draft that was never taken.
            !entry.has_ended || entry.is_taken
        });
    }
}
