//! Rewrites schemas for inference engines that support a subset of JSON schema.

mod anthropic;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod dialect;
mod distinguish;
pub(crate) mod error;
mod gemini;
mod grammar;
mod limits;
mod llama_cpp;
pub(crate) mod members;
mod merge;
pub(crate) mod normal;
mod nullable;
mod openai;
mod pattern;
mod references;
mod root;
mod rules;
pub(crate) mod sentence;
mod shapes;
#[cfg(test)]
mod tests;
pub(crate) mod union;
mod vllm;
mod walk;
