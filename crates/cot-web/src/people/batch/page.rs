//! The form with the questions of a task, and the fields of one answer.

use maud::{Markup, html};

use super::{
    group::Group,
    selection::{ALL, FIELD, Listing, MAX_AT_ONCE, NONE, Selection, value},
};
use crate::{
    frame::{
        form::{Field, form, input},
        number::count,
        page::{Page, Section},
        text::{excerpt, shown},
        time::relative,
    },
    people::{
        controls::{Texts, controls, enter_button},
        form::{entered::Entered, form::FormIssues},
        inbox::{self, QUESTION},
        question::OpenQuestion,
    },
    visit::Visit,
};

/// What the form shows.
#[derive(Default)]
pub(super) struct Filled {
    pub(super) selection: Selection,
    pub(super) entered: Entered,
    pub(super) issues: FormIssues,
    /// What is wrong with the selection.
    pub(super) problem: Option<String>,
}

const TEXTS: Texts =
    Texts { issues: "The answer is not complete yet", send: "Answer the selected questions" };

/// Renders the page of a group.
pub(super) fn page(visit: &Visit, group: &Group, listing: &Listing, filled: &Filled) -> Markup {
    let search = visit.query().filled("q");
    let body = html! {
        p.crumbs { a href=(visit.links().people()) { "People" } " › " (shown(&group.process)) " › " (shown(&group.task)) }
        h1 { "Answer several questions" }
        @if search.is_some() || listing.runs.len() > 5 { (search_form(visit, group)) }
        @match listing.questions().next() {
            None => (nothing(visit, search.is_some())),
            Some(first) if visit.is_read_only() => {
                p { "This page is read-only: questions can't be answered here." }
                (questions(visit, listing, filled, shared_text(listing, &first)))
            }
            Some(first) => {
                @let shared = shared_text(listing, &first);
                @if let Some(text) = shared {
                    section.card.question aria-label="The question" { p.prose dir="auto" { (shown(text)) } }
                }
                section #answers data-fields aria-label="Questions and answer" {
                    (form(visit, &group.address(visit.links(), search), html! {
                        (enter_button())
                        div.columns.batch {
                            (questions(visit, listing, filled, shared))
                            div.card {
                                h2 { "The answer to each of them" }
                                (controls(first.schema, &filled.entered, &filled.issues, TEXTS))
                            }
                        }
                    }))
                }
            }
        }
    };
    Page::new(visit, "Answer several questions").section(Section::People).body(body)
}

/// Returns the text of the questions, if it is the same for all of them.
fn shared_text<'l>(listing: &Listing, first: &OpenQuestion<'l>) -> Option<&'l str> {
    listing.questions().all(|question| question.text == first.text).then_some(first.text)
}

fn search_form(visit: &Visit, group: &Group) -> Markup {
    let search = visit.query().filled("q").unwrap_or_default();
    html! {
        form.filters method="get" action=(visit.links().answers()) role="search" {
            @for (name, value) in group.query() { input type="hidden" name=(name) value=(value); }
            (Field::new("q", "Search").control(|attributes| input(attributes, "q", "search", search)))
            button.button type="submit" { "Search" }
        }
    }
}

fn nothing(visit: &Visit, is_filtered: bool) -> Markup {
    html! {
        div.card.empty {
            @if is_filtered { p { "No question matches." } }
            @else { p.lead { "No question of this task waits for an answer." } }
            p { a.button href=(visit.links().people()) { "What waits for people" } }
        }
    }
}

fn questions(visit: &Visit, listing: &Listing, filled: &Filled, shared: Option<&str>) -> Markup {
    let number = u64::try_from(listing.runs.len()).unwrap_or(u64::MAX);
    html! {
        fieldset.card.group.field-invalid[filled.problem.is_some()] #questions tabindex="-1"
            aria-describedby=[filled.problem.is_some().then_some("questions-issues")] {
            legend.field-label { (count(number, "question", "questions")) }
            @if let Some(problem) = &filled.problem {
                ul.field-issues #questions-issues { li { (problem) } }
            }
            @if listing.is_cut {
                p.field-hint {
                    "The task has more than " (MAX_AT_ONCE) " questions, of which these are the most urgent. The others follow once these are answered."
                }
            }
            @if !visit.is_read_only() {
                div.row {
                    @for (value, text) in [(ALL, "Select all"), (NONE, "Select none")] {
                        button.button.button-small type="submit" name="do" value=(value) formnovalidate formaction="#questions" { (text) }
                    }
                }
            }
            ul.plain.picks { @for question in listing.questions() { (pick(visit, &question, filled, shared.is_some())) } }
        }
    }
}

fn pick(visit: &Visit, question: &OpenQuestion<'_>, filled: &Filled, is_shared: bool) -> Markup {
    let OpenQuestion { run, text, since, until, .. } = question;
    html! {
        li {
            label.choice {
                input type="checkbox" name=(FIELD) value=(value(question)) checked[filled.selection.contains(question)];
                span {
                    span.mono { (shown(run.run.as_str())) }
                    @if !is_shared { span.choice-about dir="auto" { (excerpt(text, QUESTION)) } }
                }
            }
            div.row.small.muted {
                span { "asked " (relative(*since, visit.now())) }
                @if until.is_some() { span { "ends " (inbox::deadline(*until, visit.now())) } }
                (inbox::pills(question))
                a href=(visit.links().answer(&run.run)) aria-label=(format!("answer alone: {}", run.run)) { "answer alone" }
            }
        }
    }
}
