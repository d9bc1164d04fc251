//! Tests of cot-core through its public surface. The README's program is compiled here.
// In this folder: `tests/behaviour`: behaviour through the public surface, and samples of stored data that must stay
// readable (`stored_format`); `tests/structure`: crate edges, import cycles, lengths of files; `workloads`:
// processes beside the same work by hand, for benchmarks and for what a prompt cache can serve of their prompts
// (`tests/caching` asks a real server); `cost`: a process of twenty tasks and the same program by hand, in packages
// as users have them; `ui`: wrong programs and the message for each, compiled with the crates that `externs` names;
// `crash`: programs that are killed; `dialects`: rewritten schemas on inference engines; `real`: prompts on small
// real models, and other libraries beside us (`real/peers`); `browser`: the page in Chromium, and the command that makes
// its pictures; `editor`: what a real rust-analyzer shows within processes; `engine_docs`: the examples in the
// engine's documentation, which need the facade above it.
#![doc = include_str!("../../README.md")]
