//! The machine through its public surface, driven by hand.

mod drive;
mod lab;
mod life;
mod limits;
mod replies;
mod resuming;
mod routes;
