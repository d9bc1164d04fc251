//! The modules of a crate, as its `mod` items declare them.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta, UseTree};

/// A path of names, from the root of a crate.
pub(crate) type Names = Vec<String>;

/// A module: a file, or a block within one.
pub(crate) struct Module {
    pub(crate) file: PathBuf,
    pub(crate) children: HashSet<String>,
    /// The names that are defined here.
    pub(crate) defined: HashSet<String>,
    /// The names that are imported here, each with its path as written.
    pub(crate) imported: HashMap<String, Names>,
    /// The modules all of whose names are imported here.
    pub(crate) globs: Vec<Names>,
    pub(crate) items: Vec<Item>,
}

/// The modules of a crate, by their paths. Those that only tests have are left out.
pub(crate) fn modules_of(root_file: &Path) -> HashMap<Names, Module> {
    let mut modules = HashMap::new();
    let children = root_file.parent().unwrap();
    let items = items_of(root_file);
    insert(&mut modules, Names::new(), root_file, children, items);
    modules
}

fn items_of(file: &Path) -> Vec<Item> {
    let text = fs::read_to_string(file).unwrap();
    let parsed = syn::parse_file(&text);
    parsed.unwrap_or_else(|error| panic!("{}: {error}", file.display())).items
}

fn insert(
    modules: &mut HashMap<Names, Module>,
    path: Names,
    file: &Path,
    children: &Path,
    items: Vec<Item>,
) {
    let items: Vec<Item> =
        items.into_iter().filter(|item| !is_for_tests(attributes(item))).collect();
    let mut module = Module {
        file: file.to_owned(),
        children: HashSet::new(),
        defined: items.iter().filter_map(defined_name).collect(),
        imported: HashMap::new(),
        globs: Vec::new(),
        items: Vec::new(),
    };
    for item in &items {
        match item {
            Item::Use(item) => add_imports(&mut module, &item.tree, &mut Names::new()),
            Item::Mod(item) => {
                module.children.insert(item.ident.to_string());
                insert_child(modules, &path, file, children, item);
            }
            _ => {}
        }
    }
    module.items = items.into_iter().filter(|item| !matches!(item, Item::Mod(_))).collect();
    modules.insert(path, module);
}

fn insert_child(
    modules: &mut HashMap<Names, Module>,
    parent: &[String],
    file: &Path,
    children: &Path,
    item: &ItemMod,
) {
    let name = item.ident.to_string();
    let path = [parent, std::slice::from_ref(&name)].concat();
    if let Some((_, items)) = &item.content {
        return insert(modules, path, file, &children.join(&name), items.clone());
    }
    let named = item.attrs.iter().find_map(path_attribute);
    let (leaf, folder) = (children.join(format!("{name}.rs")), children.join(&name));
    let file = match named {
        Some(named) => file.parent().unwrap().join(named),
        None if leaf.exists() => leaf,
        None => folder.join("mod.rs"),
    };
    let children = if file.ends_with("mod.rs") { file.parent().unwrap() } else { &folder };
    insert(modules, path, &file, children, items_of(&file));
}

fn add_imports(module: &mut Module, tree: &UseTree, prefix: &mut Names) {
    match tree {
        UseTree::Path(tree) => {
            prefix.push(tree.ident.to_string());
            add_imports(module, &tree.tree, prefix);
            prefix.pop();
        }
        UseTree::Name(tree) if tree.ident == "self" => {
            module.imported.insert(prefix.last().unwrap().clone(), prefix.clone());
        }
        UseTree::Name(tree) => {
            let name = tree.ident.to_string();
            let path = [&prefix[..], std::slice::from_ref(&name)].concat();
            module.imported.insert(name, path);
        }
        UseTree::Rename(tree) => {
            let mut path = prefix.clone();
            if tree.ident != "self" {
                path.push(tree.ident.to_string());
            }
            // Several imports as `_` do not share a name.
            let name = match tree.rename.to_string() {
                name if name == "_" => format!("_ {}", path.join("::")),
                name => name,
            };
            module.imported.insert(name, path);
        }
        UseTree::Glob(_) => module.globs.push(prefix.clone()),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| add_imports(module, tree, prefix));
        }
    }
}

fn defined_name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is compiled for tests only.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.path().is_ident("cfg").then(|| attribute.parse_args::<Meta>());
        matches!(condition, Some(Ok(condition)) if condition.path().is_ident("test"))
    })
}

/// The file that `#[path = "…"]` names.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(file), .. }) = &meta.value else { return None };
    meta.path.is_ident("path").then(|| file.value())
}
