//! A rollout is read record by record; what is none costs itself and is named.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::io::{self, Read};

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_core::rollout::{Record, RolloutReader};

const A: &str = r#"{"timestamp":"2025-01-02T03:04:05.000Z","type":"a","payload":{"x":"1"}}"#;
const B: &str = r#"{"timestamp":"2025-01-02T03:04:05.000Z","type":"b","payload":{"x":"2"}}"#;

/// Gives out a few bytes at a time, as a slow source does.
struct Dripping<'a>(&'a [u8], usize);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.len().min(self.1).min(buffer.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

/// What a reader gives: the type of each record with its place, and each fault in its own words.
fn read_with<R: Read>(mut reader: RolloutReader<R>) -> Vec<String> {
    let mut records = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        records.push(match record {
            Record::Line(place, line) => {
                format!("{}:{} {}", place.line, place.offset, line.type_name().unwrap_or_default())
            }
            Record::Fault(fault) => fault.to_string(),
        });
    }
    records
}

fn read(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let whole = read_with(RolloutReader::new(bytes.as_ref()));
    for step in [1, 7] {
        let dripping = RolloutReader::new(Dripping(bytes.as_ref(), step));
        assert_eq!(read_with(dripping), whole, "{step} bytes at a time");
    }
    whole
}

#[test]
fn blank_lines_carriage_returns_and_a_byte_order_mark_are_passed_over() {
    assert_eq!(read(""), Vec::<String>::new());
    assert_eq!(read("\n \r\n\t\n"), Vec::<String>::new());
    assert_eq!(read(format!("\u{feff}{A}\r\n\r\n{B}")), ["1:3 a", "3:78 b"]);
}

#[test]
fn b70_two_records_on_one_line_are_both_read() {
    assert_eq!(read(format!("{A}{B}\n{A}\n")), ["1:0 a", "1:71 b", "2:143 a"]);
    assert_eq!(
        read(format!("{}{B}\n{A}\n", &A[..20])),
        [
            "line 1 (byte 0, 20 bytes): it is no record: expected `,` or `}` at its byte 23",
            "1:20 b",
            "2:92 a"
        ]
    );
}

#[test]
fn a_record_inside_of_a_broken_one_is_not_taken_for_a_line() {
    let records = read(format!(r#"{{"type":"compacted","payload":{{"list":[{A},{B}}}"#) + "\n" + A);
    assert_eq!(records.len(), 2);
    assert_eq!(
        records[0],
        "line 1 (byte 0, 183 bytes, `compacted`): it is no record: expected `,` or `]` at its byte 183"
    );
}

#[test]
fn a_torn_tail_is_named_and_a_whole_one_without_its_newline_is_kept() {
    assert_eq!(
        read(format!("{A}\n{}", &B[..60])),
        ["1:0 a", "line 2 (byte 72, 60 bytes, `b`): the file ends inside of it"]
    );
    assert_eq!(read(format!("{A}\n{B}")), ["1:0 a", "2:72 b"]);
}

#[test]
fn zero_bytes_are_named_and_what_stands_beside_them_is_read() {
    let mut bytes = format!("{A}\n").into_bytes();
    bytes.extend([0; 4096]);
    bytes.extend(B.as_bytes());
    bytes.extend([0; 10]);
    assert_eq!(
        read(bytes),
        [
            "1:0 a",
            "line 2 (byte 72, 4096 bytes): it holds nothing but zero bytes",
            "2:4168 b",
            "line 2 (byte 4239, 10 bytes): it holds nothing but zero bytes"
        ]
    );
}

#[test]
fn bytes_that_are_no_text_cost_their_line() {
    let mut bytes = A.as_bytes().to_vec();
    bytes[65] = 0xFF;
    bytes.push(b'\n');
    bytes.extend(&"😀".as_bytes()[..2]);
    bytes.extend(B.as_bytes());
    assert_eq!(
        read(bytes),
        [
            "line 1 (byte 0, 71 bytes, `a`): it is not UTF-8",
            "line 2 (byte 72, 2 bytes): it is not UTF-8",
            "2:74 b"
        ]
    );
}

#[test]
fn b101_half_a_surrogate_pair_costs_nothing() {
    for text in [r"\ud83d", r"\ude00", r"\ude00\ud83d", r"cut \ud83d"] {
        assert_eq!(read(A.replace("\"1\"", &format!("\"{text}\""))), ["1:0 a"]);
    }
}

#[test]
fn b87_a_line_over_the_limit_is_passed_over_without_being_held() {
    let long = format!(
        "{A}\n{}{}\n{B}\n",
        r#"{"timestamp":"t","type":"response_item","payload":"#,
        "x".repeat(3 << 20)
    );
    let reader = RolloutReader::with_line_limit(long.as_bytes(), 1 << 20);
    assert_eq!(
        read_with(reader),
        [
            "1:0 a",
            "line 2 (byte 72, 3145778 bytes, `response_item`): it is longer than 1048576 bytes",
            "3:3145851 b"
        ]
    );
}

#[test]
fn a_source_that_fails_is_an_error_and_not_an_end() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let mut reader = RolloutReader::new(A.as_bytes().chain(Broken));
    assert_eq!(reader.next_record().unwrap_err().to_string(), "unplugged");
}

#[test]
fn many_records_on_one_line_cost_linear_time() {
    let records = read_with(RolloutReader::new(A.repeat(20_000).as_bytes()));
    assert_eq!(records.len(), 20_000);
    let mut nested = r#"{"timestamp":["#.repeat(20_000);
    nested.push('\n');
    nested.push_str(A);
    assert_eq!(read_with(RolloutReader::new(nested.as_bytes())).len(), 2);
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic_or_lose_its_place(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just(A.as_bytes().to_vec()),
                Just(b"\n".to_vec()),
                Just(b"{\"timestamp\"".to_vec()),
                Just(vec![0, 0]),
                proptest::collection::vec(any::<u8>(), 0..12),
                (0..A.len()).prop_map(|length| A.as_bytes()[..length].to_vec()),
            ],
            0..20,
        ),
        step in 1_usize..50,
    ) {
        let bytes = pieces.concat();
        let mut reader = RolloutReader::new(Dripping(&bytes, step));
        let mut end = 0;
        while let Some(record) = reader.next_record().unwrap() {
            let place = match &record {
                Record::Line(place, line) => {
                    let start = usize::try_from(place.offset).unwrap();
                    let text = &bytes[start..start + line.text().len()];
                    prop_assert_eq!(text, line.text().as_bytes());
                    *place
                }
                Record::Fault(fault) => fault.place,
            };
            prop_assert!(place.bytes > 0 && place.offset >= end);
            end = place.offset + place.bytes;
            prop_assert!(end <= bytes.len() as u64);
        }
    }
}
