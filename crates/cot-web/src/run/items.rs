//! The items of a for-each task.

use std::collections::BTreeMap;

use cot_store::{AttemptHistory, StepHistory};
use maud::{Markup, html};

use super::{attempt::attempt, place::Place};

/// The number of items whose attempts are shown.
const MAX_ITEMS: usize = 100;

/// A bar of the items that are done, failed and open, and the attempts of each.
pub(super) fn items(step: &StepHistory, place: &Place<'_>) -> Markup {
    let mut of_items: BTreeMap<usize, Vec<&AttemptHistory>> = BTreeMap::new();
    let done = step.items_done.iter().chain(&step.items_failed);
    let nested = step.nested.iter().filter_map(|step| step.item);
    for item in done.copied().chain(nested) {
        of_items.entry(item).or_default();
    }
    for attempt in &step.attempts {
        of_items.entry(attempt.item.unwrap_or_default()).or_default().push(attempt);
    }
    let (done, failed) = (step.items_done.len(), step.items_failed.len());
    let open = of_items.len().saturating_sub(done + failed);
    html! {
        div.items {
            (bar(done, failed, open))
            p.small {
                (done) " done, " (failed) " failed"
                @if open > 0 { ", " (open) " open" }
            }
            @if of_items.values().any(|attempts| !attempts.is_empty()) {
                details.fold id=(format!("{}-items", place.id)) open[failed > 0 && of_items.len() <= 8] {
                    summary { "Items" }
                    div.stack {
                        @for (item, attempts) in of_items.iter().filter(|(_, attempts)| !attempts.is_empty()).take(MAX_ITEMS) {
                            @let is_failed = step.items_failed.contains(item);
                            details.fold id=(format!("{}-item-{item}", place.id)) open[is_failed && of_items.len() <= 8] {
                                summary {
                                    "Item " (item) " · "
                                    @if is_failed { span.bad { "failed" } }
                                    @else if step.items_done.contains(item) { "done" }
                                    @else { "open" }
                                    @if attempts.len() > 1 { " · " (attempts.len()) " attempts" }
                                }
                                div.stack {
                                    @for (index, shown) in attempts.iter().enumerate() {
                                        (attempt(shown, index.checked_sub(1).map(|before| attempts[before]), place))
                                    }
                                }
                            }
                        }
                        @if of_items.len() > MAX_ITEMS { p.muted { (of_items.len() - MAX_ITEMS) " more items are not shown." } }
                    }
                }
            }
        }
    }
}

fn bar(done: usize, failed: usize, open: usize) -> Markup {
    let all = (done + failed + open).max(1);
    let (good, bad) = (done * 1000 / all, failed * 1000 / all);
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" role="img"
            aria-label=(format!("{done} of {all} items done, {failed} failed")) {
            rect.bar-open width="1000" height="10" {}
            rect.bar-good width=(good) height="10" {}
            rect.bar-bad x=(good) width=(bad) height="10" {}
        }
    }
}
