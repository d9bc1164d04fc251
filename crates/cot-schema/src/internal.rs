//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::{
    decimal::Decimal,
    graph::{
        choice::Product,
        document::{Document, Keywords, Subschema},
        graph::SchemaGraph,
        names::{NameLookup, NameMatch, Names, Nearness, QUOTES, same_name, strip_marks},
        node::{
            Either, Label, LabelForm, Lists, Node, NodeId, Objects, Options, Others, Property,
            Types,
        },
        place::Place,
        places::{PlaceId, Places},
        resolve::Flaw,
    },
    output::{
        checker::checker::Checker,
        given::{Given, deserialize},
        inside::{Bounded, Part, PlainPart, PlainType, Type},
        reserved::ReservedKey,
        rules::Rules,
        wrapped::{is_wrapped, value as wrap},
    },
    path::{Step, path_of},
    plain::{
        node::PlainJson,
        plain::{NUMBER_KEY, Plain},
    },
    suggest::closest,
    text::cut_text,
    type_rules::{FieldRule, TypeRules, VariantRule},
    validate::validator::{check, compile, compile_any},
};
