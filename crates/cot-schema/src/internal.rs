//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::{
    decimal::Decimal,
    depth::{TOO_DEEP, depth, is_deep, is_deep_text, shallow, shallow_value},
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
    located::{LocatedError, read_located},
    notation::notation::notation,
    output::{
        checker::checker::Checker,
        given::{UntypedOutput, deserialize},
        inside::{NonOutputPart, NonOutputType, OutputPart, OutputType, RangeChecked},
        reserved::ReservedKey,
        result_type::{AnyResult, ResultType},
        rules::RulesCollector,
        wrapped::{is_wrapped, value as wrap},
    },
    path::{PathSegment, format_path},
    plain::{
        node::BorrowedJsonFormat,
        plain::{BorrowedJson, NUMBER_KEY},
    },
    sentence::sentence,
    shape::{
        fields::field_names,
        tracer::{Shapes, shapes},
    },
    state::{
        assigned::{Assigned, PlainValue, TakesOption},
        field::{Field, FieldType},
        keyed::{Keyed, KeyedCreate, key_at, value_at, value_at_key, value_at_key_or_default},
    },
    suggest::closest_name,
    text::truncate,
    trust::{
        closed::{Closed, Closedness, MaybeOpen, MemberClosedness, first_unknown, is_open},
        quotable::Quotable,
    },
    type_rules::{FieldRule, TypeRules, VariantRule},
    validate::validator::{check, compile, compile_any},
};
