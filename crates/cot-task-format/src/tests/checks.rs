use super::*;

const START: &str = "system「s」\n";
const TURN: &str = "user「u」 🏷 usr1\nplan { todo ↦ { 1 ↦ x } }\n";
const TOOL: &str = "tool { name ↦ get • params ↦ { n ↦ { type ↦ integer } • u ↦ { enum ↦ [ a • b ] • \
                    required ↦ false } } }\n";

/// The codes of errors and of warnings.
fn found(text: &str) -> (Vec<String>, Vec<String>) {
    let report = check(text);
    (codes(&report.errors), codes(&report.warnings))
}

fn words(text: &str) -> Vec<&'static str> {
    let report = check(text);
    report.errors.iter().chain(&report.warnings).map(|finding| finding.code.as_str()).collect()
}

#[test]
fn finds_nothing_wrong_with_a_right_trace() {
    let report = check(WEATHER);
    assert_eq!(found(WEATHER), (vec![], vec![]));
    assert_eq!(report.tags_defined, ["sys1", "usr1", "weather-result", "rationale"]);
    assert_eq!(report.tags_referenced, ["usr1", "weather-result", "rationale"]);
    assert_eq!((report.todos_defined, report.todos_satisfied), (vec![1, 2, 3], vec![1, 2, 3]));
    assert_eq!(report.tools, ["get_weather"]);
    assert_eq!(report.calls[0].id.as_deref(), Some("weather-result"));
}

#[test]
fn checks_the_sequence() {
    for (text, expected) in [
        ("", &["missing_system", "missing_user", "missing_plan", "missing_response"][..]),
        ("user「u」🏷 usr1\nplan {}\nresponse「r」", &["missing_system"]),
        ("user「u」🏷 usr1\nsystem「s」\nplan {}\nresponse「r」", &["wrong_order"]),
        ("system「s」\nplan {}\nuser「u」🏷 usr1\nresponse「r」", &["wrong_order", "missing_plan"]),
        ("system「s」\nuser「u」🏷 usr1\nact {}\nplan {}\nresponse「r」", &["wrong_order"]),
        ("system「s」\nuser「u」🏷 usr1\nplan {}\nresponse「r」\nact {}", &["wrong_order"]),
        (
            "system「s」\nuser「u」🏷 usr1\ntool { name ↦ t }\nplan {}\nresponse「r」",
            &["wrong_order"],
        ),
        ("system「s」\nuser「u」🏷 usr1\nplan {}\nplan {}\nresponse「r」", &["consecutive_plans"]),
        (
            "system「s」\nuser「u」🏷 usr1\nplan {}\nuser「v」🏷 usr2",
            &["missing_response", "missing_plan", "missing_response"],
        ),
        ("system「s」\nuser「u」🏷 usr2\nplan {}\nresponse「r」", &["user_id"]),
        ("system「s」\nuser「u」\nplan {}\nresponse「r」", &["user_id"]),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn checks_tags_todos_and_confidence() {
    let text = format!(
        "{START}{TURN}act {{\n think ↦ x ※ y 𝑝 1.5 ⊨ 2 •\n think ↦ z 🏷 y ※ none\n}}\nresponse「r」🏷 y"
    );
    assert_eq!(
        found(&text).1,
        [
            "unsatisfied_todo@3:17",
            "undefined_reference@5:14",
            "undefined_todo@5:24",
            "undefined_reference@6:18",
            "duplicate_tag@8:14",
        ]
    );
    assert_eq!(found(&text).0, ["confidence_out_of_range@5:18"]);
    assert!(check(&text.replace("𝑝 1.5", "𝑝 0.5")).is_valid());
}

#[test]
fn begins_todos_anew_in_each_turn() {
    let done = "response「r」⊨ 1\n";
    let second = "user「u」🏷 usr2\nplan { todo ↦ { 1 ↦ x } }\n";
    assert_eq!(words(&format!("{START}{TURN}{done}{second}{done}")), Vec::<&str>::new());
    let open = "response「r」\n";
    let text = format!("{START}{TURN}{open}{second}{done}");
    assert_eq!(found(&text).1, ["unsatisfied_todo@3:17"]);
}

#[test]
fn checks_calls_against_tools() {
    let end = "response「r」⊨ 1";
    for (call, expected) in [
        ("tool ↦ get • n ↦ 1 • u ↦ a • id ↦ c", &[][..]),
        ("tool ↦ get • n ↦ \"1\" • id ↦ c", &[]),
        ("tool ↦ got • id ↦ c", &["undefined_tool"]),
        ("tool ↦ get • id ↦ c", &["missing_argument"]),
        ("tool ↦ get • n ↦ 1 • m ↦ 2 • id ↦ c", &["unknown_argument"]),
        // Names that were mixed up are one mistake.
        ("tool ↦ get • m ↦ 2 • o ↦ 3 • id ↦ c", &["unknown_argument"]),
        ("tool ↦ get • n ↦ 1.5 • id ↦ c", &["wrong_argument"]),
        ("tool ↦ get • n ↦ 1 • u ↦ c • id ↦ c", &["wrong_argument"]),
        ("tool ↦ get • n ↦ 1 • u ↦ [ a ] • id ↦ c", &["wrong_argument"]),
        ("n ↦ 1 • id ↦ c", &["bad_call"]),
        ("tool ↦ get • n ↦ 1", &["unmatched_result", "missing_call_id"]),
        ("tool ↦ get • n ↦ 1 • id ↦ d", &["unmatched_result", "missing_result"]),
    ] {
        let text = format!(
            "{START}{TOOL}{TURN}act {{ call ↦ {{ {call} }} }}\nresult {{ data ↦ x 🏷 c }}\n{end}"
        );
        assert_eq!(words(&text), expected, "{call}");
    }
    let two = "act { call ↦ [ { tool ↦ get • n ↦ 1 • id ↦ c } • { tool ↦ get • n ↦ 2 • id ↦ c } ] }\n\
               result { data ↦ x }\n";
    let text = format!("{START}{TOOL}{TURN}{two}{end}");
    assert_eq!(words(&text), ["duplicate_call_id", "missing_result", "untagged_result"]);
}

#[test]
fn arguments_are_what_their_schema_asks_for() {
    let tool = "tool { name ↦ get • params ↦ {
        n ↦ { type ↦ integer • minimum ↦ 1 • required ↦ false } •
        zip ↦ { type ↦ string • pattern ↦ \"^[0-9]{5}$\" • required ↦ false } •
        at ↦ { \"$ref\" ↦ \"#/$defs/place\" • required ↦ false } •
        of ↦ { type ↦ array • items ↦ { type ↦ string • maxLength ↦ 2 } • uniqueItems ↦ true • required ↦ false }
    } • schema ↦ { \"$defs\" ↦ { place ↦ { type ↦ object • properties ↦ { lat ↦ { type ↦ number } } • required ↦ [ lat ] } } } }\n";
    for (argument, problem) in [
        ("n ↦ 1", ""),
        ("n ↦ \"2\"", ""),
        ("n ↦ 0", "argument `n` is wrong: must be at least 1"),
        ("zip ↦ \"94103\"", ""),
        ("zip ↦ 94103", ""),
        ("zip ↦ 9410", "argument `zip` is wrong: "),
        ("at ↦ { lat ↦ 1.5 }", ""),
        ("at ↦ { long ↦ 1.5 }", "argument `at` is wrong"),
        ("at ↦ { lat ↦ north }", "argument `at` is wrong at `.lat`: "),
        ("of ↦ [ a • b ]", ""),
        ("of ↦ [ a • abc ]", "argument `of` is wrong at `[1]`: "),
        ("of ↦ [ a • a ]", "argument `of` is wrong: "),
    ] {
        let call = format!("act {{ call ↦ {{ tool ↦ get • {argument} • id ↦ c }} }}\n");
        let end = "result { data ↦ x } 🏷 c\nresponse「r」⊨ 1";
        let report = check(&format!("{START}{tool}{TURN}{call}{end}"));
        let said: Vec<String> = report.errors.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), usize::from(!problem.is_empty()), "{argument}: {said:?}");
        assert!(
            said.iter().all(|said| said.contains("[wrong_argument]") && said.contains(problem)),
            "{said:?}"
        );
    }
}

#[test]
fn compares_values_of_all_kinds() {
    let tool = "tool { name ↦ get • params ↦ { v ↦ { enum ↦ [ \"a b\" • 1 • true • null • [ 1 • x ] • \
                { k ↦ [] } ] } } }\n";
    for (value, fits) in [
        ("\"a b\"", true),
        ("1.0", true),
        ("\"1\"", true),
        ("true", true),
        ("\"true\"", true),
        ("null", true),
        ("[ 1 • x ]", true),
        ("{ k ↦ [] }", true),
        ("ab", false),
        ("2", false),
        ("false", false),
        ("[ 1 ]", false),
        ("[ 1 • y ]", false),
        ("{ k ↦ {} }", false),
        ("{}", false),
    ] {
        let call = format!("act {{ call ↦ {{ tool ↦ get • v ↦ {value} • id ↦ c }} }}\n");
        let end = "result { data ↦ x } 🏷 c\nresponse「r」⊨ 1";
        let expected: &[&str] = if fits { &[] } else { &["wrong_argument"] };
        assert_eq!(words(&format!("{START}{tool}{TURN}{call}{end}")), expected, "{value}");
    }
}

#[test]
fn messages_hold_no_more_than_the_start_of_a_text() {
    let long = "x".repeat(10_000);
    for text in [
        format!("tool {{ name ↦ t • params ↦ {{ {long} ↦ {long} }} }}"),
        format!(
            "tool {{ name ↦ t • params ↦ {{ a ↦ {{ enum ↦ [ {long} ] }} }} }} \
                 act {{ call ↦ {{ tool ↦ t • a ↦ y • {long} ↦ 1 }} • call ↦ {{ tool ↦ {long} }} }}"
        ),
        format!("plan {{ {long} {long} • a ↦ b p {} = 1 ※ {long} }} {long}", " ".repeat(10_000)),
    ] {
        let report = check(&text);
        for finding in report.errors.iter().chain(&report.warnings) {
            assert!(finding.message.len() < 300, "{}", finding.code);
        }
    }
    let json = serde_json::json!([{ "type": "plan", "content": { long.clone(): { "$value": 1, "x": 1 } } }]);
    assert!(Trace::from_json(&json).unwrap_err().to_string().len() < 300);
    let tool = serde_json::json!({ "name": long, "parameters": 1 });
    assert!(Tool::from_openai(&tool).unwrap_err().to_string().len() < 300);
}

#[test]
fn checks_definitions_of_tools() {
    for (tool, expected) in [
        ("tool { params ↦ {} }", "bad_tool_name"),
        ("tool { name ↦ \"a b\" }", "bad_tool_name"),
        ("tool { name ↦ a • params ↦ { p ↦ string } }", "bad_parameter"),
        ("tool { name ↦ a }\ntool { name ↦ a }", "duplicate_tool"),
        ("tool { name ↦ a • name ↦ a }", "duplicate_key"),
    ] {
        assert_eq!(words(&format!("{START}{tool}\n{TURN}response「r」⊨ 1")), [expected], "{tool}");
    }
}

#[test]
fn has_a_word_of_its_own_for_each_code() {
    let words: std::collections::BTreeSet<&str> =
        Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(words.len(), Code::ALL.len());
}
