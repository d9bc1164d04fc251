//! Items that the other crates of this workspace use. They are not covered by semantic versioning.

pub use crate::{
    description::outline::outline_of,
    machine::{
        hooks::Hooks,
        machine::{poll_only, set_hooks},
        resume::is_moved,
    },
    private::shown::quoted,
    process::{
        code::TaskFunction,
        outline::ProcessOutline,
        schemas::definitions::Definitions,
        tables::{AiDefinition, Definition, TaskDefinition, TaskIndex, TaskKind},
    },
    prompt::primers::default_system_prompt,
    reply::partial::reader::{PartialReader, PartialUpdate},
    snapshot::version_manifest::{ManifestError, VersionManifest},
    values::panicked::{describe_panic, panic_message},
};
