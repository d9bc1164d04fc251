//! Stage three: what the compiler refuses. One function for each rule; the list is the
//! specification of the language.

mod graph;
mod items;
mod numbers;
mod parts;
mod routes;
mod updates;
pub(crate) mod words;

use crate::{diagnostics::Errors, model::Model};

/// A process whose mistakes have all been reported. Only such a process can be expanded.
#[derive(Debug)]
pub(crate) struct Checked<'a> {
    pub(crate) model: Model<'a>,
    /// It has no state or no task: there is nothing to expand but the types.
    pub(crate) hollow: bool,
}

pub(crate) fn check<'a>(model: Model<'a>, errors: &Errors) -> Checked<'a> {
    items::check_state_is_declared(&model, errors);
    items::check_there_are_tasks(&model, errors);
    items::check_every_task_has_a_kind(&model, errors);
    items::check_items_fit_the_kind(&model, errors);
    items::check_items_that_need_an_output(&model, errors);
    items::check_something_is_asked_for(&model, errors);
    items::check_titles_are_plain(&model, errors);
    items::check_names_of_terminals(&model, errors);
    numbers::check_numbers_fit(&model, errors);
    routes::check_transitions_are_distinct(&model, errors);
    routes::check_a_transition_is_always_visible(&model, errors);
    routes::check_guards_of_next(&model, errors);
    routes::check_choices(&model, errors);
    words::check_templates_can_be_read(&model, errors);
    words::check_words_are_known(&model, errors);
    words::check_history_is_kept_where_used(&model, errors);
    parts::check_part_names_are_free(&model, errors);
    parts::check_parts_are_used(&model, errors);
    parts::check_parts_are_not_circular(&model, errors);
    updates::check_writes_are_distinct(&model, errors);
    graph::check_every_task_is_reached(&model, errors);
    graph::check_every_task_can_end(&model, errors);
    graph::check_gateways_do_not_loop(&model, errors);
    let hollow = model.syntax.items.state.is_none() || model.tasks.is_empty();
    Checked { model, hollow }
}
