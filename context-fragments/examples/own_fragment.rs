//! A fragment of one's own, and what comes with it: `cargo run -p recto-context-fragments --example own_fragment`.
//!
//! A program that talks to a model adds the state of its build to the conversation. It answers who speaks, between
//! which markers and what is said; text, item and recognition are given.

use recto_context_fragments::{
    AdditionalContext, AdditionalContextKey, AdditionalContextKind, AdditionalContextValue,
    ContextualUserFragment, FragmentType, Markers, recognize, truncate_middle,
};
use recto_protocol::Role;

/// The end of the last build's log.
struct BuildLog {
    log: String,
}

impl ContextualUserFragment for BuildLog {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new("<build_log>", "</build_log>")
    }

    fn body(&self) -> String {
        format!("\n{}\n", truncate_middle(&self.log, 200))
    }
}

/// What a reader of records should know again.
const TYPES: &[FragmentType] = &[FragmentType::of::<BuildLog>("build_log")];

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut outside = AdditionalContext::default();
    outside.insert(
        AdditionalContextKey::new("ticket")?,
        AdditionalContextValue {
            kind: AdditionalContextKind::Untrusted,
            text: "The form loses its last field.".to_owned(),
        },
    );

    let build: Box<dyn ContextualUserFragment> =
        Box::new(BuildLog { log: "error: no field `last` on type `Form`".to_owned() });
    println!("{}: {}", build.role(), build.render());
    for value in outside.fragments() {
        println!("{}: {}", value.role(), value.render());
    }

    let recorded = build.render();
    let known = recognize(TYPES, &recorded).map(|it| it.id);
    println!("recognized as {}", known.unwrap_or("what somebody typed"));
    Ok(())
}
