//! What the trait gives to a fragment that answers its three questions.

use pretty_assertions::assert_eq;
use recto_context_fragments::{ContextualUserFragment, FragmentType, Markers, recognize};
use recto_protocol::{ContentItem, Message, ResponseItem, Role};

struct Note(&'static str);

impl ContextualUserFragment for Note {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new("<note>", "</note>")
    }

    fn body(&self) -> String {
        format!("\n{}\n", self.0)
    }
}

struct Bare;

impl ContextualUserFragment for Bare {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::NONE
    }

    fn body(&self) -> String {
        "<note>bare</note>".to_owned()
    }
}

#[test]
fn a_boxed_fragment_has_role_markers_text_and_item() {
    let fragments: [Box<dyn ContextualUserFragment>; 2] = [Box::new(Note("n")), Box::new(Bare)];
    let told: Vec<(Role, Markers, String)> =
        fragments.iter().map(|it| (it.role(), it.type_markers(), it.render())).collect();
    assert_eq!(
        told,
        [
            (Role::User, Markers::new("<note>", "</note>"), "<note>\nn\n</note>".to_owned()),
            (Role::Developer, Markers::NONE, "<note>bare</note>".to_owned()),
        ]
    );
    assert_eq!(
        fragments[0].to_response_item(),
        ResponseItem::Message(Message {
            id: None,
            role: Role::User,
            content: vec![ContentItem::InputText { text: "<note>\nn\n</note>".into() }],
            phase: None,
        })
    );
}

#[test]
fn a_type_knows_its_texts_without_a_value() {
    assert!(Note::matches_text(" <NOTE>anything</note>\n"));
    assert!(!Note::matches_text("<note>"));
    assert!(!Bare::matches_text("<note>bare</note>"));
}

#[test]
fn the_first_type_of_a_list_that_matches_is_recognized() {
    struct Twin;

    impl ContextualUserFragment for Twin {
        fn role(&self) -> Role {
            Role::User
        }

        fn markers() -> Markers {
            Note::markers()
        }

        fn body(&self) -> String {
            String::new()
        }
    }

    let types = [
        FragmentType::of::<Bare>("bare"),
        FragmentType::of::<Note>("note"),
        FragmentType::of::<Twin>("twin"),
    ];
    let recognized = |text: &str| recognize(&types, text).map(|it| it.id);
    assert_eq!(recognized(&Note("n").render()), Some("note"));
    assert_eq!(recognized("<note> a question"), None);
    assert_eq!(recognized(""), None);
}
