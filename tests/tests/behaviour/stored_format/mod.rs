//! Journals, snapshots and captures of earlier versions stay readable.
//!
//! The folder `data` holds samples that earlier versions wrote, each beside the end of its run. The tests
//! read every sample, resume its run wherever it may have been interrupted, and compare the end. They also
//! write each sample once more and compare the bytes, so that the formats are pinned in both directions, with
//! the fingerprints of the processes.
//!
//! A sample that exists never changes, and neither do the processes and the script: add others instead.
//! `COT_WRITE_SAMPLES=1 cargo test -p cot-tests --test behaviour as_they_were` writes the samples that are
//! missing and leaves all others as they are. Where a change of prompts or messages keeps an old sample from
//! being written again, it is only read from then on.

mod calls;
mod captures;
mod endings;
mod engine;
mod journals;
mod pinned;
mod sample;
mod script;
mod snapshots;
mod steered;
mod tale;
mod tour;
