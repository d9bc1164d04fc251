//! Processes to measure, and the same work by hand.
#![expect(clippy::expect_used, reason = "a measurement fails loudly")]

pub mod branches;
pub mod builder;
pub mod by_hand;
pub mod items;
pub mod ledger;
pub mod notebook;
pub mod prefix;
