//! Tasks that ask a model: prompts, replies, commits, failures, and where a run goes.

mod lab;
mod life;
mod limits;
mod replies;
mod resuming;
mod routes;
