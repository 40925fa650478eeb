//! The time and the time zone.

use std::fs;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recto_core::session::LocalTime;

/// Where the time-zone database may be.
const ZONE_DIRECTORIES: [&str; 3] = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo"];

/// The file that says which time zone the machine is in.
const LOCAL_TIME: &str = "/etc/localtime";

/// Bytes that are read of a zone; those of the database have a few thousand.
const LARGEST_ZONE: u64 = 256 * 1024;

/// The name of the time zone where nothing says it.
const DEFAULT_ZONE: &str = "Etc/UTC";

/// The time, to tell how old something is.
pub(crate) fn clock() -> SystemTime {
    SystemTime::now()
}

/// The day by `TZ`, else by the machine; the zone's name by the machine alone, as the reference does.
pub(super) fn now() -> LocalTime {
    let machine = iana_time_zone::get_timezone().ok();
    let zone = match std::env::var("TZ").as_deref() {
        Ok("") => Some(TimeZone::UTC),
        Ok(value) => zone_by_variable(value),
        Err(_) => zone_in_file(Path::new(LOCAL_TIME)),
    };
    let zone = zone.or_else(|| zone_by_name(machine.as_deref()?)).unwrap_or(TimeZone::UTC);
    LocalTime {
        date: zone.to_datetime(Timestamp::now()).date().to_string(),
        timezone: machine.unwrap_or_else(|| DEFAULT_ZONE.to_owned()),
    }
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
