//! What the vendors document of the schemas that they take, as rules to check a schema by.
//!
//! Written without a look at the rewriter: it asks for each keyword whether the vendor lists it, and
//! for each object and reference whether it has the form that the vendor wants.

mod limits;
mod pointers;
mod vendors;

pub use vendors::{anthropic, gemini, guided, llama_cpp, openai};
