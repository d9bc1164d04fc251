//! A case for each repair, in the order of the catalogue.

use crate::repair::catalogue::RepairKind::{self, *};

/// Each repair with the schema of `v` in its example, and the other repairs that the example needs.
pub(super) const CASES: &[(RepairKind, Option<&str>, &[RepairKind])] = &[
    (SingleQuotes, ANY, &[]),
    (Backticks, ANY, &[]),
    (TypographicQuotes, ANY, &[]),
    (EscapedQuotes, ANY, &[]),
    (RepeatedQuotes, ANY, &[]),
    (DoubledInside, ANY, &[]),
    (ControlCharacter, ANY, &[]),
    (OddEscape, ANY, &[]),
    (PlainBackslash, ANY, &[]),
    (HalfUnicode, ANY, &[]),
    (LoneSurrogate, ANY, &[]),
    (HalfEscape, ANY, &[BreaksOff, MissingCloser]),
    (NoClosingQuote, ANY, &[]),
    (NoOpeningQuote, ANY, &[]),
    (KeyWithoutQuotes, ANY, &[]),
    (BreaksOff, ANY, &[MissingCloser]),
    (InnerQuotes, ANY, &[]),
    (StringWithoutQuotes, ANY, &[]),
    (CommasWithoutQuotes, ANY, &[StringWithoutQuotes]),
    (FieldWithoutQuotes, ANY, &[StringWithoutQuotes]),
    (PythonLiteral, ANY, &[]),
    (JavaScriptLiteral, ANY, &[]),
    (RubyLiteral, ANY, &[]),
    (UnknownLiteral, ANY, &[]),
    (HexadecimalNumber, ANY, &[]),
    (NumberSuffix, ANY, &[]),
    (NumberUnderscores, ANY, &[]),
    (OddNumber, ANY, &[]),
    (HalfNumber, ANY, &[StringWithoutQuotes, MissingCloser]),
    (HalfLiteral, ANY, &[StringWithoutQuotes, MissingCloser]),
    (MarkAfterValue, ANY, &[]),
    (StringPrefix, ANY, &[]),
    (HtmlQuotes, ANY, &[]),
    (Call, ANY, &[]),
    (JoinedStrings, ANY, &[]),
    (UnclearEnd, ANY, &[NoClosingQuote]),
    (Comment, ANY, &[]),
    (OddBlank, ANY, &[]),
    (CommentLikeText, ANY, &[Comment, TrailingComma]),
    (CommentBeforeEnd, ANY, &[Comment, MissingCloser]),
    (LeftOut, ANY, &[TrailingComma]),
    (EarlyCloser, ANY, &[]),
    (MissingComma, ANY, &[]),
    (DoubledBraces, ANY, &[]),
    (Set, ANY, &[]),
    (Tuple, ANY, &[]),
    (FieldTwice, ANY, &[]),
    (EqualsForColon, ANY, &[]),
    (WideColon, ANY, &[]),
    (MissingColon, ANY, &[]),
    (ExtraColon, ANY, &[]),
    (WideComma, ANY, &[]),
    (Semicolon, ANY, &[]),
    (ExtraComma, ANY, &[]),
    (TrailingComma, ANY, &[]),
    (MissingValue, ANY, &[]),
    (HalfKey, ANY, &[MissingCloser]),
    (HalfField, ANY, &[MissingCloser]),
    (MissingCloser, ANY, &[]),
    (ExtraCloser, ANY, &[]),
    (BracketForCloser, ANY, &[]),
    (BraceForCloser, ANY, &[]),
    (ParenthesisForCloser, ANY, &[]),
    (ExtraClosers, ANY, &[]),
    (TextAfter, ANY, &[StringWithoutQuotes, FieldWithoutQuotes]),
    (EscapedJson, ANY, &[]),
    (HtmlSigns, ANY, &[]),
    (MissingOpener, ANY, &[]),
    (RepeatedValue, ANY, &[]),
    (ValuesInRow, ANY, &[]),
    (SpaceAround, Some(r#"{"type": "string", "format": "date"}"#), &[]),
    (NumberAsText, INTEGER, &[]),
    (NumberSeparators, INTEGER, &[]),
    (NumberPercent, INTEGER, &[]),
    (NumberUnit, INTEGER, &[]),
    (NumberRounded, INTEGER, &[]),
    (WholeWithFraction, INTEGER, &[]),
    (BooleanAsText, BOOLEAN, &[]),
    (BitAsText, BOOLEAN, &[]),
    (BooleanAsNumber, BOOLEAN, &[]),
    (NullAsText, Some(r#"{"type": ["integer", "null"]}"#), &[]),
    (TextAsNumber, Some(r#"{"type": "string"}"#), &[]),
    (NumberAsDigits, Some(r#"{"type": ["number", "string"], "pattern": "^[0-9.]+$"}"#), &[]),
    (OptionNumber, Some(r#"{"enum": [1, 2]}"#), &[]),
    (OptionMarks, VERDICT, &[]),
    (OptionAlias, VERDICT, &[]),
    (OptionCase, VERDICT, &[]),
    (OptionSeparators, VERDICT, &[]),
    (OptionAccents, VERDICT, &[]),
    (OptionReason, VERDICT, &[]),
    (OptionAsText, Some(r#"{"enum": [1, 2]}"#), &[]),
    (OptionNotText, Some(r#"{"enum": ["1", "2"]}"#), &[]),
    (KeyAlias, INTEGER, &[]),
    (KeyCase, INTEGER, &[]),
    (KeySeparators, INTEGER, &[]),
    (KeyAccents, INTEGER, &[]),
    (KeyMarks, INTEGER, &[]),
    (MapKey, MAP_OF_VERDICTS, &[]),
    (EmptyUnknownKey, INTEGER, &[]),
    (UnknownKey, INTEGER, &[]),
    (ValueTwice, INTEGER, &[]),
    (NullLeftOut, INTEGER, &[]),
    (NothingLeftOut, INTEGER, &[]),
    (MemberLeftOut, MAP, &[]),
    (ItemLeftOut, INTEGERS, &[]),
    (OneOfList, INTEGER, &[]),
    (FirstOfList, INTEGER, &[]),
    (Listed, INTEGERS, &[]),
    (FlatList, LISTS, &[]),
    (EntriesForMap, MAP, &[]),
    (EntryKey, MAP_OF_VERDICTS, &[EntriesForMap]),
    (Unwrapped, INTEGER, &[]),
    (MissingObject, LIST_IN_OBJECT, &[]),
    (SchemaShape, INTEGER, &[]),
    (JsonAsText, INTEGERS, &[]),
    (VariantForm, SHAPE, &[]),
    (MissingTag, SHAPE, &[]),
];

/// Any JSON is accepted.
const ANY: Option<&str> = None;
const INTEGER: Option<&str> = Some(r#"{"type": "integer"}"#);
const BOOLEAN: Option<&str> = Some(r#"{"type": "boolean"}"#);
const VERDICT: Option<&str> = Some(r##"{"$ref": "#/$defs/Verdict"}"##);
const INTEGERS: Option<&str> = Some(r#"{"type": "array", "items": {"type": "integer"}}"#);
const LISTS: Option<&str> = Some(
    r#"{
        "type": "array",
        "minItems": 1,
        "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2}
    }"#,
);
const LIST_IN_OBJECT: Option<&str> = Some(
    r#"{
        "type": "object",
        "properties": {"list": {"type": "array", "items": {"type": "integer"}}},
        "required": ["list"]
    }"#,
);
const MAP: Option<&str> =
    Some(r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#);
const MAP_OF_VERDICTS: Option<&str> = Some(
    r#"{
        "type": "object",
        "propertyNames": {"enum": ["Approved"]},
        "additionalProperties": {"type": "integer"}
    }"#,
);
const SHAPE: Option<&str> = Some(
    r#"{"oneOf": [
        {
            "type": "object",
            "properties": {"type": {"const": "square"}, "side": {"type": "integer"}},
            "required": ["type", "side"]
        },
        {
            "type": "object",
            "properties": {
                "circle": {"type": "object", "properties": {"r": {"type": "integer"}}, "required": ["r"]}
            },
            "required": ["circle"],
            "additionalProperties": false
        }
    ]}"#,
);
