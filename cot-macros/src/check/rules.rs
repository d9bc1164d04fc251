//! The list of the rules, in the order in which their errors are reported: the specification of the language.

use cot_syntax::diagnostics::Errors;

use super::{
    fields,
    graph::{rules as paths, ways::Graph},
    inputs, items,
    kinds::{ai, each, process, reason, rules as kinds},
    mocks, names, numbers, on, parts,
    proof::rules as proof,
    routes, state, updates, words,
};
use crate::model::Model;

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
    names::check_generated_names_are_free(&model, errors);
    items::check_texts_are_plain(&model, errors);
    items::check_names_of_terminals(&model, errors);
    items::check_engines_are_distinct(&model, errors);
    state::check_state_has_fields(&model, errors);
    state::check_state_fields_are_distinct(&model, errors);
    state::check_inputs_have_no_default(&model, errors);
    state::check_unset_fields_are_no_options(&model, errors);
    state::check_the_history_has_its_field(&model, errors);
    fields::check_state_fields_are_used(&model, errors);
    kinds::check_every_task_has_a_kind(&model, errors);
    kinds::check_no_task_has_two_kinds(&model, errors);
    kinds::check_items_fit_the_kind(&model, errors);
    each::check_async_checks_are_of_one_output(&model, errors);
    kinds::check_outputs_fit_the_kind(&model, errors);
    kinds::check_items_that_need_an_output(&model, errors);
    reason::check_nothing_stands_beside_reason(&model, errors);
    ai::check_something_is_asked_for(&model, errors);
    process::check_no_process_runs_itself(&model, errors);
    numbers::check_numbers_fit(&model, errors);
    numbers::check_budgets_bound_something(&model, errors);
    numbers::check_retries_are_told_once(&model, errors);
    routes::check_transitions_are_distinct(&model, errors);
    routes::check_transitions_lead_somewhere(&model, errors);
    routes::check_a_transition_is_always_visible(&model, errors);
    routes::check_guards_of_next(&model, errors);
    routes::check_choices(&model, errors);
    routes::check_ends_can_come(&model, errors);
    on::check_routes_are_known(&model, errors);
    on::check_routes_can_be_taken(&model, errors);
    mocks::check_what_is_mocked_has_a_mock(&model, errors);
    inputs::check_inputs_are_delivered(&model, errors);
    inputs::check_inputs_can_be_delivered(&model, errors);
    inputs::check_inputs_are_used(&model, errors);
    inputs::check_items_hide_nothing(&model, errors);
    words::check_templates_can_be_read(&model, errors);
    words::check_words_are_known(&model, errors);
    words::check_history_is_kept_where_used(&model, errors);
    parts::check_part_names_are_free(&model, errors);
    parts::check_parts_are_used(&model, errors);
    parts::check_parts_are_not_circular(&model, errors);
    fields::check_written_fields_are_known(&model, errors);
    updates::check_no_write_is_hidden(&model, errors);
    let graph = Graph::new(&model);
    paths::check_every_task_is_reached(&model, &graph, errors);
    paths::check_every_task_can_end(&model, &graph, errors);
    paths::check_ends_are_meant(&model, &graph, errors);
    paths::check_gateways_do_not_loop(&model, &graph, errors);
    proof::check_reads_are_proven(&model, errors);
    let hollow = model.syntax.items.state.is_none() || model.tasks.is_empty();
    Checked { model, hollow }
}
