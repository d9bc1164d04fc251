//! The settings of a tool: `{ effect: once, approve: person, timeout: 30s }`.

use syn::{LitStr, Path, Result, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    items::retry::RetryItems,
    parse::{group::GroupTexts, item::Slot, table::item_table},
    values::{
        duration::DurationValue,
        effect::EffectValue,
        found_in::FoundIn,
        tools::names::{Names, ToolSelection},
        word::Approver,
    },
};

item_table! {
    /// The settings of a tool.
    pub struct ToolItems of "tool" {
        /// Whether the function can be called again after an unknown outcome.
        effect: Slot<EffectValue> { form: "effect: once`, `effect: repeatable` or `effect: none" }
        /// The retries of a failed call.
        retry: Slot<RetryItems> { form: "retry: { max: 4, backoff: 1s..60s, timeouts }" }
        /// The time limit of a call.
        timeout: Slot<DurationValue> { form: "timeout: 30s" }
        /// The approval of each call before it is made.
        approve: Slot<Approver> { form: "approve: person" }
        /// Whether the results come from outside.
        untrusted: Slot<()> { form: "untrusted" }
        /// Why the results of a source can be trusted.
        trusts: Slot<LitStr> { form: "trusts: \"why\"" }
        /// The arguments that carry no authority.
        content: Slot<Names> { form: "content: [body, subject]" }
        /// The texts in which arguments have to stand.
        found_in: Slot<FoundIn> { form: "found_in: { payee: state.request }" }
        /// The function that answers in place of the tool.
        mock: Slot<Path> { form: "mock: function" }
        /// The tools of a source that can be called.
        only: Slot<ToolSelection> { form: "only: [read_file, list_directory]` or `only: all" }
    }
}

const TEXTS: GroupTexts = GroupTexts {
    unknown: ["setting", "of a tool"],
    form: "write the settings of a tool as `{ key: value, … }`",
    lists_keys: true,
};

impl ToolItems {
    /// Parses the settings in braces.
    pub(crate) fn parse_settings(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        Self::TABLE.read_group(&TEXTS, input, errors)
    }
}
