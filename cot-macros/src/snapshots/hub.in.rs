/// Adds fields to a data source, one at a time.
pub process DsBuilder {
    state: BuilderState,
    goal: "Add the fields needed for a date-range order search",
    intro: "You assist in building a data source:\n${json(state.current_ds)}",
    prompts: {
        field_rules: "Names in camelCase, as in ${quoted(state.example)}.",
    },
    max_retries: 2,
    history: { max_items: 20 },
    default_return: decide,

    task decide {
        title: "Decide what to do next",
        transitions: {
            add_field: "Add one more field" if state.current_ds.fields.len() < 50,
            done: "The data source serves the goal",
        },
    }

    /// Makes one field.
    task add_field -> FieldDef {
        prompt: "Generate one field definition.\n${part(field_rules)}",
        check: no_duplicate_name,
        update: {
            current_ds.fields[] = output,
            last_created = Some(Created { from_task: "add_field".into(), name: output.name }),
        },
    }

    task done { end }
}
