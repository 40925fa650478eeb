//! Names that a model can call tools by.

use std::collections::BTreeMap;

/// Characters of a function's name; servers refuse longer ones.
const LONGEST_FUNCTION: usize = 64;

/// Characters of a namespace and a tool in it, with the two between them, as the reference counts them.
const LONGEST_IN_NAMESPACE: usize = 128;

/// Digits that tell apart what would have one name.
const DIGITS: usize = 12;

const PREFIX: &str = "mcp__";
const BETWEEN: &str = "__";

/// The names of one tool.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ToolNames {
    /// As a function of its own.
    pub(super) function: String,
    /// The namespace of its server.
    pub(super) namespace: String,
    /// Within that namespace.
    pub(super) in_namespace: String,
}

/// The names of all tools, in the order of the tools; each is a server and the name that it gives the tool.
///
/// What has to be told apart, because two names are one once they are clean or too long, gets digits made of its own
/// name alone, so that it does not matter in which order servers answer.
pub(super) fn tool_names(tools: &[(&str, &str)]) -> Vec<ToolNames> {
    let namespaces = namespaces(tools.iter().map(|it| it.0));
    let clean: Vec<(String, String)> = tools
        .iter()
        .map(|(server, tool)| (namespaces.get(server).cloned().unwrap_or_default(), cleaned(tool)))
        .collect();
    let mut uses: BTreeMap<&(String, String), usize> = BTreeMap::new();
    for name in &clean {
        *uses.entry(name).or_default() += 1;
    }
    tools
        .iter()
        .zip(&clean)
        .map(|((server, tool), name)| {
            let (namespace, clean) = name;
            let is_shared = uses.get(name).is_some_and(|count| *count > 1);
            let digits = digits(&[server, tool]);
            let function = format!("{namespace}{BETWEEN}{clean}");
            let room = LONGEST_IN_NAMESPACE.saturating_sub(namespace.len() + BETWEEN.len());
            ToolNames {
                function: distinct(&function, LONGEST_FUNCTION, is_shared, &digits),
                in_namespace: distinct(clean, room, is_shared, &digits),
                namespace: namespace.clone(),
            }
        })
        .collect()
}

/// The namespace of every server.
fn namespaces<'t>(servers: impl Iterator<Item = &'t str>) -> BTreeMap<&'t str, String> {
    let mut by_name: BTreeMap<&str, String> = BTreeMap::new();
    for server in servers {
        by_name.entry(server).or_insert_with(|| format!("{PREFIX}{}", cleaned(server)));
    }
    let all: Vec<String> = by_name.values().cloned().collect();
    for (server, namespace) in &mut by_name {
        let is_shared = all.iter().filter(|it| *it == namespace).count() > 1;
        *namespace = distinct(namespace, LONGEST_IN_NAMESPACE / 2, is_shared, &digits(&[server]));
    }
    by_name
}

/// A name of letters, digits and underscores; never empty.
fn cleaned(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect()
}

/// The name, with digits at its end where it is too long or not the only one.
fn distinct(name: &str, longest: usize, is_shared: bool, digits: &str) -> String {
    if name.len() <= longest && !is_shared {
        return name.to_owned();
    }
    let kept = longest.saturating_sub(DIGITS + 1).min(name.len());
    format!("{}_{digits}", &name[..kept])
}

/// Digits that stand for some texts: FNV-1a, which is the same everywhere and at any time.
fn digits(texts: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for text in texts {
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")[16 - DIGITS..].to_owned()
}
