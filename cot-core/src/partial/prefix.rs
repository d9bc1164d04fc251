//! x

pub(super) use crate::reader::{Prefix, prefix as of};
