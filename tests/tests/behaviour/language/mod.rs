//! The language: what each item of a declaration does.

mod conditions;
mod declared_state;
mod keyed_paths;
mod kinds;
mod labels;
mod prompts;
mod routes;
mod settings;
mod state_paths;
mod templates;
