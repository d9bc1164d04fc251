//! Tasks that do something else than asking a model one thing, and what goes wrong in them.

mod drive;
mod interrupted;
