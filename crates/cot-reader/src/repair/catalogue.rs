//! The catalogue of repairs: id, class, cost, sentence and an example of each.
//!
//! A cost of 1 means a trivial repair such as a trailing comma. A `{}` in a sentence is a placeholder for
//! the subject of the repair. The page on replies lists these rows.

use super::{
    class::RepairClass,
    row::{Row, catalogue},
};

/// The cost of a key that the schema neither names nor forbids. It is not a repair, but another branch may
/// name the key.
pub(crate) const STRAY_KEY: u64 = 3;

/// The text for repairs beyond the maximum number.
pub(super) const OMITTED: &str = "more repairs";

impl RepairKind {
    /// The repairs of transitions, which occur only in running processes.
    pub const TRANSITION_REPAIRS: [Self; 3] =
        [Self::TransitionKey, Self::TransitionTarget, Self::TransitionWrapped];

    /// The repairs of calls of tools, which occur only in running processes.
    pub const CALL_REPAIRS: [Self; 1] = [Self::ArgumentsLeftOut];

    /// The repairs of a document whose texts and keys are all in quotes, and closed where their quotes say.
    pub(crate) const BESIDE_TEXTS: &[Self] = &[
        Self::BraceForCloser,
        Self::BracketForCloser,
        Self::Comment,
        Self::ControlCharacter,
        Self::DoubledBraces,
        Self::EqualsForColon,
        Self::ExtraCloser,
        Self::ExtraColon,
        Self::ExtraComma,
        Self::FieldTwice,
        Self::HexadecimalNumber,
        Self::JavaScriptLiteral,
        Self::MissingCloser,
        Self::NumberSuffix,
        Self::NumberUnderscores,
        Self::OddBlank,
        Self::OddEscape,
        Self::OddNumber,
        Self::PlainBackslash,
        Self::PythonLiteral,
        Self::RubyLiteral,
        Self::Semicolon,
        Self::TrailingComma,
        Self::WideColon,
        Self::WideComma,
    ];

    /// The repairs of a text that ends too early.
    pub(super) const COMPLETIONS: [Self; 9] = [
        Self::BreaksOff,
        Self::HalfEscape,
        Self::HalfField,
        Self::HalfKey,
        Self::HalfLiteral,
        Self::HalfNumber,
        Self::MissingCloser,
        Self::NoClosingQuote,
        Self::UnclearEnd,
    ];
}

catalogue! {
    // Strings. The repairs of one string are reported in this order.
    SingleQuotes: "single_quotes", Syntax, 1, "single quotes", "{\"v\": 'a'}";
    Backticks: "backticks", Syntax, 1, "backticks instead of quotes", "{\"v\": `a`}";
    TypographicQuotes: "typographic_quotes", Syntax, 1, "typographic quotes", "{\"v\": “a”}";
    EscapedQuotes: "escaped_quotes", Syntax, 3, "escaped quotes", "{\"v\": \\\"a\\\"}";
    RepeatedQuotes: "repeated_quotes", Syntax, 3, "quotes written several times", "{\"v\": \"\"\"a\"\"\"}";
    DoubledInside: "doubled_inside", Syntax, 2, "doubled quotes inside a string", "{\"v\": \"say \"\"hi\"\" to it\"}";
    ControlCharacter: "control_character", Syntax, 1, "a line break or control character that is not escaped", "{\"v\": \"a\nb\"}";
    OddEscape: "odd_escape", Syntax, 1, "an escape that JSON does not have", "{\"v\": \"it\\'s\"}";
    PlainBackslash: "plain_backslash", Syntax, 1, "a backslash that begins no escape", "{\"v\": \"\\frac{1}{2}\"}";
    HalfUnicode: "half_unicode", Loss, 3, "an escape of a character that is not whole", "{\"v\": \"\\u00g\"}";
    LoneSurrogate: "lone_surrogate", Loss, 5, "half a character (a lone surrogate)", "{\"v\": \"\\ud800\"}";
    HalfEscape: "half_escape", Loss, 2, "half an escape at the end", "{\"v\": \"a\\";
    NoClosingQuote: "no_closing_quote", Syntax, 3, "a missing closing quote", "{\"v\": \"a, \"w\": \"b\"}";
    NoOpeningQuote: "no_opening_quote", Syntax, 3, "a missing opening quote", "{v\": \"a\"}";
    KeyWithoutQuotes: "key_without_quotes", Syntax, 2, "a key without quotes", "{v: \"a\"}";
    BreaksOff: "breaks_off", Syntax, 4, "a string that breaks off", "{\"v\": \"a";
    InnerQuotes: "inner_quotes", Syntax, 1, "quotes inside a string that are not escaped", "{\"v\": \"the \"best\" one\"}";

    // Unquoted words and notations of other languages.
    StringWithoutQuotes: "string_without_quotes", Syntax, 3, "a string without quotes", "{\"v\": red}";
    CommasWithoutQuotes: "commas_without_quotes", Syntax, 3, "commas in a string without quotes", "{\"v\": red, or blue}";
    FieldWithoutQuotes: "field_without_quotes", Syntax, 5, "what looks like a field in a string without quotes", "{\"v\": red w: blue}";
    PythonLiteral: "python_literal", Syntax, 1, "a Python literal `{}`", "{\"v\": None}";
    JavaScriptLiteral: "javascript_literal", Syntax, 1, "a JavaScript literal `{}`", "{\"v\": undefined}";
    RubyLiteral: "ruby_literal", Syntax, 1, "a Ruby literal `{}`", "{\"v\": nil}";
    UnknownLiteral: "unknown_literal", Loss, 5, "`{}`, which JSON does not have", "{\"v\": NaN}";
    HexadecimalNumber: "hexadecimal_number", Syntax, 1, "a hexadecimal number", "{\"v\": 0x1F}";
    NumberSuffix: "number_suffix", Syntax, 1, "a suffix of a number", "{\"v\": 10n}";
    NumberUnderscores: "number_underscores", Syntax, 1, "underscores in a number", "{\"v\": 1_000}";
    OddNumber: "odd_number", Syntax, 1, "a number that is not written as in JSON", "{\"v\": .5}";
    HalfNumber: "half_number", Loss, 3, "half a number", "{\"v\": 1.5e";
    HalfLiteral: "half_literal", Loss, 3, "half a literal", "{\"v\": tru";
    MarkAfterValue: "mark_after_value", Syntax, 2, "a mark after the value", "true;";
    StringPrefix: "string_prefix", Syntax, 2, "a prefix of a string", "{\"v\": u\"a\"}";
    HtmlQuotes: "html_quotes", Syntax, 2, "quotes of HTML", "{\"v\": &quot;a&quot;}";
    Call: "call", Syntax, 2, "a call of `{}`", "{\"v\": ObjectId(\"a\")}";
    JoinedStrings: "joined_strings", Syntax, 3, "strings joined with `+`", "{\"v\": \"a\" + \"b\"}";
    UnclearEnd: "unclear_end", Loss, 4, "a text of which it is not clear where it ends", "{\"v\": \"a,}";

    // Comments and white space.
    Comment: "comment", Syntax, 1, "a comment", "{\"v\": 1 /* one */}";
    OddBlank: "odd_blank", Syntax, 1, "white space that JSON does not have", "{\"v\":\u{a0}1}";
    CommentLikeText: "comment_like_text", Loss, 5, "a comment that may be a text; put texts in quotes", "{\"v\": [\"a\", #b\"\n]}";
    CommentBeforeEnd: "comment_before_end", Loss, 5, "what comes after a comment, on its line", "{\"v\": 1 // one }";
    LeftOut: "left_out", Loss, 5, "dots stand for what was left out; give all of it", "{\"v\": [1, 2, ...]}";

    // Objects, lists and their brackets.
    EarlyCloser: "early_closer", Syntax, 4, "a closing bracket before the last fields", "{\"v\": 1}, \"w\": 2}";
    MissingComma: "missing_comma", Syntax, 2, "a missing comma", "{\"v\": 1 \"w\": 2}";
    DoubledBraces: "doubled_braces", Syntax, 4, "doubled braces", "{{\"v\": 1}}";
    Set: "set", Syntax, 4, "a set", "{\"v\": {1, 2}}";
    Tuple: "tuple", Syntax, 3, "a tuple", "{\"v\": (1, 2)}";
    FieldTwice: "field_twice", Syntax, 2, "a field given twice", "{\"v\": 1, \"v\": 1}";
    EqualsForColon: "equals_for_colon", Syntax, 3, "`=` instead of a colon", "{\"v\" = 1}";
    WideColon: "wide_colon", Syntax, 2, "a full-width colon", "{\"v\"：1}";
    MissingColon: "missing_colon", Syntax, 3, "a missing colon", "{\"v\" 1}";
    ExtraColon: "extra_colon", Syntax, 2, "an extra colon", "{\"v\":: 1}";
    WideComma: "wide_comma", Syntax, 2, "a full-width comma", "{\"v\": 1， \"w\": 2}";
    Semicolon: "semicolon", Syntax, 2, "a semicolon instead of a comma", "{\"v\": 1; \"w\": 2}";
    ExtraComma: "extra_comma", Syntax, 2, "an extra comma", "{\"v\": 1,, \"w\": 2}";
    TrailingComma: "trailing_comma", Syntax, 1, "a trailing comma", "{\"v\": 1,}";
    MissingValue: "missing_value", Loss, 5, "a missing value", "{\"v\": }";
    HalfKey: "half_key", Loss, 2, "half a key at the end", "{\"v\": 1, \"w";
    HalfField: "half_field", Loss, 2, "a key without a value at the end", "{\"v\": 1, \"w\":";
    MissingCloser: "missing_closer", Syntax, 2, "a missing `{}`", "{\"v\": 1";
    ExtraCloser: "extra_closer", Syntax, 3, "an extra `{}`", "{\"v\": [1}, 2]}";
    BracketForCloser: "bracket_for_closer", Syntax, 3, "`]` in place of `{}`", "{\"v\": 1]";
    BraceForCloser: "brace_for_closer", Syntax, 3, "`}` in place of `{}`", "{\"v\": [1}, \"w\": 2}";
    ParenthesisForCloser: "parenthesis_for_closer", Syntax, 3, "`)` in place of `{}`", "{\"v\": [[1]), \"w\": 2}";
    ExtraClosers: "extra_closers", Syntax, 3, "extra closing brackets", "{\"v\": 1}}";

    // The text as a whole.
    TextAfter: "text_after", Syntax, 8, "text that could be a part of the JSON comes after it", "{\"v\": red w: blue} \"a\"";
    EscapedJson: "escaped_json", Syntax, 3, "escaped JSON", "{\\\"v\\\": 1}";
    HtmlSigns: "html_signs", Syntax, 3, "characters escaped as in HTML", "{&quot;v&quot;: 1}";
    MissingOpener: "missing_opener", Syntax, 3, "a missing `{}` at the start", "\"v\": 1}";
    RepeatedValue: "repeated_value", Syntax, 3, "the same value several times", "{\"v\": 1}\n{\"v\": 1}";
    ValuesInRow: "values_in_row", Syntax, 4, "consecutive values instead of a list", "{\"v\": 1}\n{\"v\": 2}";

    // Numbers, texts and booleans.
    SpaceAround: "space_around", Coercion, 1, "white space around a text was removed", "{\"v\": \" 2024-05-01 \"}";
    NumberAsText: "number_as_text", Coercion, 2, "a number was written as text", "{\"v\": \"12\"}";
    NumberSeparators: "number_separators", Coercion, 3, "a number was written with separators", "{\"v\": \"1,200\"}";
    NumberPercent: "number_percent", Coercion, 3, "a number was written with a percent sign", "{\"v\": \"12%\"}";
    NumberUnit: "number_unit", Loss, 50, "the unit of a number was left out", "{\"v\": \"5 km\"}";
    NumberRounded: "number_rounded", Loss, 50, "a number was rounded", "{\"v\": 2.7}";
    WholeWithFraction: "whole_with_fraction", Coercion, 1, "a whole number was written with a fraction", "{\"v\": 2.0}";
    BooleanAsText: "boolean_as_text", Coercion, 2, "a boolean was written as text", "{\"v\": \"yes\"}";
    BitAsText: "bit_as_text", Coercion, 4, "a boolean was written as text", "{\"v\": \"1\"}";
    BooleanAsNumber: "boolean_as_number", Coercion, 4, "a boolean was written as a number", "{\"v\": 1}";
    NullAsText: "null_as_text", Coercion, 4, "null was written as text", "{\"v\": \"n/a\"}";
    TextAsNumber: "text_as_number", Coercion, 2, "a text was written without quotes", "{\"v\": 12}";
    NumberAsDigits: "number_as_digits", Coercion, 1, "a number was taken as its digits", "{\"v\": 12}";

    // Options of an enum or constant.
    OptionNumber: "option_number", Coercion, 1, "a number was written in another form", "{\"v\": 1.0}";
    OptionMarks: "option_marks", Coercion, 2, "marks around an option were removed", "{\"v\": \"**Approved**\"}";
    OptionAlias: "option_alias", Coercion, 1, "an option was given by another name", "{\"v\": \"ok\"}";
    OptionCase: "option_case", Coercion, 2, "an option was written in another case", "{\"v\": \"approved\"}";
    OptionSeparators: "option_separators", Coercion, 2, "an option was written with other separators", "{\"v\": \"in-review\"}";
    OptionAccents: "option_accents", Coercion, 3, "an option was written with other accents", "{\"v\": \"Àpproved\"}";
    OptionReason: "option_reason", Loss, 50, "what followed an option was left out", "{\"v\": \"Approved: it works\"}";
    OptionAsText: "option_as_text", Coercion, 2, "an option was written as text", "{\"v\": \"2\"}";
    OptionNotText: "option_not_text", Coercion, 2, "an option was not written as text", "{\"v\": 2}";

    // Object members.
    KeyAlias: "key_alias", Coercion, 1, "the key was written `{}`", "{\"alias\": 1}";
    KeyCase: "key_case", Coercion, 2, "the key was written `{}`", "{\"V\": 1}";
    KeySeparators: "key_separators", Coercion, 2, "the key was written `{}`", "{\"a-key\": 1}";
    KeyAccents: "key_accents", Coercion, 3, "the key was written `{}`", "{\"a_kéy\": 1}";
    KeyMarks: "key_marks", Coercion, 2, "the key was written `{}`", "{\"`v`\": 1}";
    MapKey: "map_key", Coercion, 2, "the key was written `{}`", "{\"v\": {\"approved\": 1}}";
    EmptyUnknownKey: "empty_unknown_key", Coercion, 4, "a key that the schema does not know was left out", "{\"v\": 1, \"other\": null}";
    UnknownKey: "unknown_key", Loss, 4, "unknown key, which would be left out; {}", "{\"v\": 1, \"other\": 2}";
    ValueTwice: "value_twice", Coercion, 2, "a value that was given twice was left out", "{\"v\": 1, \"V\": 1}";
    NullLeftOut: "null_left_out", Coercion, 1, "`null` was left out, since the field may be absent", "{\"v\": null}";
    NothingLeftOut: "nothing_left_out", Coercion, 4, "a text that stands for nothing was left out", "{\"v\": \"n/a\"}";
    MemberLeftOut: "member_left_out", Loss, 50, "a member that does not fit was left out", "{\"v\": {\"a\": 1, \"b\": \"x\"}}";

    // Lists and nesting.
    ItemLeftOut: "item_left_out", Loss, 50, "an item that does not fit was left out", "{\"v\": [1, \"x\"]}";
    OneOfList: "one_of_list", Coercion, 6, "a list of one was given for a single value", "{\"v\": [1]}";
    FirstOfList: "first_of_list", Loss, 50, "the items of a list after the first one were left out", "{\"v\": [1, 2]}";
    Listed: "listed", Coercion, 6, "a single value was given for a list", "{\"v\": 1}";
    FlatList: "flat_list", Coercion, 6, "a single list was given for a list of lists", "{\"v\": [1, 2]}";
    EntriesForMap: "entries_for_map", Coercion, 6, "a map was given as a list of entries", "{\"v\": [{\"key\": \"a\", \"value\": 1}]}";
    EntryKey: "entry_key", Coercion, 2, "a key was written in another form", "{\"v\": [{\"key\": \"approved\", \"value\": 1}]}";
    Unwrapped: "unwrapped", Coercion, 8, "the value was nested under the key `{}`", "{\"result\": {\"v\": 1}}";
    MissingObject: "missing_object", Coercion, 8, "the object around `{}` was missing", "{\"v\": [1, 2]}";
    SchemaShape: "schema_shape", Coercion, 8, "the value was given as the `{}` of a schema", "{\"type\": \"object\", \"properties\": {\"v\": 1}}";
    JsonAsText: "json_as_text", Coercion, 6, "JSON was written as text", "{\"v\": \"[1, 2]\"}";

    // Variants of an enum.
    VariantForm: "variant_form", Coercion, 10, "a variant was written in another form", "{\"v\": {\"type\": \"circle\", \"r\": 1}}";
    MissingTag: "missing_tag", Coercion, 20, "the tag of a variant was missing", "{\"v\": {\"side\": 1}}";

    // Transitions and calls.
    TransitionKey: "transition_key", Coercion, 2, "the key was `{}`", "{\"intent\": \"stop\", \"go_to\": \"done\", \"stepAfter\": \"none\"}";
    TransitionTarget: "transition_target", Coercion, 2, "was {}", "{\"intent\": \"stop\", \"goTo\": \"Done\", \"stepAfter\": \"none\"}";
    TransitionWrapped: "transition_wrapped", Coercion, 4, "the object around it was removed", "{\"reply\": {\"intent\": \"stop\", \"goTo\": \"done\", \"stepAfter\": \"none\"}}";
    ArgumentsLeftOut: "arguments_left_out", Coercion, 4, "the arguments of a tool that takes none were left out", "{\"tool\": \"now\", \"arguments\": {\"type\": \"IMAGE\"}}";
}
