//! A test kit for processes, which needs no model.
//!
//! See [`guide::testing`](crate::guide::testing) for examples.

#[doc(inline)]
pub use cot_testing::{
    Coverage, Mixture, Monkey, MonkeyError, MonkeyModel, MonkeyReport, Problem, Replies, ReplyKind,
    Verdict, check_store,
};
