//! The time and the time zone.

use std::fs;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recto_core::rollout::{RolloutClock, SessionStart};
use recto_core::session::{Clock, LocalTime};
use uuid::Uuid;

/// Where the time-zone database may be.
const ZONE_DIRECTORIES: [&str; 3] = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo"];

/// The file that says which time zone the machine is in.
const LOCAL_TIME: &str = "/etc/localtime";

/// Bytes that are read of a zone; those of the database have a few thousand.
const LARGEST_ZONE: u64 = 256 * 1024;

/// The name of the time zone where nothing says it.
const DEFAULT_ZONE: &str = "Etc/UTC";

/// Tells the time whenever it is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn local_time(&self) -> LocalTime {
        now()
    }
}

impl RolloutClock for SystemClock {
    fn timestamp(&self) -> String {
        format!("{:.3}", Timestamp::now())
    }
}

impl SystemClock {
    /// Now, as the file of a session that begins is named after.
    pub(crate) fn session_start() -> SessionStart {
        let now =
            zone(iana_time_zone::get_timezone().ok().as_deref()).to_datetime(Timestamp::now());
        let unsigned = |number: i8| number.unsigned_abs();
        SessionStart {
            year: now.year().unsigned_abs(),
            month: unsigned(now.month()),
            day: unsigned(now.day()),
            hour: unsigned(now.hour()),
            minute: unsigned(now.minute()),
            second: unsigned(now.second()),
        }
    }

    /// A number that cannot be foretold.
    pub(crate) fn seed() -> u64 {
        Uuid::now_v7().as_u64_pair().1
    }

    /// A name that nobody else makes; names sort by time.
    pub(crate) fn unique_id() -> Uuid {
        Uuid::now_v7()
    }
}

/// The time, to tell how old something is.
pub(crate) fn clock() -> SystemTime {
    SystemTime::now()
}

/// The day by `TZ`, else by the machine; the zone's name by the machine alone, as the reference does.
pub(super) fn now() -> LocalTime {
    let machine = iana_time_zone::get_timezone().ok();
    LocalTime {
        date: zone(machine.as_deref()).to_datetime(Timestamp::now()).date().to_string(),
        timezone: machine.unwrap_or_else(|| DEFAULT_ZONE.to_owned()),
    }
}

/// The time zone by `TZ`, else the machine's.
fn zone(machine: Option<&str>) -> TimeZone {
    let zone = match std::env::var("TZ").as_deref() {
        Ok("") => Some(TimeZone::UTC),
        Ok(value) => zone_by_variable(value),
        Err(_) => zone_in_file(Path::new(LOCAL_TIME)),
    };
    zone.or_else(|| zone_by_name(machine?)).unwrap_or(TimeZone::UTC)
}

/// `TZ` as POSIX has it: a file, a name in the database, or a rule.
fn zone_by_variable(value: &str) -> Option<TimeZone> {
    let value = value.strip_prefix(':').unwrap_or(value);
    if value == "localtime" {
        return zone_in_file(Path::new(LOCAL_TIME));
    }
    zone_by_name(value).or_else(|| TimeZone::posix(value).ok())
}

/// A name in the database, or an absolute path.
fn zone_by_name(name: &str) -> Option<TimeZone> {
    let mut directories = ZONE_DIRECTORIES.iter();
    directories.find_map(|directory| zone_in_file(&Path::new(directory).join(name)))
}

/// Reads one zone; the index of the whole database would take longer than everything else.
///
/// `TZ` may name anything: a pipe must not hold us and a device must not fill the memory.
fn zone_in_file(path: &Path) -> Option<TimeZone> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let mut options = fs::OpenOptions::new();
    let file = options.read(true).custom_flags(flags.bits().cast_signed()).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_ZONE).read_to_end(&mut bytes).ok()?;
    TimeZone::tzif("", &bytes).ok()
}
