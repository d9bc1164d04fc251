//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::{
    choose::{Chosen, Rejected, choose},
    coerce::{shape::Shape, target::AnySchema},
    find::{
        find::json_alone,
        prefix::{Prefix, prefix},
    },
    notation::fit_with_digits,
    output::{fits, take, take_from_reply, take_plain},
    repair::{
        catalogue::RepairKind,
        fix::Fix,
        repairs::{PendingRepair, Repairs},
    },
    target::{Fit, Target},
};
