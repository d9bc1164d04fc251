//! The JSON types that a schema accepts.

use fnv::FnvHashMap;
use serde_json::Value;

use super::{
    document::{Document, Subschema},
    node::Types,
    place::Place,
};

/// Returns the JSON types of the values of a schema. An alternative that refers back to the schema is ignored.
pub(crate) fn accepted_types(document: Document<'_>, schema: Subschema<'_>) -> Types {
    types(document, schema, &mut FnvHashMap::default())
}

fn types(
    document: Document<'_>,
    schema: Subschema<'_>,
    known: &mut FnvHashMap<*const Value, Types>,
) -> Types {
    if let Some(types) = known.get(&std::ptr::from_ref(schema.schema)) {
        return *types;
    }
    known.insert(schema.schema, Types::NONE);
    let place = Place::new(document, &[schema]);
    let mut found = place.types;
    for branches in place.alternatives.iter().filter(|_| place.types == Types::ALL) {
        let of_branches = branches.iter().map(|branch| types(document, *branch, known));
        found = found.and(of_branches.fold(Types::NONE, Types::or));
    }
    known.insert(schema.schema, found);
    found
}
