//! Variants in plots and tables: a number in a ring, which does not depend on its colour.

use cot_eval::TrialResult;
use maud::{Markup, html};

use crate::frame::text::shown;

/// The number of colours. Further variants share the last one.
const COLOURS: usize = 8;

/// The number of tags of a case that are shown.
const MAX_TAGS: usize = 20;

/// Returns the class of the colour of a variant.
pub(super) fn colour(variant: usize) -> String {
    format!("series-{}", variant.min(COLOURS - 1) + 1)
}

/// The ring of a variant in a plot.
pub(super) fn ring(variant: usize, (x, y): (f64, f64)) -> Markup {
    html! {
        circle class=(format!("ring {}", colour(variant))) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="8" {}
        text.ring-number x=(format!("{x:.1}")) y=(format!("{y:.1}")) text-anchor="middle" dominant-baseline="central" {
            (variant + 1)
        }
    }
}

/// The name of a variant with its ring.
pub(super) fn name(variants: &[String], variant: usize) -> Markup {
    html! {
        span.variant {
            svg.variant-mark viewBox="0 0 20 20" aria-hidden="true" { (ring(variant, (10.0, 10.0))) }
            span { (shown(&variants[variant])) }
        }
    }
}

/// The tags of a case, which all of its trials have.
pub(super) fn tags(trials: &[&TrialResult]) -> Markup {
    let tags = trials.first().map_or(&[][..], |trial| &trial.tags);
    html! {
        @if !tags.is_empty() {
            span.sub.row {
                @for tag in tags.iter().take(MAX_TAGS) { span.tag { (shown(tag)) } }
                @if tags.len() > MAX_TAGS { span.muted { "and " (tags.len() - MAX_TAGS) " more" } }
            }
        }
    }
}
