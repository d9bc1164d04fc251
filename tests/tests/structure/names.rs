//! Names that say what they name, and types that stay of one size.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use syn::{
    Ident, ImplItem, ItemImpl, Type, Visibility,
    visit::{self, Visit},
};

use crate::{
    modules::modules_of,
    workspace::{packages, root},
};

/// Types whose name occurs in three files of a crate or more. The list may only get shorter.
const REPEATED: &[(&str, &str)] = &[
    // The arguments of a command, a file for each command.
    ("cot-cli", "Command"),
];

/// Types that implement `Error` and are more than an error. The list may only get shorter.
const NOT_ONLY_ERRORS: &[(&str, &str)] = &[
    // The result of a validation, which a reply and an answer can have as well.
    ("cot-schema", "Issues"),
];

/// Errors whose `Debug` shows their data instead of a sentence, since no `main` returns them. The list may only get shorter.
const SHOWN_AS_DATA: &[(&str, &str)] = &[
    ("cot-engine", "ItemError"),
    ("cot-model", "EffectError"),
    ("cot-model", "FunctionError"),
    ("cot-schema", "DialectError"),
    ("cot-schema", "Issues"),
];

/// Types with more methods, or in more files, than below, each with their methods. The list may only get shorter, and the numbers smaller.
const LARGE: &[(&str, &str, usize)] = &[
    ("cot-engine", "Machine", 46),
    ("cot-reader", "Coercer", 39),
    ("cot-reader", "Parser", 143),
    ("cot-reader", "CoercionGraph", 26),
    ("cot-runtime", "Runner", 41),
    ("cot-task-format", "Parser", 50),
];

/// Methods of one type in a crate.
const MAX_METHODS: usize = 40;
/// Files of a crate with methods of one type.
const MAX_IMPL_FILES: usize = 4;

#[test]
fn no_function_is_named_of() {
    let mut wrong = Vec::new();
    for (krate, file, names) in &*FILES {
        let of = |name: &&String| *name == "of" || name.starts_with("of_");
        wrong.extend(
            names.functions.iter().filter(of).map(|name| format!("{krate}: {file}: {name}")),
        );
    }
    assert!(wrong.is_empty(), "a name says what a function returns or does: {wrong:#?}");
}

#[test]
fn error_types_end_in_error() {
    let mut found = BTreeSet::new();
    for (krate, _, names) in &*FILES {
        let other = names
            .errors
            .iter()
            .filter(|name| !name.ends_with("Error") && !name.ends_with("Errors"));
        found.extend(other.map(|name| (krate.clone(), name.clone())));
    }
    let listed =
        NOT_ONLY_ERRORS.iter().map(|(krate, name)| ((*krate).to_owned(), (*name).to_owned()));
    assert_eq!(found, listed.collect());
}

#[test]
fn errors_that_leave_main_are_sentences() {
    let errors = FILES
        .iter()
        .flat_map(|(krate, _, names)| names.errors.iter().map(move |name| (krate, name)));
    let errors: BTreeSet<_> = errors.collect();
    let debugs = FILES
        .iter()
        .flat_map(|(krate, _, names)| names.debugs.iter().map(move |name| (krate, name)));
    let found = debugs.filter(|error| errors.contains(error));
    let found: BTreeSet<_> = found.map(|(krate, name)| (&**krate, &**name)).collect();
    assert_eq!(found, SHOWN_AS_DATA.iter().copied().collect(), "use `debug_as_sentence!`");
}

#[test]
fn type_names_are_not_repeated() {
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (krate, _, names) in &*FILES {
        for name in &names.types {
            *places.entry((krate.clone(), name.clone())).or_default() += 1;
        }
    }
    let repeated = places.into_iter().filter(|(_, files)| *files >= 3).map(|(key, _)| key);
    let listed = REPEATED.iter().map(|(krate, name)| ((*krate).to_owned(), (*name).to_owned()));
    assert_eq!(repeated.collect::<BTreeSet<_>>(), listed.collect());
}

#[test]
fn types_have_few_methods_in_few_files() {
    let mut methods: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    for (krate, _, names) in &*FILES {
        for (name, count) in &names.methods {
            let (all, files) = methods.entry((krate.clone(), name.clone())).or_default();
            *all += count;
            *files += 1;
        }
    }
    for (krate, name, limit) in LARGE {
        let (count, files) = methods.remove(&((*krate).to_owned(), (*name).to_owned())).unwrap();
        assert!(count <= *limit, "{name} has {count} methods in {files} files");
    }
    methods.retain(|_, (methods, files)| *methods > MAX_METHODS || *files > MAX_IMPL_FILES);
    let large = methods;
    assert!(large.is_empty(), "over {MAX_METHODS} methods or {MAX_IMPL_FILES} files: {large:#?}");
}

/// The names in one file.
#[derive(Default)]
struct FileNames {
    types: BTreeSet<String>,
    functions: BTreeSet<String>,
    errors: BTreeSet<String>,
    /// Public types that derive `Debug`.
    debugs: BTreeSet<String>,
    /// The number of methods of each type that are not of a trait.
    methods: BTreeMap<String, usize>,
}

/// Crate, file and names of every file that users get.
static FILES: LazyLock<Vec<(String, String, FileNames)>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for package in packages().into_iter().filter(|package| package.is_library()) {
        for module in modules_of(&package.root_file()).values() {
            let mut names = FileNames::default();
            module.items.iter().for_each(|item| names.visit_item(item));
            let file = module.file.strip_prefix(root()).unwrap().display().to_string();
            files.push((package.name.clone(), file, names));
        }
    }
    files
});

impl FileNames {
    fn add_type(&mut self, name: &Ident, visibility: &Visibility, attributes: &[syn::Attribute]) {
        self.types.insert(name.to_string());
        if derives(attributes, "Error") {
            self.errors.insert(name.to_string());
        }
        if matches!(visibility, Visibility::Public(_)) && derives(attributes, "Debug") {
            self.debugs.insert(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for FileNames {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add_type(&item.ident, &item.vis, &item.attrs);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add_type(&item.ident, &item.vis, &item.attrs);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.types.insert(item.ident.to_string());
        visit::visit_item_trait(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        visit::visit_item_impl(self, item);
        let Some(name) = self_name(item) else { return };
        let Some((path, _)) = &item.trait_ else {
            let methods = item.items.iter().filter(|item| matches!(item, ImplItem::Fn(_)));
            *self.methods.entry(name).or_default() += methods.count();
            return;
        };
        if path.segments.last().is_some_and(|last| last.ident == "Error") {
            self.errors.insert(name);
        }
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.functions.insert(signature.ident.to_string());
    }
}

/// The name of the type of an `impl`.
fn self_name(item: &ItemImpl) -> Option<String> {
    let Type::Path(path) = &*item.self_ty else { return None };
    path.path.segments.last().map(|last| last.ident.to_string())
}

fn derives(attributes: &[syn::Attribute], name: &str) -> bool {
    let mut found = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // A derive that does not parse has been refused by the compiler.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|last| last.ident == name);
            Ok(())
        });
    }
    found
}
