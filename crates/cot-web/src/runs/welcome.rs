//! What an empty store shows: how to get a run into it.

use maud::{Markup, html};

use crate::{frame::text::shown, visit::Visit};

pub(super) fn welcome(visit: &Visit) -> Markup {
    let file = visit.state.store_name().unwrap_or("runs.db");
    html! {
        section.card.empty {
            h2 { "There are no runs yet" }
            p { "Give a runner this store, and its runs appear here while they happen:" }
            pre.command tabindex="0" { code {
                "let store = SqliteStore::open(" (format!("{:?}", shown(file))) ")?;\n"
                "MyProcess::runner().model(model).store(store).run(state).await?;"
            } }
            p { "Or submit a run that a worker of your program begins:" }
            pre.command tabindex="0" { code {
                "cot runs start MyProcess --state state.json --store " (shown(file))
            } }
        }
    }
}
