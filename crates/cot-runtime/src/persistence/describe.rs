//! Stores the description of the process of a runner, so that other programs can show it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use cot_description::Description;
use cot_engine::internal::ProcessOutline;
use cot_model::BoxFuture;
use cot_store::{ProcessDescription, Store, StoreError};

/// Whether a runner has stored the description of its process; its clones share it.
pub(crate) type IsDescribed = Arc<AtomicBool>;

/// Returns the future that stores the description of a process, unless the store has this version; `None` if the
/// runner has done so.
///
/// An error is ignored, since runs don't depend on it. It is tried again with the next run.
pub(crate) fn describe_once(
    process: &'static dyn ProcessOutline,
    store: &Arc<dyn Store>,
    is_described: &IsDescribed,
) -> Option<BoxFuture<'static, ()>> {
    if is_described.swap(true, Ordering::AcqRel) {
        return None;
    }
    let (store, is_described) = (Arc::clone(store), Arc::clone(is_described));
    Some(Box::pin(async move {
        if describe(process, &*store).await.is_err() {
            is_described.store(false, Ordering::Release);
        }
    }))
}

async fn describe(
    process: &'static dyn ProcessOutline,
    store: &dyn Store,
) -> Result<(), StoreError> {
    let name = process.definition().about.name;
    let manifest = Description::from_outline(process).manifest();
    let version = manifest["version"].as_str().unwrap_or_default().to_owned();
    match store.process(name).await? {
        Some(stored) if stored.version == version => Ok(()),
        _ => store.put_process(&ProcessDescription::new(name, version, manifest)).await,
    }
}
