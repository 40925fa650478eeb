//! The times that lines carry.

/// Milliseconds since 1970 of an RFC 3339 time, as rollouts write it: `2026-12-01T00:00:38.390Z`.
///
/// An offset (`+01:00`) and any number of decimals are understood; anything else is none.
pub fn epoch_milliseconds(timestamp: &str) -> Option<i64> {
    let (date, time) = timestamp.split_once(['T', 't', ' '])?;
    let [year, month, day] = numbers(date, '-')?;
    let (time, offset_minutes) = split_offset(time)?;
    let (clock, decimals) = time.split_once('.').unwrap_or((time, ""));
    let [hour, minute, second] = numbers(clock, ':')?;
    let valid = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..=9999).contains(&year)
        && hour < 24
        && minute < 60
        && second <= 60;
    if !valid || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let milliseconds: i64 = format!("{decimals:0<3.3}").parse().ok()?;
    let minutes = (days_since_epoch(year, month, day) * 24 + hour) * 60 + minute - offset_minutes;
    Some((minutes * 60 + second) * 1000 + milliseconds)
}

/// Takes `Z` or `±HH:MM` off a time.
fn split_offset(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let at = time.rfind(['+', '-'])?;
    let [hours, minutes] = numbers(&time[at + 1..], ':')?;
    let offset = hours * 60 + minutes;
    Some((&time[..at], if time.as_bytes()[at] == b'-' { -offset } else { offset }))
}

fn numbers<const N: usize>(text: &str, separator: char) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; N];
    for number in &mut numbers {
        let part = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        *number = part.parse().ok().filter(|number| *number < 100_000)?;
    }
    parts.next().is_none().then_some(numbers)
}

/// Days from 1970-01-01, by the usual count of years that begin in March.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_offset_and_decimals() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2025-01-02T03:04:05.000Z", Some(1_735_787_045_000)),
            ("2024-02-29T23:59:59.9876Z", Some(1_709_251_199_987)),
            ("2025-01-02T04:04:05.5+01:00", Some(1_735_787_045_500)),
            ("1969-12-31T23:59:59Z", Some(-1000)),
            ("2025-01-02", None),
            ("2025-01-02T03:04:05", None),
            ("2025-13-02T03:04:05Z", None),
            ("2025-01-02T03:04:é5Z", None),
            ("99999999999999999999-01-02T03:04:05Z", None),
        ] {
            assert_eq!(epoch_milliseconds(text), expected, "{text}");
        }
    }
}
