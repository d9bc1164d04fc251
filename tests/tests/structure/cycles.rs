//! No file imports itself, through whatever others.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use crate::{
    imports::{Imports, imports_of},
    workspace::{Package, packages, root},
};

#[test]
fn no_file_is_in_an_import_cycle() {
    let libraries = packages().into_iter().filter(Package::is_library);
    let cycles: Vec<String> = libraries.flat_map(|package| cycles_in(&package)).collect();
    assert!(cycles.is_empty(), "import cycles:\n{}", cycles.join("\n"));
}

#[test]
fn cycles_are_found() {
    let imports = |edges: &[(&str, &str)]| {
        let mut imports = Imports::new();
        for (from, to) in edges {
            imports.entry(from.into()).or_default().insert(to.into());
            imports.entry(to.into()).or_default();
        }
        imports
    };
    let edges =
        [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "e")];
    let imports = imports(&edges);
    let cycle = |file: &str| cycle_through(&imports, Path::new(file));
    assert_eq!(cycle("a"), None);
    assert_eq!(cycle("b").unwrap(), [Path::new("b"), Path::new("c"), Path::new("b")]);
    assert_eq!(cycle("d"), None);
    assert_eq!(cycle("e").unwrap(), [Path::new("e"), Path::new("f"), Path::new("e")]);
}

/// For each file of a crate that is in a cycle, the shortest one.
fn cycles_in(package: &Package) -> Vec<String> {
    let imports = imports_of(&package.root_file());
    assert!(imports.len() > 1, "{} has no modules", package.name);
    let name = |file: PathBuf| file.strip_prefix(root()).unwrap().display().to_string();
    let cycles = imports.keys().filter_map(|file| cycle_through(&imports, file));
    cycles.map(|cycle| cycle.into_iter().map(name).collect::<Vec<_>>().join(" -> ")).collect()
}

/// The shortest way from a file back to itself.
fn cycle_through(imports: &Imports, start: &Path) -> Option<Vec<PathBuf>> {
    let (mut seen, mut ways) = (BTreeSet::new(), vec![vec![start.to_owned()]]);
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in &imports[way.last()?] {
                let way = [&way[..], std::slice::from_ref(next)].concat();
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}
