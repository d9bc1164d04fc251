//! Errors as pages: what happened, and what to do.

use std::{error::Error, fmt::Write, sync::Arc};

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use cot_store::StoreError;
use maud::{Markup, html};

use crate::frame::text::shown;

/// An error as a page. The guard writes it into the frame of the site.
#[derive(Debug, Clone)]
pub(crate) struct PageError(Arc<Problem>);

#[derive(Debug, Clone)]
struct Problem {
    status: StatusCode,
    title: String,
    /// What happened, in one or two sentences.
    message: String,
    /// The sources of the error, from the outermost.
    details: Vec<String>,
    /// What to do.
    advice: Vec<Advice>,
}

#[derive(Debug, Clone)]
enum Advice {
    Text(String),
    Command(String),
    Link { address: String, text: String },
}

impl PageError {
    /// Creates an error page with a status, a title, and what happened.
    pub(crate) fn new(
        status: StatusCode,
        title: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let (title, message) = (title.into(), message.into());
        Self(Arc::new(Problem { status, title, message, details: Vec::new(), advice: Vec::new() }))
    }

    /// There is no such page.
    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "No such page", "There is no page at this address.")
    }

    /// The request is wrong.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "This request is wrong", message)
    }

    /// The state of the run does not allow the operation (any more).
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "This is no longer possible", message)
    }

    /// The request is not allowed.
    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "Not allowed", message)
    }

    /// A mistake of this library.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "The page failed", message)
            .advice("This is an error of the page, not of the run. Other pages still work.")
    }

    /// Adds a sentence that says what to do.
    pub(crate) fn advice(self, text: impl Into<String>) -> Self {
        self.with(|problem| problem.advice.push(Advice::Text(text.into())))
    }

    /// Adds a command that helps.
    pub(crate) fn command(self, command: impl Into<String>) -> Self {
        self.with(|problem| problem.advice.push(Advice::Command(command.into())))
    }

    /// Adds a link to a page that helps.
    pub(crate) fn link(self, address: impl Into<String>, text: impl Into<String>) -> Self {
        let link = Advice::Link { address: address.into(), text: text.into() };
        self.with(|problem| problem.advice.push(link))
    }

    /// Adds the sources of an error.
    pub(crate) fn sources(self, error: &(dyn Error + 'static)) -> Self {
        self.with(|problem| problem.details.extend(sources(error)))
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.0.status
    }

    pub(crate) fn title(&self) -> &str {
        &self.0.title
    }

    /// Returns what happened, with its sources, on one line.
    pub(crate) fn line(&self) -> String {
        let mut line = self.0.message.clone();
        for source in &self.0.details {
            _ = write!(line, ": {source}");
        }
        line
    }

    /// Returns the body of the page. It can stand in another page as well.
    pub(crate) fn body(&self) -> Markup {
        let Problem { status, title, message, details, advice } = &*self.0;
        html! {
            section.notice.notice-error.error-page role="alert" {
                p.eyebrow { "Error " (status.as_u16()) }
                h1 { (title) }
                p { (shown(message)) }
                @for detail in details {
                    p.error-source { (shown(detail)) }
                }
                @for advice in advice {
                    @match advice {
                        Advice::Text(text) => { p { (shown(text)) } }
                        Advice::Command(command) => { pre.command { code { (shown(command)) } } }
                        Advice::Link { address, text } => { p { a.button href=(address) { (text) } } }
                    }
                }
            }
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Problem)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

fn sources(error: &(dyn Error + 'static)) -> impl Iterator<Item = String> {
    std::iter::successors(error.source(), |&error| error.source()).map(ToString::to_string)
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        let (status, title) = classify(&error);
        let page = Self::new(status, title, sentence(&error.to_string())).sources(&error);
        advise(page, &error)
    }
}

/// Returns the status and the title of a store's error.
const fn classify(error: &StoreError) -> (StatusCode, &'static str) {
    match error {
        StoreError::UnknownRun { .. } => (StatusCode::NOT_FOUND, "No such run"),
        StoreError::UnknownStep { .. } => (StatusCode::NOT_FOUND, "No such step"),
        StoreError::RunExists { .. } => (StatusCode::CONFLICT, "The name is taken"),
        StoreError::HasEnded { .. } => (StatusCode::CONFLICT, "The run has ended"),
        StoreError::NotBegun { .. } => (StatusCode::CONFLICT, "The run has not begun"),
        StoreError::Leased { .. } | StoreError::LeaseLost { .. } => {
            (StatusCode::CONFLICT, "A program drives this run")
        }
        StoreError::NotAsked { .. } => (StatusCode::CONFLICT, "The question is not open"),
        StoreError::InvalidAnswer { .. } => {
            (StatusCode::UNPROCESSABLE_ENTITY, "The answer does not match")
        }
        StoreError::Corrupt { .. }
        | StoreError::MissingBlob { .. }
        | StoreError::CorruptBlob { .. } => {
            (StatusCode::INTERNAL_SERVER_ERROR, "The run can't be read")
        }
        StoreError::Full { .. } => (StatusCode::INSUFFICIENT_STORAGE, "The store is full"),
        StoreError::ReadOnly { .. } => (StatusCode::FORBIDDEN, "The store is read-only"),
        StoreError::Locked { .. } => (StatusCode::SERVICE_UNAVAILABLE, "The store is locked"),
        StoreError::Gone { .. } => (StatusCode::SERVICE_UNAVAILABLE, "The store is gone"),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "The store can't be read"),
    }
}

fn advise(page: PageError, error: &StoreError) -> PageError {
    match error {
        StoreError::UnknownRun { .. } => {
            page.advice("It was removed, or the name is misspelled. The table shows all runs.")
        }
        StoreError::NotAsked { .. } => page.advice(
            "It was answered already, its time limit has ended, or the run has moved to another question.",
        ),
        StoreError::Leased { .. } => {
            page.advice("Wait until that program has finished the run, or stop it first.")
        }
        StoreError::Corrupt { run, entry, .. } if *entry > 0 => page
            .advice("The entries before it are readable. To remove it and all after it, copy the file first, then:")
            .command(format!("cot runs cut {run} --from {entry} --yes")),
        StoreError::Corrupt { run, .. } => page
            .advice("The run can't be used. To remove it, copy the file first, then:")
            .command(format!("cot runs remove {run} --yes")),
        StoreError::Full { .. } => page.advice("Free disk space, or remove old runs:").command(
            "cot runs prune --older-than 30d",
        ),
        StoreError::ReadOnly { .. } => {
            page.advice("Changes need write permission for the file and its folder.")
        }
        StoreError::Locked { .. } => page
            .advice("Another program writes for long, or was stopped in the middle. Load the page again."),
        StoreError::Gone { .. } => page
            .advice("Its file was deleted, moved or replaced. Start the page again once the store is in its place."),
        StoreError::Failed { .. } => page.advice(
            "The page tries again when it is loaded again. Check that the file is there and that no program holds it locked.",
        ),
        _ => page,
    }
}

/// Makes a sentence of an error message.
pub(crate) fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(char::to_uppercase);
    let text: String = first.into_iter().flatten().chain(chars).collect();
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}
