//! The frame of a page.

use axum::response::{IntoResponse, Redirect, Response};
use maud::{DOCTYPE, Markup, html};

use super::{
    flash::flash,
    form::post_button,
    pill::{Tone, pill_about},
    text::shown,
};
use crate::{
    assets::serve::{ICON, SCRIPT, STYLE},
    visit::Visit,
};

/// The sections of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Errors and the login page.
    None,
    /// The table, a run, a comparison.
    Runs,
    /// What waits for people.
    People,
    /// What runs cost.
    Costs,
    /// Reports of evals.
    Evals,
    /// The form that submits a run.
    Start,
}

/// A page: its title, its place in the navigation, and its events.
#[derive(Clone)]
pub(crate) struct Page<'a> {
    visit: &'a Visit,
    title: String,
    section: Section,
    live: Option<String>,
}

impl<'a> Page<'a> {
    /// Creates a page with a title for the window.
    pub(crate) fn new(visit: &'a Visit, title: &str) -> Self {
        Self { visit, title: shown(title).into_owned(), section: Section::None, live: None }
    }

    /// Sets the section that is marked in the navigation.
    pub(crate) const fn section(mut self, section: Section) -> Self {
        self.section = section;
        self
    }

    /// Sets the address of the events that make the script load the page again.
    pub(crate) fn live(mut self, address: String) -> Self {
        self.live = Some(address);
        self
    }

    /// Renders the page with its content, which has one `h1`.
    pub(crate) fn body(self, body: Markup) -> Markup {
        let Self { visit, title, section: _, live } = &self;
        let links = visit.links();
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) " · cot" }
                    link rel="icon" type="image/svg+xml" href=(links.asset(ICON.address()));
                    link rel="stylesheet" href=(links.asset(STYLE.address()));
                    script src=(links.asset(SCRIPT.address())) defer {}
                }
                body {
                    a.skip href="#main" { "Skip to content" }
                    (self.header())
                    p.banner #banner role="status" hidden {}
                    main #main tabindex="-1" data-live-address=[live.as_deref()] { (flash(visit)) (body) }
                    footer.bottom {
                        @if let Some(name) = visit.visitor().and(visit.state.store_name()) { span.mono { (shown(name)) } }
                        span { "Times are relative; hover for UTC." }
                    }
                }
            }
        }
    }

    fn header(&self) -> Markup {
        let visit = self.visit;
        let links = visit.links();
        let entries = [
            (Section::Runs, links.home(), "Runs"),
            (Section::People, links.people(), "People"),
            (Section::Costs, links.costs(), "Costs"),
            (Section::Evals, links.evals(), "Evals"),
            (Section::Start, links.start(), "Start a run"),
        ];
        let entries = entries.iter().filter(|(section, ..)| match section {
            Section::Start => !visit.is_read_only(),
            Section::Evals => visit.state.reports().is_some(),
            _ => true,
        });
        html! {
            header.top {
                a.brand href=(links.home()) { "cot" }
                @if let Some(visitor) = visit.visitor() {
                    nav.sections aria-label="Sections" {
                        @for (section, address, text) in entries {
                            a href=(address) aria-current=[(*section == self.section).then_some("page")] { (text) }
                        }
                    }
                    div.session {
                        span.live-mark #live-mark hidden { "live" }
                        @if visit.is_read_only() {
                            (pill_about(Tone::Plain, "read-only", "Nothing can be changed through this page."))
                        }
                        @if let Some(name) = &visitor.name { span.muted { (shown(name)) } }
                        @if visitor.session.is_some() {
                            (post_button(visit, &links.logout(), "Sign out", "button button-quiet", None))
                        }
                    }
                }
            }
        }
    }
}

/// Redirects a form that was posted to a page (303): loading that page again posts nothing.
pub(crate) fn see_other(address: &str) -> Response {
    Redirect::to(address).into_response()
}
