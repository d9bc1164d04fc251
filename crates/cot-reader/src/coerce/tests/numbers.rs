//! Numbers in strings.

use crate::coerce::number::{parse_number, parse_with_unit};

#[test]
fn reads_numbers_in_text() {
    for (text, number) in [
        ("5", "5"),
        (" -5 ", "-5"),
        ("+5", "5"),
        ("−5", "-5"),
        ("007", "7"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e3", "1000.0"),
        ("1.5E-1", "0.15"),
        ("1,234", "1234"),
        ("1,234,567.89", "1234567.89"),
        ("1.234,5", "1234.5"),
        ("1.234.567", "1234567"),
        ("1 234 567", "1234567"),
        ("1\u{202f}234", "1234"),
        ("1'234", "1234"),
        ("1_234.5_6", "1234.56"),
        ("82_461_110", "82461110"),
        ("1,5", "1.5"),
        ("0,123", "0.123"),
        ("1 234,5", "1234.5"),
        ("50%", "50"),
        ("12.5 %", "12.5"),
        ("18446744073709551615", "18446744073709551615"),
    ] {
        let read = parse_number(text).and_then(|written| written.number());
        assert_eq!(read.map(|number| number.to_string()).as_deref(), Some(number), "{text}");
    }
}

#[test]
fn refuses_what_is_no_number() {
    for text in [
        "",
        "-",
        "five",
        "1.1.1",
        "10-20",
        "1,23,4",
        "12,3456,7",
        "1notanumber",
        "1e",
        "NaN",
        "inf",
        "0x10",
        "1/2",
        "--5",
        "1 2",
        "1_",
        "_1",
        "5 km",
        "$5",
        "1,2.3,4",
        "1e400",
        "1e-400",
        "1 234.567.8",
        "²",
        "٣",
        "5%%",
    ] {
        let read = parse_number(text).and_then(|written| written.number());
        assert_eq!(read, None, "{text}");
    }
}

#[test]
fn whole_numbers_stay_exact() {
    let integer = |text: &str| parse_number(text)?.integer().map(|number| number.to_string());
    assert_eq!(integer("2.0").as_deref(), Some("2"));
    assert_eq!(integer("2.5"), None);
    assert_eq!(integer("1e3").as_deref(), Some("1000"));
    assert_eq!(integer("9007199254740993").as_deref(), Some("9007199254740993"));
    assert_eq!(integer("9007199254740993.0").as_deref(), Some("9007199254740993"));
    assert_ne!(integer("123456789012345678901234567890").as_deref(), Some("1.2345678901234568e29"));
    let long = "9".repeat(10_000);
    assert!(integer(&long).is_none_or(|integer| integer == long));
}

#[test]
fn knows_units_from_factors() {
    for (text, number) in [("$5", "5"), ("5 km", "5"), ("1,200 €", "1200"), ("USD 3.50", "3.5")] {
        let read = parse_with_unit(text).and_then(|written| written.number());
        assert_eq!(read.map(|number| number.to_string()).as_deref(), Some(number), "{text}");
    }
    for text in ["5k", "5 million", "5 M", "5 or 6", "> 5", "about 5", "5 to 6 km", "-", "abc"] {
        assert_eq!(parse_with_unit(text), None, "{text}");
    }
}
