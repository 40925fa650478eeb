//! Ages, sizes and times, short.

use std::time::{SystemTime, UNIX_EPOCH};

use super::layout::one_line;

/// `now`, `12 min`, `3 h`, `5 d`, `7 mo`, `2 y`.
pub(crate) fn age(then: SystemTime, now: SystemTime) -> String {
    let minutes = now.duration_since(then).map_or(0, |age| age.as_secs() / 60);
    let (hours, days) = (minutes / 60, minutes / (60 * 24));
    match (minutes, hours, days) {
        (0, ..) => "now".to_owned(),
        (_, 0, _) => format!("{minutes} min"),
        (_, _, 0) => format!("{hours} h"),
        (_, _, 1..60) => format!("{days} d"),
        (_, _, 60..730) => format!("{} mo", days / 30),
        _ => format!("{} y", days / 365),
    }
}

/// `812 B`, `21 kB`, `1.4 MB`: thousands, as disks have them.
pub(crate) fn size(bytes: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = (bytes + unit / 20) / (unit / 10);
        if tenths < 100 {
            format!("{}.{}", tenths / 10, tenths % 10)
        } else {
            (tenths / 10).to_string()
        }
    };
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}

/// Seconds since 1970.
pub(crate) fn seconds(time: SystemTime) -> Option<u64> {
    time.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}

/// `2026-11-30 23:57:44` of a recorded time; anything else as it is.
pub(crate) fn recorded(timestamp: &str) -> String {
    match timestamp.get(..19) {
        Some(start) if start.as_bytes()[10] == b'T' => one_line(&start.replace('T', " ")),
        _ => one_line(timestamp),
    }
}
