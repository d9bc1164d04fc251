//! What the other crates of this workspace use. It is not covered by semantic versioning.

pub use crate::{
    choose::{Chosen, Rejected, choose},
    coerce::{shape::Shape, target::AnySchema},
    find::{
        find::json_alone,
        prefix::{Prefix, prefix},
    },
    output::{fits, take, take_from_reply, take_plain},
    repair::{
        catalogue::RepairKind,
        fix::Fix,
        repairs::{PendingRepair, Repairs},
    },
    target::{Fit, Target},
    written::fit_with_digits,
};
