//! Tables.

use maud::{Markup, html};

/// A table in its frame. A column is its title, and whether it has numbers; the caption is read aloud alone.
pub(crate) fn table(caption: &str, columns: &[(&str, bool)], rows: Markup) -> Markup {
    html! {
        div.table-frame {
            table.data {
                caption.visually-hidden { (caption) }
                thead { tr { @for (title, is_number) in columns { th scope="col" class=[is_number.then_some("num")] { (title) } } } }
                tbody { (rows) }
            }
        }
    }
}
