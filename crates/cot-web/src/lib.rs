//! A web page over the runs in a [`Store`](cot_store::Store): watch runs, answer their questions, fork them, and
//! see what they cost.
//!
//! A [`Site`] is the page. The command `cot serve` serves it over a SQLite file; a service mounts
//! its [`router`](Site::router) beside its own routes.
//!
//! ```
//! use std::sync::Arc;
//!
//! use axum::{Router, routing::get};
//! use cot_store::MemoryStore;
//! use cot_web::{Access, HeaderName, Site};
//!
//! let store = MemoryStore::default();
//! let site = Site::new(Arc::new(store))
//!     .access(Access::header(HeaderName::from_static("x-forwarded-user")))
//!     .nested_at("/cot");
//! let app: Router = Router::new().route("/health", get(|| async { "well" })).merge(site.router());
//! # let _ = app;
//! ```
//!
//! Nothing is fetched from elsewhere: style, script and icon are part of the library. All pages work without
//! JavaScript; with it they follow the store while they are open.
//!
//! # How a section adds a page
//!
//! Each section is a folder with a function `routes() -> Router<AppState>`, which `site.rs` merges. A handler takes
//! a `Visit` (the request as admitted: store, links, query, time, session), the `RunName` of its path and, for
//! a POST, the `Fields` of its form, and returns `Result<Markup, PageError>` or a redirect by `see_other`:
//!
//! ```text
//! async fn show(visit: Visit, RunName(run): RunName) -> Result<Markup, PageError> {
//!     let summary = visit.require_run(&run).await?;
//!     let body = html! { h1 { (run) } section id="facts" data-live { (status_pill(&summary)) } };
//!     Ok(Page::new(&visit, run.as_str()).section(Section::Runs).live(visit.links().run_live(&run)).body(body))
//! }
//! ```
//!
//! - `links.rs` has a method for every address. Nothing else writes one, so that a site can be mounted under a path.
//! - `frame/` has the frame of a page, forms (`form` adds the CSRF field, and is empty in read-only mode), fields,
//!   status pills, times, durations, money, tokens and bytes. `shown` escapes characters that would hide or reorder
//!   text; everything from models and people goes through it.
//! - `error.rs` makes a page of every error. A `StoreError` converts with `?`.
//! - Access, CSRF, the origin of a request, read-only mode, headers and limits are checked before a handler is called.
//! - Elements with `data-live` and an `id` are replaced when the run or the table changes; focus, scroll and open
//!   `<details>` are kept. An element `data-draft="KEY"` shows the text of a reply while it is streamed.
//! - `assets/style.css` lists its classes at the top. There is no inline style or script: the browser refuses both.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// The page over a store: `site` builds the router, `server` accepts a bounded number of connections, `access/guard`
// admits requests and completes responses, `frame` has what all pages share, `links` every address, `live` the one
// poller and the events of open pages; a folder for each section (`runs`, `run`, `people`, `travel`, `costs`, `evals`), with
// its `routes`; `people/put` is the only way from a form to a stored answer.

mod access;
mod assets;
mod costs;
mod diff;
mod error;
mod evals;
mod fields;
mod frame;
mod links;
mod live;
mod people;
mod run;
mod runs;
mod server;
mod site;
mod state;
mod travel;
mod visit;

pub use access::access::Access;
pub use axum::http::HeaderName;
pub use site::Site;
