//! Tasks that ask a model: prompts, replies, commits, failures, and where a run goes.

mod asking;
mod choices;
mod commit;
mod engines;
mod failures;
mod hardened;
mod lab;
mod life;
mod limits;
mod machine;
mod replies;
mod resuming;
mod routes;
mod routing;
