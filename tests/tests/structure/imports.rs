//! Which file of a crate imports from which.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, ImplItemFn, Item, ItemFn, ItemUse, LitStr, Macro, Meta, Type, UseTree, parse_str,
    visit::{self, Visit},
};

use crate::{
    modules::{Module, Names, is_for_tests, modules_of},
    scopes::defining_module,
};

/// The files of a crate, each with those that define what it uses.
pub(crate) type Imports = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// Reads the imports of a crate. A re-export is no import: whoever uses it imports from the file behind it.
pub(crate) fn imports_of(root_file: &Path) -> Imports {
    let modules = modules_of(root_file);
    let mut imports = Imports::new();
    for (path, module) in &modules {
        let mut uses = Uses::default();
        module.items.iter().for_each(|item| uses.visit_item(item));
        let files = imports.entry(module.file.clone()).or_default();
        files.extend(uses.paths.iter().filter_map(|used| file_behind(&modules, path, used)));
        files.remove(&module.file);
    }
    imports
}

fn file_behind(
    modules: &HashMap<Names, Module>,
    at: &[String],
    path: &[String],
) -> Option<PathBuf> {
    let module = defining_module(modules, at, path)?;
    Some(modules[&module].file.clone())
}

/// Collects the paths that a module uses.
#[derive(Default)]
struct Uses {
    paths: Vec<Names>,
}

impl Uses {
    fn add_tree(&mut self, tree: &UseTree, prefix: &mut Names) {
        match tree {
            UseTree::Path(tree) => {
                prefix.push(tree.ident.to_string());
                self.add_tree(&tree.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(tree) => {
                self.paths.push([&prefix[..], &[tree.ident.to_string()]].concat());
            }
            UseTree::Rename(tree) => {
                self.paths.push([&prefix[..], &[tree.ident.to_string()]].concat());
            }
            UseTree::Glob(_) => {}
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(tree, prefix));
            }
        }
    }
}

/// The keys of attributes of derives whose texts name code.
const CODE_KEYS: &[&str] = &[
    "default",
    "deserialize_with",
    "from",
    "getter",
    "into",
    "remote",
    "schema_with",
    "serialize_with",
    "skip_serializing_if",
    "try_from",
    "with",
];

impl Uses {
    /// Adds what `key = "text"` names in an attribute of a derive, such as `#[serde(with = "module")]`.
    fn add_texts(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for three in tokens.windows(3) {
            let [TokenTree::Ident(key), TokenTree::Punct(equals), TokenTree::Literal(text)] = three
            else {
                continue;
            };
            let is_code = equals.as_char() == '=' && CODE_KEYS.contains(&&*key.to_string());
            if let (true, Ok(text)) = (is_code, parse_str::<LitStr>(&text.to_string())) {
                self.add_text(&text);
            }
        }
        for token in tokens {
            if let TokenTree::Group(group) = token {
                self.add_texts(group.stream());
            }
        }
    }

    fn add_text(&mut self, text: &LitStr) {
        let Ok(named) = text.parse::<Type>() else { return };
        self.visit_type(&named);
        if let Type::Path(path) = named {
            // The module of `with` stands for the functions in it.
            let names = path.path.segments.iter().map(|segment| segment.ident.to_string());
            let function = |name: &str| names.clone().chain([name.to_owned()]).collect();
            self.paths.extend(["deserialize", "json_schema", "serialize"].map(function));
        }
    }
}

impl Visit<'_> for Uses {
    fn visit_item(&mut self, item: &Item) {
        if !matches!(item, Item::Impl(item) if is_for_tests(&item.attrs)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if matches!(item.vis, syn::Visibility::Inherited) {
            self.add_tree(&item.tree, &mut Names::new());
        }
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.add_texts(list.tokens.clone());
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    /// The arguments of a macro are tokens: names in them count where they are paths of several segments.
    fn visit_macro(&mut self, item: &Macro) {
        self.visit_path(&item.path);
        let tokens = item.tokens.to_string();
        let words = tokens.replace(" :: ", "::");
        for word in words.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let names: Names = word.split("::").map(str::to_owned).collect();
            if names.iter().all(|name| !name.is_empty()) {
                self.paths.push(names);
            }
        }
    }
}

#[test]
fn names_in_attributes_are_found() {
    let item = parse_str(
        r#"#[derive(Serialize)] struct Event {
            #[serde(flatten, with = "journaled")]
            attempt: Attempt,
            #[serde(default = "super::kinds::first", rename = "other::name")]
            kind: u8,
            #[cfg_attr(feature = "x", serde(skip_serializing_if = "Shown::is_none"))]
            shown: u8,
        }"#,
    );
    let mut uses = Uses::default();
    uses.visit_item(&item.unwrap());
    let found: Vec<_> = uses.paths.iter().map(|path| path.join("::")).collect();
    let has = |path: &str| found.iter().any(|found| found == path);
    assert!(has("journaled::serialize") && has("super::kinds::first"), "{found:?}");
    assert!(has("Shown::is_none") && !has("other::name"), "{found:?}");
}
