//! Which crate may depend on which.

use std::collections::BTreeMap;

use crate::workspace::packages;

/// The layers of libraries and programs, the lowest first. A crate depends on crates of lower layers alone,
/// and only on those listed beside it.
const LAYERS: &[&[(&str, &[&str])]] = &[
    &[("cot-bounds", &[]), ("cot-schema", &[]), ("cot-syntax", &[])],
    &[
        ("cot-derive", &["cot-syntax"]),
        ("cot-format", &["cot-syntax"]),
        ("cot-model", &["cot-schema"]),
        ("cot-reader", &["cot-schema"]),
    ],
    &[
        ("cot-macros", &["cot-bounds", "cot-derive", "cot-syntax"]),
        ("cot-providers", &["cot-model", "cot-schema"]),
        ("cot-task-format", &["cot-reader", "cot-schema"]),
        ("cot-template", &["cot-model", "cot-schema"]),
    ],
    &[("cot-engine", &["cot-bounds", "cot-model", "cot-reader", "cot-schema", "cot-template"])],
    &[
        ("cot-description", &["cot-engine", "cot-model", "cot-schema"]),
        ("cot-store", &["cot-engine", "cot-model", "cot-reader", "cot-schema"]),
    ],
    &[
        ("cot-runtime", &["cot-description", "cot-engine", "cot-model", "cot-schema", "cot-store"]),
        ("cot-postgres", &["cot-engine", "cot-model", "cot-store"]),
        ("cot-sqlite", &["cot-engine", "cot-model", "cot-store"]),
    ],
    &[
        (
            "cot-agents",
            &[
                "cot-description",
                "cot-engine",
                "cot-macros",
                "cot-model",
                "cot-reader",
                "cot-runtime",
                "cot-schema",
                "cot-store",
                "cot-task-format",
            ],
        ),
        ("cot-eval", &["cot-engine", "cot-model", "cot-runtime", "cot-schema", "cot-store"]),
        ("cot-mcp", &["cot-engine", "cot-model", "cot-providers", "cot-runtime", "cot-schema"]),
        ("cot-progress", &["cot-engine", "cot-model", "cot-runtime"]),
        ("cot-otel", &["cot-engine", "cot-model", "cot-runtime", "cot-schema", "cot-store"]),
        (
            "cot-testing",
            &["cot-engine", "cot-model", "cot-reader", "cot-runtime", "cot-schema", "cot-store"],
        ),
    ],
    &[
        (
            "cot-web",
            &["cot-engine", "cot-eval", "cot-model", "cot-reader", "cot-schema", "cot-store"],
        ),
        (
            "cot-core",
            &[
                "cot-agents",
                "cot-description",
                "cot-engine",
                "cot-eval",
                "cot-macros",
                "cot-mcp",
                "cot-model",
                "cot-progress",
                "cot-otel",
                "cot-providers",
                "cot-reader",
                "cot-runtime",
                "cot-schema",
                "cot-store",
                "cot-task-format",
                "cot-testing",
            ],
        ),
    ],
    &[
        (
            "cot-cli",
            &[
                "cot-agents",
                "cot-core",
                "cot-engine",
                "cot-eval",
                "cot-format",
                "cot-model",
                "cot-postgres",
                "cot-reader",
                "cot-schema",
                "cot-sqlite",
                "cot-store",
                "cot-task-format",
                "cot-web",
            ],
        ),
        ("cot-restate", &["cot-core"]),
    ],
];

#[test]
fn crates_depend_on_lower_layers_alone() {
    let mut below: Vec<&str> = Vec::new();
    for layer in LAYERS {
        for dependency in layer.iter().flat_map(|(_, dependencies)| *dependencies) {
            assert!(below.contains(dependency), "{dependency} is not in a lower layer");
        }
        below.extend(layer.iter().map(|(name, _)| *name));
    }
}

#[test]
fn crates_have_the_listed_dependencies() {
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().flatten().copied().collect();
    let mut wrong = Vec::new();
    for package in packages().iter().filter(|package| package.is_library()) {
        let Some(allowed) = allowed.get(&*package.name) else {
            wrong.push(format!("{} is in no layer", package.name));
            continue;
        };
        for dependency in &package.depends_on {
            if !allowed.contains(&dependency.as_str()) {
                wrong.push(format!("{} may not depend on {dependency}", package.name));
            }
        }
        for dependency in *allowed {
            if !package.depends_on.contains(*dependency) {
                wrong.push(format!("{} does not depend on {dependency}", package.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
