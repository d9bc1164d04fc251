//! Items that the other crates of this workspace use. They are not covered by semantic versioning.

pub use cot_bounds::DEFAULT_MAX_RETRIES;
pub use cot_model::internal::panic_message;

pub use crate::{
    machine::{
        any_machine::{AnyMachine, AnyUpdate},
        hooks::Hooks,
        machine::set_hooks,
        recorded::RecordedEvent,
        tasks::typed_directive,
        typed_outline::outline_of,
    },
    private::shown::quoted,
    process::{
        bounds::{AtMost, BoundsDefinition},
        kinds::{
            group::Collect,
            info::{KindInfo, KindTag, Success},
        },
        outline::{ProcessOutline, TaskOutline},
        schemas::definitions::Definitions,
        tables::{
            AiDefinition, Definition, HistoryLimit, TaskDefinition, TaskIndex, TaskKind,
            TransitionDefinition,
        },
        texts::{Primer, ProcessTexts, TaskTexts, TextFacts},
        tool::definition::{ToolDefinition, ToolHistory, ToolSelection},
        trust::{TaskTrust, TrustDefinition, UntrustedHistory},
    },
    prompt::{
        order::{Section, section_order},
        primers::{self, default_system_prompt},
    },
    protocol::{key::call_key::VisitKey, run_event::event::IndexEvent},
    reply::partial::reader::{PartialReader, PartialUpdate},
    snapshot::{
        fingerprint::{Fingerprint, hash_parts, hex},
        version_manifest::{ManifestError, VersionManifest},
    },
    values::{outcome::map_ending, panicked::describe_panic},
};
