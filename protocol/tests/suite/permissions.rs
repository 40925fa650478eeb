//! Permissions as recorded turns hold them.

use pretty_assertions::assert_eq;
use recto_protocol::{
    FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions, NetworkPermissions,
    PermissionProfile, SpecialPath,
};
use serde_json::{from_value, json, to_value};

#[test]
fn a_profile_is_written_as_the_reference_records_it() {
    let special =
        |value, access| FileSystemEntry { path: FileSystemPath::Special { value }, access };
    let unknown = SpecialPath::Unknown { path: ":cwd".to_owned(), subpath: Some("s".to_owned()) };
    let path = FileSystemPath::Path { path: "/secret".into() };
    let pattern = FileSystemPath::GlobPattern { pattern: "/repo/*.k".to_owned() };
    let profile = PermissionProfile::Managed {
        file_system: FileSystemPermissions::Restricted {
            entries: vec![
                FileSystemEntry { path, access: FileSystemAccess::Deny },
                special(unknown, FileSystemAccess::Read),
                special(SpecialPath::Minimal, FileSystemAccess::Read),
                special(SpecialPath::SlashTmp, FileSystemAccess::Write),
                FileSystemEntry { path: pattern, access: FileSystemAccess::Deny },
            ],
            glob_scan_max_depth: Some(3),
        },
        network: NetworkPermissions::Enabled,
    };
    let recorded = json!({
        "type": "managed",
        "file_system": {
            "type": "restricted",
            "entries": [
                {"path": {"type": "path", "path": "/secret"}, "access": "deny"},
                {
                    "path": {"type": "special", "value": {"kind": "unknown", "path": ":cwd", "subpath": "s"}},
                    "access": "read"
                },
                {"path": {"type": "special", "value": {"kind": "minimal"}}, "access": "read"},
                {"path": {"type": "special", "value": {"kind": "slash_tmp"}}, "access": "write"},
                {"path": {"type": "glob_pattern", "pattern": "/repo/*.k"}, "access": "deny"},
            ],
            "glob_scan_max_depth": 3
        },
        "network": "enabled"
    });
    assert_eq!(to_value(&profile).expect("plain data"), recorded);
    assert_eq!(from_value::<PermissionProfile>(recorded).expect("a recorded profile"), profile);
}
