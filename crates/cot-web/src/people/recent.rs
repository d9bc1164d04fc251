//! The forms that were posted last, so that one that is posted twice is known.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, PoisonError},
};

use cot_store::RunId;

use crate::{fields::Fields, frame::form::CSRF_FIELD};

/// The forms whose answers were stored last, by the runs that were answered. Clones share them.
#[derive(Clone, Default)]
pub(super) struct RecentForms(Arc<Mutex<VecDeque<u64>>>);

/// The number of answers that are remembered: some forms with the most questions that one can have.
const LIMIT: usize = 5_000;

impl RecentForms {
    /// Remembers a form whose answer is about to be stored.
    pub(super) fn add(&self, form: u64) {
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if forms.len() == LIMIT {
            forms.pop_front();
        }
        forms.push_back(form);
    }

    /// Forgets a form whose answer could not be stored.
    pub(super) fn remove(&self, form: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| *known != form);
    }

    /// Returns whether the answer of this form was stored.
    pub(super) fn contains(&self, form: u64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&form)
    }
}

/// Returns the hash of a form.
pub(super) fn hash(fields: &Fields) -> u64 {
    let mut hasher = DefaultHasher::new();
    for pair in fields.iter().filter(|(name, _)| *name != CSRF_FIELD) {
        pair.hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns the hash of a form with this hash and a run that it answers.
pub(super) fn hash_for(form: u64, run: &RunId) -> u64 {
    let mut hasher = DefaultHasher::new();
    (form, run.as_str()).hash(&mut hasher);
    hasher.finish()
}
