//! One whole request, with the names of its parts.

use cot_core::{PromptSegments, Stability};

use super::svg::{Picture, columns, wrapped};

const SIZE: f64 = 13.0;
const LINE: f64 = 17.0;
const MARGIN: f64 = 16.0;
const COLUMNS: u16 = 72;

const STYLE: &str = "
.panel { fill: #ffffff; stroke: #d0d7de }
text { font: 13px ui-monospace, Menlo, 'DejaVu Sans Mono', monospace; fill: #1f2328 }
.name { font: bold 12px system-ui, sans-serif; fill: #57606a }
.fixed { fill: #ddf4ff } .per_run { fill: #dafbe1 } .growing { fill: #fff8c5 } .volatile { fill: #ffebe9 }
";

/// Draws a request: its parts, and in colours how stable each piece is.
#[must_use]
pub fn prompt(title: &str, request: &PromptSegments) -> String {
    let width = columns(COLUMNS, SIZE) + 2.0 * MARGIN + 12.0;
    let mut picture = Picture::new(width, STYLE);
    add_legend(&mut picture);
    let mut y = MARGIN + 44.0;
    let mut part = None;
    for segment in request.iter().filter(|segment| !segment.text.trim().is_empty()) {
        if part != Some(segment.part) {
            y += 6.0;
            picture.text((MARGIN, y + SIZE), r#"class="name""#, segment.part.as_str());
            y += LINE + 2.0;
        }
        part = Some(segment.part);
        let lines = segment.text.trim_matches('\n').lines();
        let lines: Vec<_> = lines.flat_map(|line| wrapped(line, usize::from(COLUMNS))).collect();
        let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let height = f64::from(count).mul_add(LINE, 6.0);
        picture.rectangle((MARGIN, y), (width - 2.0 * MARGIN, height), class(segment.stability));
        for line in lines {
            picture.text((MARGIN + 6.0, y + SIZE + 2.0), "", &line);
            y += LINE;
        }
        y += 8.0;
    }
    picture.finish(title, MARGIN)
}

/// Says what the colours mean, in two rows.
fn add_legend(picture: &mut Picture) {
    let meanings = [
        (Stability::Fixed, "the same in every run"),
        (Stability::PerRun, "the same in this run"),
        (Stability::Growing, "only grows"),
        (Stability::Volatile, "may change with every prompt"),
    ];
    let places = [(0.0, 0.0), (240.0, 0.0), (0.0, 22.0), (240.0, 22.0)];
    for ((stability, meaning), (x, y)) in meanings.into_iter().zip(places) {
        picture.rectangle((MARGIN + x, MARGIN + y), (26.0, 16.0), class(stability));
        picture.text((MARGIN + x + 34.0, MARGIN + y + SIZE), r#"class="name""#, meaning);
    }
}

const fn class(stability: Stability) -> &'static str {
    match stability {
        Stability::Fixed => "fixed",
        Stability::PerRun => "per_run",
        Stability::Growing => "growing",
        Stability::Volatile => "volatile",
    }
}
