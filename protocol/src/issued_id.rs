//! Which ids of items a server issued; no other id goes out.
//!
//! A server refuses an item whose id does not begin as it would have written it (`Expected an ID that begins with
//! 'msg'`), and an id that it never issued names nothing. Codex gives its own items ids such as
//! `msg_01a22ee4-3929-7ea0-9cbd-29e56a3e1841`: the prefix and a UUID with hyphens, which no server's ids have.

/// What an API takes at most as the id of an item.
const MAX_BYTES: usize = 64;

/// Whether an item of that type may have got this id from a server: the prefix of its type and then letters, digits
/// and underscores.
///
/// Of an item of an unknown type nothing is known, so its id counts as issued.
pub(crate) fn is_issued(item_type: &str, id: &str) -> bool {
    let Some(prefix) = prefix(item_type) else { return true };
    let rest = id.strip_prefix(prefix).unwrap_or_default();
    !rest.is_empty()
        && id.len() <= MAX_BYTES
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn prefix(item_type: &str) -> Option<&'static str> {
    Some(match item_type {
        "message" => "msg_",
        "reasoning" => "rs_",
        "function_call" => "fc_",
        "function_call_output" => "fco_",
        "custom_tool_call" => "ctc_",
        "custom_tool_call_output" => "ctco_",
        "local_shell_call" => "lsh_",
        "tool_search_call" => "tsc_",
        "tool_search_output" => "tso_",
        "web_search_call" => "ws_",
        "image_generation_call" => "ig_",
        "additional_tools" => "at_",
        "compaction" | "compaction_summary" => "cmp_",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_issued_when_it_has_the_form_that_servers_give() {
        for (item_type, id, expected) in [
            ("message", "msg_67ccd2bf17f0819081ff3bb2cf6508e60bb6a6b452d3795b", true),
            ("message", "msg_0001", true),
            ("message", "msg_01a22ee4-3929-7ea0-9cbd-29e56a3e1841", false),
            ("message", "made_up_7", false),
            ("message", "msg_", false),
            ("message", "msg", false),
            ("message", "", false),
            ("message", "rs_0001", false),
            ("message", &format!("msg_{}", "a".repeat(61)), false),
            ("reasoning", "rs_0001", true),
            ("function_call", "fc_0001", true),
            ("function_call_output", "fco_0e6d1a52-8f3c-5b7a-9d46-0a1b2c3d4e5f", false),
            ("custom_tool_call", "ctc_0001", true),
            ("of_tomorrow", "anything", true),
        ] {
            assert_eq!(is_issued(item_type, id), expected, "{item_type} {id}");
        }
    }
}
