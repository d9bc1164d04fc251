//! The list of all rules, in the order in which their errors are reported.

use cot_syntax::diagnostics::Errors;

use super::{
    bounds::{plan::Plan, rules as bounds},
    branches::rules as branches,
    expressions, fields, found_in,
    graph::{rules as paths, task_graph::TaskGraph},
    inputs, items,
    kinds::{ai, calls, each, process, read, reason, rules as kinds},
    media, mocks, names, numbers, on, order, parts,
    proof::rules as proof,
    routes, state, tools,
    trust::rules as trust,
    updates,
};
use crate::model::Model;

/// A process whose errors have been reported. Only a checked process can be expanded.
#[derive(Debug)]
pub(crate) struct Checked<'a> {
    pub(crate) model: Model<'a>,
    /// Whether the process has no state or no task, so that only its types can be expanded.
    pub(crate) hollow: bool,
    /// What a run costs at most; `None` for a process with errors.
    pub(crate) plan: Option<Plan<'a>>,
}

/// A rule, which reports each violation.
type Rule = fn(&Model<'_>, &Errors);

/// The rules, in the order in which their errors are reported.
const RULES: &[Rule] = &[
    items::check_state_is_declared,
    items::check_the_context_is_declared,
    items::check_there_are_tasks,
    names::check_generated_names_are_free,
    items::check_texts_are_plain,
    items::check_names_of_terminals,
    items::check_engines_are_distinct,
    order::check_the_order_is_complete,
    state::check_state_has_fields,
    state::check_state_fields_are_distinct,
    state::check_inputs_have_no_default,
    state::check_unset_fields_are_no_options,
    state::check_the_history_has_its_field,
    fields::check_state_fields_are_used,
    kinds::check_every_task_has_a_kind,
    kinds::check_no_task_has_two_kinds,
    kinds::check_items_fit_the_kind,
    each::check_async_checks_are_of_one_output,
    each::check_sub_processes_start_from_items,
    kinds::check_outputs_fit_the_kind,
    kinds::check_items_that_need_an_output,
    reason::check_nothing_stands_beside_reason,
    read::check_nothing_stands_beside_read,
    ai::check_something_is_asked_for,
    ai::check_a_call_can_be_left_out,
    calls::check_calls_have_tools,
    process::check_no_process_runs_itself,
    numbers::check_numbers_fit,
    numbers::check_budgets_bound_something,
    bounds::check_at_most_limits_something,
    numbers::check_retries_are_given_once,
    numbers::check_timeouts_of_once_are_not_retried,
    routes::check_transitions_are_distinct,
    routes::check_transitions_lead_somewhere,
    routes::check_a_transition_is_always_visible,
    routes::check_guards_of_next,
    routes::check_choices,
    routes::check_may_end_applies,
    on::check_routes_are_known,
    on::check_routes_can_be_taken,
    mocks::check_what_is_mocked_has_a_mock,
    inputs::check_inputs_are_passed,
    inputs::check_inputs_can_be_passed,
    inputs::check_inputs_are_used,
    inputs::check_item_names_are_free,
    expressions::check_templates_can_be_read,
    expressions::check_names_are_known,
    expressions::check_history_is_recorded_where_used,
    found_in::check_sources_are_known,
    found_in::check_members_are_distinct,
    media::check_media_can_be_shown,
    tools::check_tools_are_distinct,
    tools::check_names_are_accepted,
    tools::check_tools_are_described,
    tools::check_settings_fit_the_tool,
    tools::check_timeouts_of_once_are_not_retried,
    tools::check_no_tool_is_a_transaction,
    tools::check_uses_are_distinct,
    tools::check_tools_are_used,
    tools::check_there_are_tools,
    parts::check_part_names_are_free,
    parts::check_parts_are_used,
    parts::check_parts_are_not_circular,
    fields::check_written_fields_are_known,
    updates::check_no_write_is_hidden,
    check_ways,
    proof::check_reads_are_proven,
    trust::check_trust,
];

/// Applies all rules and reports their violations.
pub(crate) fn check<'a>(model: Model<'a>, errors: &Errors) -> Checked<'a> {
    for rule in RULES {
        rule(&model, errors);
    }
    let hollow = model.syntax.items.state.is_none() || model.tasks.is_empty();
    // The paths of a wrong process are not those that its author means.
    let plan = errors.is_empty().then(|| Plan::new(&model, &TaskGraph::new(&model)));
    plan.iter().for_each(|plan| bounds::check_at_most_is_kept(plan, &model, errors));
    Checked { model, hollow, plan }
}

/// Applies the rules about the paths between tasks, which share one graph.
fn check_ways(model: &Model<'_>, errors: &Errors) {
    let graph = TaskGraph::new(model);
    let before = errors.len();
    branches::check_branches(model, &graph, errors);
    if errors.len() > before {
        // The paths of a branch that does not join are no ways of the process.
        return;
    }
    paths::check_every_task_is_reached(model, &graph, errors);
    paths::check_every_task_can_end(model, &graph, errors);
    paths::check_ends_are_meant(model, &graph, errors);
    paths::check_gateways_do_not_loop(model, &graph, errors);
}
