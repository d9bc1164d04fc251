use cot_core::eval::Case;
use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Question {
    text: String,
    limit: u32,
}

fn read(text: &str) -> Result<Vec<Case<Question, Option<String>>>, String> {
    Case::from_json_lines(text).map_err(|error| error.to_string())
}

#[test]
fn cases_are_read_line_by_line() {
    let text = "\n{\"name\":\"a\",\"state\":{\"text\":\"one\",\"limit\":1},\"expected\":\"yes\",\"tags\":[\"x\"]}\n\n\
                {\"name\":\"b\",\"state\":{\"text\":\"two\",\"limit\":2}}\n";
    let cases = read(text).unwrap();
    let question = |text: &str, limit| Question { text: text.to_owned(), limit };
    assert_eq!(
        cases[0],
        Case::new("a", question("one", 1)).expect(Some("yes".to_owned())).tag("x")
    );
    assert_eq!(cases[1], Case::new("b", question("two", 2)).expect(None));
}

#[test]
fn a_wrong_line_is_named_with_its_column() {
    let good = r#"{"name":"a","state":{"text":"one","limit":1}}"#;
    let wrong = [
        (
            r#"{"name":"b","state":{"text":"two","limit":"2"}}"#,
            "line 2, column 45: invalid type: string \"2\", expected u32",
        ),
        (
            r#"{"name":"b","state":{"text":"two","limit":2},"expect":1}"#,
            "line 2, column 53: unknown field `expect`, expected one of `name`, `state`, `inputs`, `expected`, `tags`, `left_out`",
        ),
        (good, "line 2, column 1: the name \"a\" is that of line 1, too"),
        ("{", "line 2, column 1: EOF while parsing an object"),
    ];
    for (line, error) in wrong {
        assert_eq!(read(&format!("{good}\n{line}")).unwrap_err(), error);
    }
}

#[test]
fn what_is_expected_can_be_left_out_only_if_null_is_allowed() {
    let line = r#"{"name":"a","state":1}"#;
    assert_eq!(Case::<u32>::from_json_lines(line).unwrap(), [Case::new("a", 1)]);
    let error = Case::<u32, String>::from_json_lines(line).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 22: `expected` is missing");
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Short,
    Long { lines: u32 },
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Order {
    number: String,
    kind: Kind,
    customer: Customer,
    items: Vec<String>,
    paid: bool,
    total: f64,
    note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Customer {
    id: u64,
}

const HEAD: &str = "name,tags,state.number,state.kind,state.customer.id,state.items,state.paid,state.total,\
                    state.note,expected";

fn orders(rows: &str) -> Result<Vec<Case<Order, u32>>, String> {
    Case::from_csv(&format!("{HEAD}\n{rows}")).map_err(|error| error.to_string())
}

#[test]
fn cells_are_read_as_their_types() {
    let rows = "first,a b,007,short,7,\"[\"\"x\"\"]\",TRUE,1,,3\n\
                \"second, long\",,null,\"{\"\"long\"\":{\"\"lines\"\":2}}\",8,[],false,2.5,12,4\n";
    let cases = orders(rows).unwrap();
    let first = Order {
        number: "007".to_owned(),
        kind: Kind::Short,
        customer: Customer { id: 7 },
        items: vec!["x".to_owned()],
        paid: true,
        total: 1.0,
        note: None,
    };
    assert_eq!(cases[0], Case::new("first", first.clone()).expect(3).tag("a").tag("b"));
    let second = Order {
        number: "null".to_owned(),
        kind: Kind::Long { lines: 2 },
        customer: Customer { id: 8 },
        items: Vec::new(),
        paid: false,
        total: 2.5,
        note: Some("12".to_owned()),
    };
    assert_eq!(cases[1], Case::new("second, long", second).expect(4));
}

#[test]
fn a_wrong_cell_is_named() {
    let row = |cells: &str| orders(cells).unwrap_err();
    assert_eq!(
        row("a,,1,short,x,[],true,1,,1"),
        "line 2, column 5: `state.customer.id`: invalid type: string \"x\", expected u64"
    );
    assert_eq!(
        row("a,,1,middle,1,[],true,1,,1"),
        "line 2, column 4: `state.kind`: unknown variant `middle`, expected `short` or `long`"
    );
    assert_eq!(
        row("a,,1,short,1,[],true,1,,-1"),
        "line 2, column 10: `expected`: invalid value: integer `-1`, expected u32"
    );
    let same = "a,,1,short,1,[],true,1,,1\n";
    assert_eq!(
        row(&format!("{same}{same}")),
        "line 3, column 1: the name \"a\" is that of line 2, too"
    );
    assert!(row("a,b").contains("found record with 2 fields"), "{}", row("a,b"));
}

#[test]
fn a_wrong_head_is_named() {
    let head = |text: &str| Case::<Customer>::from_csv(text).unwrap_err().to_string();
    assert!(
        head("name,sate.id\na,1").starts_with("line 1, column 2: `sate.id` is no column of a case")
    );
    assert_eq!(head("state.id\n1"), "line 1, column 1: the column `name` is missing");
    assert_eq!(
        head("name,state\na,1"),
        "line 2, column 2: `state`: invalid type: integer `1`, expected struct Customer"
    );
    assert_eq!(
        head("name,tags\na,b"),
        "line 2, column 1: `state`: invalid type: unit value, expected struct Customer"
    );
    assert_eq!(
        head("name,state,state.id\na,1,2"),
        "line 2, column 3: `state.id` is both a value and has members"
    );
}

#[test]
fn empty_members_are_nothing_where_nothing_is_allowed() {
    let read = |row: &str| {
        Case::<Option<Customer>>::from_csv(&format!("name,state.id\n{row}\n"))
            .map(|cases| cases[0].state.clone())
    };
    assert_eq!(read("a,").unwrap(), None);
    assert_eq!(read("a,7").unwrap(), Some(Customer { id: 7 }));
    let error = Case::<Customer>::from_csv("name,name\na,b\n").unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 2: the column `name` exists twice");
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Parcel {
    #[serde(flatten)]
    address: Address,
    kind: Kind,
    fragile: bool,
    note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Address {
    zip: String,
    floor: u8,
}

const PARCELS: &str = "name,state.zip,state.floor,state.kind,state.fragile,state.note\n";

#[test]
fn blanks_around_a_cell_belong_to_texts_alone() {
    let rows = "a ,x, 3 ,short ,true ,  \nb,x,3, short, FALSE, hi \n";
    let cases = Case::<Parcel>::from_csv(&format!("{PARCELS}{rows}")).unwrap();
    let read: Vec<_> = cases.iter().map(|case| (&*case.name, &case.state)).collect();
    let [(first, a), (_, b)] = read[..] else { panic!("{read:?}") };
    assert_eq!((first, &a.kind, a.fragile, &a.note), ("a", &Kind::Short, true, &None));
    assert_eq!((&b.kind, b.fragile, b.note.as_deref()), (&Kind::Short, false, Some(" hi ")));
}

#[test]
fn a_text_in_a_flattened_type_is_written_in_quotes() {
    let read = |zip: &str| {
        let row = format!("{PARCELS}a,{zip},3,short,true,\n");
        Case::<Parcel>::from_csv(&row).map(|cases| cases[0].state.address.clone())
    };
    let address = |zip: &str| Address { zip: zip.to_owned(), floor: 3 };
    assert_eq!(read("N1 9GU").unwrap(), address("N1 9GU"));
    assert_eq!(read("\"\"\"10115\"\"\"").unwrap(), address("10115"));
    let error = read("10115").unwrap_err().to_string();
    assert_eq!(
        error,
        "line 2, column 1: `state`: invalid type: integer `10115`, expected a string"
    );
}

#[test]
fn a_private_field_that_was_left_out_needs_a_value() {
    let line = |state: &str, expected: &str| {
        let text = format!(
            r#"{{"name":"a","state":{state},"expected":{expected},"left_out":["state.id","expected.id"]}}"#
        );
        Case::<Customer, Customer>::from_json_lines(&text).map_err(|error| error.to_string())
    };
    assert_eq!(
        line("{}", "{}").unwrap_err(),
        "line 1, column 38: the private field `state.id` was left out: write its value there, or make the case with `--private`"
    );
    let expected = line(r#"{"id":7}"#, "{}").unwrap_err();
    assert!(expected.contains("the private field `expected.id` was left out"), "{expected}");
    let filled = line(r#"{"id":7}"#, r#"{"id":8}"#).unwrap();
    assert_eq!(filled[0], Case::new("a", Customer { id: 7 }).expect(Customer { id: 8 }));
    let number = Case::<Customer>::from_json_lines(r#"{"name":"a","state":{"id":7},"left_out":5}"#);
    assert!(number.unwrap_err().reason.contains("expected a sequence"));
    // Also where the type would do without it.
    let text = r#"{"name":"a","state":{},"left_out":["state.id"]}"#;
    let error = Case::<Option<serde_json::Value>>::from_json_lines(text).unwrap_err();
    assert!(error.reason.contains("was left out"), "{error}");
}

#[test]
fn a_text_without_a_case_is_an_error() {
    for text in ["", "\n\n"] {
        let error = Case::<Customer>::from_json_lines(text).unwrap_err();
        assert_eq!(error.to_string(), "line 1, column 1: there is no case");
    }
    let error = Case::<Customer>::from_csv("name,state.id\n").unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 1: there is no case");
}
