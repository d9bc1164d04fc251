//! The reader reports only the repairs of its catalogue.

use std::collections::BTreeSet;

use syn::{
    ExprStruct,
    visit::{self, Visit},
};

use crate::{
    modules::modules_of,
    workspace::{packages, root},
};

/// Types hold most of it: a stage can add a `Fix` alone, and a `Fix` is made of a row of the catalogue. What
/// they do not hold is that nothing else makes the `Repair` that users see, as all its fields are public.
#[test]
fn repairs_are_made_of_the_catalogue_alone() {
    let reader = packages().into_iter().find(|package| package.name == "cot-reader").unwrap();
    let mut files = BTreeSet::new();
    for module in modules_of(&reader.root_file()).values() {
        let mut makers = Makers::default();
        module.items.iter().for_each(|item| makers.visit_item(item));
        if makers.has_any {
            files.insert(module.file.strip_prefix(root()).unwrap().display().to_string());
        }
    }
    assert_eq!(files.into_iter().collect::<Vec<_>>(), ["crates/cot-reader/src/repair/repairs.rs"]);
}

/// Looks for expressions that make a `Repair`.
#[derive(Default)]
struct Makers {
    has_any: bool,
}

impl Visit<'_> for Makers {
    fn visit_expr_struct(&mut self, item: &ExprStruct) {
        self.has_any |= item.path.segments.last().is_some_and(|name| name.ident == "Repair");
        visit::visit_expr_struct(self, item);
    }
}
