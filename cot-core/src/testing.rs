//! The test kit: what tests a process without a model.
//!
//! [`guide::testing`](crate::guide::testing) shows it at work.

#[doc(inline)]
pub use cot_testing::{
    Coverage, Mixture, Monkey, MonkeyError, MonkeyModel, MonkeyReport, Problem, Replies, ReplyKind,
    Verdict, check_store,
};
