//! The rule that fields are written before they are read.

use cot_syntax::{StateField, diagnostics::Errors};

use super::{
    paths::Paths,
    reads::{Read, ReadSite, Reads},
    report,
    sites::ReadTime,
    writes::{may_write, writes},
};
use crate::{
    check::fields,
    model::{Model, Task},
};

/// Checks that a field that is neither an input nor has a default is written on every path from `start`
/// before it is read.
pub(in crate::check) fn check_reads_are_proven(model: &Model<'_>, errors: &Errors) {
    // Invalid items might write any field or lead to any task.
    if model.incomplete || model.tasks.is_empty() || fields::may_be_incomplete(model) {
        return;
    }
    let fields = model.state_fields();
    if !fields.iter().any(StateField::is_unset) {
        return;
    }
    let reads = Reads::from_model(model);
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.is_unset()) {
        let paths = Paths::while_unset(model, index);
        let unproven = reads.for_field(index).filter(|read| is_unproven(model, &paths, read));
        let mut unproven: Vec<&Read<'_>> = unproven.collect();
        // The shortest path first: only one path to each place is reported.
        unproven.sort_by_key(|read| paths.length(read.task));
        let may_be_written =
            |task: &Task<'_>| writes(model, task, index) || may_write(model, task, index);
        if model.tasks.iter().any(may_be_written) {
            report_unproven(model, field, &paths, &unproven, errors);
        } else {
            report_never_written(model, field, &unproven, errors);
        }
    }
}

fn report_unproven(
    model: &Model<'_>,
    field: &StateField,
    paths: &Paths<'_>,
    unproven: &[&Read<'_>],
    errors: &Errors,
) {
    for (index, read) in unproven.iter().enumerate() {
        if !unproven[..index].iter().any(|other| other.site.is_same_place(read.site)) {
            report::unproven(model, field, paths, read, errors);
        }
    }
}

fn report_never_written(
    model: &Model<'_>,
    field: &StateField,
    unproven: &[&Read<'_>],
    errors: &Errors,
) {
    // A write to a part of the field is the most helpful place to report.
    let partly = unproven.iter().find(|read| matches!(read.site, ReadSite::Path(_)));
    if let Some(read) = partly.or(unproven.first()) {
        report::never_written(model, field, read, errors);
    }
}

/// Returns whether the process can reach a read while the field is unset.
fn is_unproven(model: &Model<'_>, paths: &Paths<'_>, read: &Read<'_>) -> bool {
    match (read.task, read.when) {
        (None, _) => true,
        (Some(task), ReadTime::Before) => paths.reaches(task),
        (Some(task), ReadTime::After) => {
            paths.reaches(task) && !writes(model, &model.tasks[task], read.field)
        }
    }
}
