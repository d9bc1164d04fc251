//! Parts of charts and of bars in tables.

use maud::{Markup, html};

/// Returns the next round number: 1, 2, 4, 6, 8 or 10 times a power of ten.
pub(crate) fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 0.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0];
    steps.iter().map(|step| step * power).find(|rounded| *rounded >= value).unwrap_or(value)
}

/// A bar of a share in percent, beside its number.
pub(crate) fn share(percent: f64, class: &str) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect.bar-back width="100" height="8" {}
            rect class=(class) width=(format!("{:.1}", percent.clamp(0.0, 100.0))) height="8" {}
        }
    }
}

/// Returns a share in percent; 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "a share is not that exact")]
pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// Formats a share.
pub(crate) fn percent_text(share: f64) -> String {
    match share {
        share if share <= 0.0 => "0 %".to_owned(),
        share if share < 1.0 => "< 1 %".to_owned(),
        share => format!("{share:.0} %"),
    }
}
