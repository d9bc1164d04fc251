//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::{
    choose::{Rejection, ValidReading, read_reply},
    coerce::{
        shape::{CoercionGraph, takes_no_members},
        target::AnySchema,
    },
    find::{
        calls::has_call_mark,
        find::trim_reply,
        prefix::{IncompleteReply, read_incomplete},
    },
    notation::fit_keeping_digits,
    output::{check_answer, coerce_output, coerce_output_from_reply, valid_text},
    passage::{
        finder::{PassageFinder, look_up, quoted},
        values::{FoundValue, SourceText},
    },
    repair::{
        catalogue::RepairKind,
        fix::Fix,
        repairs::{PendingRepair, Repairs},
    },
    target::{CoercionResult, Target},
};
