//! The passages of sources in which the values of an output stand.

use std::collections::BTreeMap;

use cot_reader::Passage;
use cot_store::StepHistory;
use maud::{Markup, html};

use super::{
    marks::{Mark, marked},
    place::Place,
};
use crate::frame::text::shown;

/// The number of passages that are shown.
const MAX_PASSAGES: usize = 200;

/// A part of a source with its passages.
struct Part<'p> {
    start: usize,
    text: String,
    passages: Vec<(usize, &'p Passage)>,
}

/// The sources of a step with their passages marked, and the list of the values.
pub(super) fn passages(step: &StepHistory, place: &Place<'_>) -> Markup {
    let count = step.found.iter().map(|found| found.passages.len()).sum::<usize>();
    html! {
        @if count > 0 {
            details.fold id=(format!("{}-found", place.id)) {
                summary { "Found in the sources: " (count) }
                div.stack {
                    @for found in &step.found {
                        @for (source, parts) in sources(&found.passages) {
                            div {
                                h4 { code { (shown(source)) } @if let Some(item) = found.item { " of item " (item) } }
                                @for part in &parts { (shown_part(part)) }
                            }
                        }
                    }
                    @if count > MAX_PASSAGES { p.muted { "Of each output the first " (MAX_PASSAGES) " values are shown." } }
                }
            }
        }
    }
}

fn shown_part(part: &Part<'_>) -> Markup {
    let marks = part.passages.iter().map(|(number, passage)| Mark {
        place: passage.range.start.saturating_sub(part.start)
            ..passage.range.end.saturating_sub(part.start),
        class: "mark-found",
        number: *number,
        note: passage.path.clone(),
    });
    html! {
        pre.block dir="auto" tabindex="0" { (marked(&part.text, &marks.collect::<Vec<_>>())) }
        ul.notes aria-label="Values" {
            @for (number, passage) in &part.passages { li { (number) " " code { (shown(&passage.path)) } } }
        }
    }
}

/// Returns the parts of each source. Excerpts that overlap are one part.
fn sources(passages: &[Passage]) -> BTreeMap<&str, Vec<Part<'_>>> {
    let mut sorted: Vec<_> = passages.iter().take(MAX_PASSAGES).enumerate().collect();
    sorted.sort_by_key(|(_, passage)| passage.excerpt_start);
    let mut sources: BTreeMap<&str, Vec<Part<'_>>> = BTreeMap::new();
    for (index, passage) in sorted {
        let parts = sources.entry(&passage.source).or_default();
        let start = passage.excerpt_start;
        let end = |part: &Part<'_>| part.start.saturating_add(part.text.len());
        let last = parts.last_mut().filter(|part| start <= end(part));
        let numbered = (index + 1, passage);
        match last {
            Some(part) => {
                let known = end(part) - start;
                part.text.push_str(passage.excerpt.get(known..).unwrap_or_default());
                part.passages.push(numbered);
            }
            None => {
                let text = passage.excerpt.clone();
                parts.push(Part { start, text, passages: vec![numbered] });
            }
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(path: &str, source: &str, range: std::ops::Range<usize>, start: usize) -> Passage {
        let text = "Ann <b>wants</b> 3 chairs and 4 tables";
        Passage {
            path: path.to_owned(),
            source: source.to_owned(),
            range,
            excerpt: text[start..].to_owned(),
            excerpt_start: start,
        }
    }

    #[test]
    fn excerpts_that_overlap_are_one_text() {
        let mut first = passage("$.name", "state.mail", 0..3, 0);
        first.excerpt.truncate(10);
        let all =
            [passage("$.count", "state.mail", 17..18, 4), first, passage("$.a", "b", 7..12, 7)];
        let sources = sources(&all);
        assert_eq!(sources.len(), 2);
        let [part] = &sources["state.mail"][..] else { panic!("one part") };
        assert_eq!(part.text, "Ann <b>wants</b> 3 chairs and 4 tables");
        let html = shown_part(part).into_string();
        let marks = "<mark class=\"mark-found\" title=\"$.name\">Ann</mark><sup class=\"mark-number\">2</sup> &lt;b&gt;";
        assert!(html.contains(marks), "{html}");
        assert!(html.contains("<mark class=\"mark-found\" title=\"$.count\">3</mark>"), "{html}");
    }
}
