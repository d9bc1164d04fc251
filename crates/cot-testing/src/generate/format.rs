//! Generators for the string formats of JSON schemas.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::words::word;
use crate::random::Random;

/// Generates a text in a format.
pub(crate) type Format = fn(&mut Random) -> String;

/// The formats that validators and deserializers check.
const FORMATS: [(&str, Format); 25] = [
    ("date", date),
    ("date-time", date_time),
    ("partial-date-time", partial_date_time),
    ("time", time),
    ("partial-time", partial_time),
    ("duration", duration),
    ("email", email),
    ("idn-email", email),
    ("hostname", hostname),
    ("idn-hostname", hostname),
    ("ip", ip),
    ("ipv4", ipv4),
    ("ipv6", ipv6),
    ("uri", uri),
    ("url", uri),
    ("iri", uri),
    ("uri-reference", uri_reference),
    ("iri-reference", uri_reference),
    ("uri-template", uri_template),
    ("json-pointer", json_pointer),
    ("relative-json-pointer", relative_json_pointer),
    ("regex", regex),
    ("uuid", uuid),
    ("char", character),
    ("phone", phone),
];

/// Returns the generator of a format, if the format is known.
pub(crate) fn format_of(name: &str) -> Option<Format> {
    FORMATS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
}

fn date(random: &mut Random) -> String {
    let (year, month) = (random.between(1900, 2100), random.between(1, 12));
    format!("{year}-{month:02}-{:02}", random.between(1, 28))
}

fn partial_time(random: &mut Random) -> String {
    let (hour, minute, second) = (random.below(24), random.below(60), random.below(60));
    let fraction = if random.percent(20) { ".25" } else { "" };
    format!("{hour:02}:{minute:02}:{second:02}{fraction}")
}

fn offset(random: &mut Random) -> &'static str {
    random.pick(&["Z", "+00:00", "-05:30", "+14:00"]).copied().unwrap_or("Z")
}

fn time(random: &mut Random) -> String {
    format!("{}{}", partial_time(random), offset(random))
}

fn date_time(random: &mut Random) -> String {
    format!("{}T{}", date(random), time(random))
}

fn partial_date_time(random: &mut Random) -> String {
    format!("{}T{}", date(random), partial_time(random))
}

fn duration(random: &mut Random) -> String {
    match random.below(3) {
        0 => format!("P{}D", random.below(100)),
        1 => format!("PT{}H{}M", random.below(24), random.below(60)),
        _ => format!("PT{}S", random.below(3600)),
    }
}

fn email(random: &mut Random) -> String {
    format!("{}.{}@{}", ascii(random), random.below(1000), hostname(random))
}

fn hostname(random: &mut Random) -> String {
    format!("{}.example", ascii(random))
}

fn ipv4(random: &mut Random) -> String {
    Ipv4Addr::from_bits(random.between(0, u32::MAX.into()) as u32).to_string()
}

fn ipv6(random: &mut Random) -> String {
    let (high, low) = (random.between(0, u64::MAX), random.below(1 << 32));
    Ipv6Addr::from_bits(u128::from(high) << 64 | u128::from(low)).to_string()
}

fn ip(random: &mut Random) -> String {
    if random.percent(50) { ipv4(random) } else { ipv6(random) }
}

fn uri(random: &mut Random) -> String {
    format!("https://{}/{}?n={}", hostname(random), ascii(random), random.below(1000))
}

fn uri_reference(random: &mut Random) -> String {
    if random.percent(50) { uri(random) } else { format!("/{}#top", ascii(random)) }
}

fn uri_template(random: &mut Random) -> String {
    format!("https://{}/{{{}}}", hostname(random), ascii(random))
}

fn json_pointer(random: &mut Random) -> String {
    format!("/{}/{}", ascii(random), random.below(10))
}

fn relative_json_pointer(random: &mut Random) -> String {
    format!("{}/{}", random.below(3), ascii(random))
}

fn regex(random: &mut Random) -> String {
    format!("^{}[0-9]{{{}}}$", ascii(random), random.between(1, 9))
}

fn uuid(random: &mut Random) -> String {
    let (high, low) = (random.between(0, u64::MAX), random.between(0, u64::MAX));
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0xfff,
        low & 0xffff_ffff_ffff,
    )
}

fn character(random: &mut Random) -> String {
    random.pick(&["a", "Z", "ß", "7", " ", "𝒳"]).copied().unwrap_or("a").to_owned()
}

fn phone(random: &mut Random) -> String {
    format!("+49 30 {}", random.between(100_000, 9_999_999))
}

/// Generates a word of lower-case letters and digits.
fn ascii(random: &mut Random) -> String {
    let word = word(random).to_ascii_lowercase();
    if word.is_ascii() { word } else { "size".to_owned() }
}
