//! Permission profiles that the person describes in `[permissions]`, and which of them is chosen.

use std::collections::BTreeSet;

use recto_protocol::SandboxMode;

use super::mismatch::Mismatch;
use super::names::{dotted, nearest};
use super::value::{Item, Table, Value, get, get_table, merge};

/// The built-in profiles; what is described in the configuration may not start with a colon.
const BUILT_IN: [(&str, SandboxMode); 3] = [
    (":read-only", SandboxMode::ReadOnly),
    (":workspace", SandboxMode::WorkspaceWrite),
    (":danger-full-access", SandboxMode::DangerFullAccess),
];

/// What `default_permissions` chooses.
#[derive(Debug)]
pub(super) enum ChosenProfile {
    /// A built-in profile, by the mode that it amounts to.
    BuiltIn(SandboxMode),
    /// One of `[permissions]`, laid over what it extends.
    Own {
        /// Its name.
        name: String,
        /// `filesystem`, `workspace_roots`, `network`.
        profile: Table,
    },
}

/// Refuses profiles whose names are kept for built-in ones.
pub(super) fn check_names(settings: &Table) -> Result<(), Mismatch> {
    let profiles = get_table(settings, &["permissions"]).into_iter().flatten();
    match profiles.into_iter().find(|(name, _)| name.starts_with(':')) {
        None => Ok(()),
        Some((name, item)) => Err(Mismatch {
            found: format!("`{name}`"),
            ..Mismatch::new("permissions".to_owned(), item, "a name without a colon".to_owned())
        }),
    }
}

/// Refuses profiles of which none is chosen.
pub(super) fn check_chosen(settings: &Table) -> Result<(), Mismatch> {
    let Some(item) = get(settings, &["permissions"]) else { return Ok(()) };
    let Value::Table(profiles) = &item.value else { return Ok(()) };
    let Some((name, _)) = profiles.first_key_value() else { return Ok(()) };
    let expected = "the name of a profile, because [permissions] describes some".to_owned();
    Err(Mismatch {
        found: "nothing".to_owned(),
        hint: Some(format!("choose one: default_permissions = {name:?}")),
        ..Mismatch::new("default_permissions".to_owned(), item, expected)
    })
}

/// The profile that `default_permissions` names.
pub(super) fn chosen(
    settings: &Table,
    choice: &Item,
    name: &str,
) -> Result<ChosenProfile, Mismatch> {
    if let Some((_, mode)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
        return Ok(ChosenProfile::BuiltIn(*mode));
    }
    let Some(first) = own(settings, name) else {
        return Err(unknown(settings, choice, name));
    };
    let mut lineage = vec![first];
    let mut profile = extended(settings, name, &mut lineage)?;
    for table in lineage.into_iter().rev() {
        merge(&mut profile, table);
    }
    Ok(ChosenProfile::Own { name: name.to_owned(), profile })
}

/// Adds what the last table extends, and what that extends; gives the built-in profile at the end, or nothing.
fn extended<'t>(
    settings: &'t Table,
    name: &'t str,
    lineage: &mut Vec<&'t Table>,
) -> Result<Table, Mismatch> {
    let mut names = BTreeSet::from([name]);
    let mut child = name;
    while let Some(parent) = lineage.last().and_then(|table| table.get("extends")) {
        let name = text_of(parent);
        if let Some(built_in) = built_in(name, parent) {
            return Ok(built_in);
        }
        if !names.insert(name) {
            let key = dotted(&["permissions", child, "extends"]);
            let expected = "a profile that does not extend this one".to_owned();
            return Err(Mismatch::new(key, parent, expected));
        }
        match own(settings, name) {
            Some(table) => lineage.push(table),
            None => return Err(unknown_parent(settings, child, parent, name)),
        }
        child = name;
    }
    Ok(Table::new())
}

fn text_of(item: &Item) -> &str {
    match &item.value {
        Value::Text(text) => text,
        _ => "",
    }
}

fn own<'t>(settings: &'t Table, name: &str) -> Option<&'t Table> {
    get_table(settings, &["permissions", name])
}

/// What a profile starts from that extends a built-in one; `.git` and its like are not kept from being written then.
fn built_in(name: &str, origin: &Item) -> Option<Table> {
    let item = |value| Item { value, ..origin.clone() };
    let text = |word: &str| item(Value::Text(word.to_owned()));
    let root = (":root".to_owned(), text("read"));
    let filesystem = match name {
        ":read-only" => Table::from([root]),
        ":workspace" => Table::from([
            root,
            (":slash_tmp".to_owned(), text("write")),
            (":tmpdir".to_owned(), text("write")),
            (
                ":workspace_roots".to_owned(),
                item(Value::Table(Table::from([(".".to_owned(), text("write"))]))),
            ),
        ]),
        _ => return None,
    };
    Some(Table::from([("filesystem".to_owned(), item(Value::Table(filesystem)))]))
}

fn unknown(settings: &Table, item: &Item, name: &str) -> Mismatch {
    let key = "default_permissions".to_owned();
    let built_in = BUILT_IN.iter().map(|(name, _)| *name);
    unknown_name(key, item, name, nearest(name, names(settings).chain(built_in)))
}

fn unknown_parent(settings: &Table, child: &str, item: &Item, name: &str) -> Mismatch {
    let key = dotted(&["permissions", child, "extends"]);
    if name == ":danger-full-access" {
        let expected = "a profile that confines commands".to_owned();
        return Mismatch::new(key, item, expected);
    }
    let built_in = BUILT_IN.iter().map(|(name, _)| *name).take(2);
    let others = names(settings).filter(|it| *it != child);
    unknown_name(key, item, name, nearest(name, others.chain(built_in)))
}

fn names(settings: &Table) -> impl Iterator<Item = &str> {
    get_table(settings, &["permissions"])
        .into_iter()
        .flat_map(|table| table.keys())
        .map(String::as_str)
}

fn unknown_name(key: String, item: &Item, name: &str, nearest: Option<&str>) -> Mismatch {
    let hint = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if name.starts_with(':') => "names with a colon are built in".to_owned(),
        None => format!("describe it in [{}]", dotted(&["permissions", name, "filesystem"])),
    };
    let expected = "the name of a permission profile".to_owned();
    Mismatch { hint: Some(hint), ..Mismatch::new(key, item, expected) }
}
