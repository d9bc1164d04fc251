//! Programs that are refused for nothing, and that no lint complains about.

#[path = "../accepted/assistants/desk.rs"]
pub mod assistants_desk;
#[path = "../accepted/all/constants_and_names.rs"]
pub mod constants_and_names;
#[path = "../accepted/all/every_kind.rs"]
pub mod every_kind;
#[path = "../accepted/all/everything.rs"]
pub mod everything;
#[path = "../accepted/all/lints.rs"]
pub mod lints;
#[path = "../accepted/all/raw_identifiers.rs"]
pub mod raw_identifiers;
#[path = "../accepted/all/rules.rs"]
pub mod rules;
#[path = "../accepted/all/rust_in_expressions.rs"]
pub mod rust_in_expressions;
#[path = "../accepted/state_proof/paths.rs"]
pub mod state_proof_paths;
#[path = "../accepted/state_proof/reads.rs"]
pub mod state_proof_reads;
#[path = "../accepted/state_proof/unused.rs"]
pub mod state_proof_unused;
#[path = "../accepted/all/templates_of_the_context.rs"]
pub mod templates_of_the_context;
#[path = "../accepted/all/tools.rs"]
pub mod tools;
#[path = "../accepted/all/trust.rs"]
pub mod trust;

use crate::{entries, programs_in, root};

#[test]
fn accepted_programs_run() {
    assistants_desk::main();
    constants_and_names::main();
    every_kind::main();
    everything::main();
    lints::main();
    raw_identifiers::main();
    rules::main();
    rust_in_expressions::main();
    templates_of_the_context::main();
    tools::main();
    trust::main();
    state_proof_paths::main();
    state_proof_reads::main();
    state_proof_unused::main();
}

#[test]
fn every_accepted_program_is_compiled() {
    let modules = include_str!("accepted.rs");
    let kinds = entries(&root().join("accepted"));
    for program in kinds.iter().flat_map(|kind| programs_in(kind)) {
        let path = program.strip_prefix(root()).expect("a program of ours").display().to_string();
        assert!(modules.contains(&format!("#[path = \"../{path}\"]")), "{path} is no module");
    }
}
