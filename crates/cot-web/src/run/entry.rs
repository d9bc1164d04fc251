//! The whole texts of a call: its prompt, its reply, its result.

use axum::extract::Path;
use cot_engine::{Event, RunEvent};
use cot_store::{EventRecord, Record, StepRecord};
use maud::{Markup, html};

use super::prompt::parts;
use crate::{
    error::PageError,
    frame::{
        number::{bytes, grouped},
        page::{Page, Section},
        text::{beginning, shown},
        time::absolute,
    },
    links::with_query,
    visit::{RunName, Visit},
};

/// The length of a text on one page, in bytes.
const PAGE: usize = 200_000;

/// Shows a text of an entry. The query names it (`part`) and where it begins (`from`).
pub(super) async fn show(
    visit: Visit,
    RunName(run): RunName,
    Path((_, number)): Path<(String, u64)>,
) -> Result<Markup, PageError> {
    visit.require_run(&run).await?;
    let entries = visit.store().entries(&run, number, 1).await?;
    let entry = entries.into_iter().find(|entry| entry.number == number);
    let record = entry.ok_or_else(PageError::not_found)?.record;
    let at = record.at();
    let texts = texts(record);
    let wanted = visit.query().get("part").unwrap_or_default();
    let (name, text) = texts
        .iter()
        .find(|(name, _)| name == wanted)
        .or(texts.last())
        .ok_or_else(PageError::not_found)?;
    let from = visit.query().parsed::<usize>("from").unwrap_or(0).min(text.len());
    let from = (from..=text.len()).find(|from| text.is_char_boundary(*from)).unwrap_or(0);
    let part = beginning(&text[from..], PAGE);
    let after = from + part.len();
    let links = visit.links();
    let next = |from: usize| {
        let address = links.entry(&run, number, name);
        with_query(address, &[]) + &format!("&from={from}")
    };
    let body = html! {
        nav.crumbs aria-label="Path" {
            a href=(links.home()) { "Runs" } " › " a href=(links.run(&run)) { (shown(run.as_str())) }
        }
        div.page-head { h1 { "Entry " (grouped(number)) } span.muted { (absolute(at)) } }
        nav.row aria-label="Texts" {
            @for (other, text) in &texts {
                a.button.button-small href=(links.entry(&run, number, other)) aria-current=[(other == name).then_some("page")] {
                    (shown(other)) " · " (bytes(text.len() as u64))
                }
            }
        }
        section.card aria-labelledby="text-title" {
            h2 #text-title { (shown(name)) }
            pre.block.whole dir="auto" tabindex="0" { (shown(part)) }
            @if from > 0 || after < text.len() {
                div.pager {
                    span.muted { "Bytes " (grouped(from as u64)) "–" (grouped(after as u64)) " of " (grouped(text.len() as u64)) }
                    @if from > 0 { a.button href=(next(from.saturating_sub(PAGE))) { "Before" } }
                    @if after < text.len() { a.button href=(next(after)) { "After" } }
                }
            }
        }
    };
    Ok(Page::new(&visit, &format!("{run}: entry {number}")).section(Section::Runs).body(body))
}

/// Returns the texts of an entry, with their names.
fn texts(record: Record) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    match record {
        Record::Event(EventRecord { asked, event, .. }) => {
            if let Some(prompt) = asked.and_then(|asked| asked.prompt) {
                for (index, part) in parts(&prompt).iter().enumerate() {
                    texts.push((format!("prompt.{index}"), part.text()));
                }
            }
            texts.extend(answers(event));
        }
        Record::Step(StepRecord { notes, .. }) => {
            for note in &notes {
                if let RunEvent::ToolReturned { call, result: Ok(result), .. } = note {
                    texts.push((format!("tool.{call}"), result.clone()));
                }
            }
        }
        _ => {}
    }
    texts
}

fn answers(event: Event) -> Vec<(String, String)> {
    let pretty =
        |value: &serde_json::Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let result = |text: String| vec![("result".to_owned(), text)];
    match event {
        Event::Replied { reply, .. } => {
            let mut texts = Vec::new();
            if !reply.tool_calls.is_empty() {
                let calls = reply
                    .tool_calls
                    .iter()
                    .map(|call| format!("{}({})", call.name, call.arguments));
                texts.push(("calls".to_owned(), calls.collect::<Vec<_>>().join("\n\n")));
            }
            texts.push(("reply".to_owned(), reply.text));
            texts
        }
        Event::Ran { result: Ok(value), .. } => result(pretty(&value)),
        Event::Ran { result: Err(error), .. } => result(error.to_string()),
        Event::Answered { answer, .. } => result(pretty(&answer)),
        Event::Failed { error, .. } => result(error.to_string()),
        _ => Vec::new(),
    }
}
