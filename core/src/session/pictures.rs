//! Pictures that a person gives beside what they type.

use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use recto_protocol::{ContentItem, ContentKind, ImageDetail};

use crate::environment::{FileRead, FileSystem, FileSystemError, contents_of};
use crate::history::{ImageProblem, PICTURE_AS_TEXT, check_picture};

/// Bytes that a picture's file may have; as base64 they are the longest `data:` URL that a request takes.
const MAX_BYTES: u64 = 37_000_000;

/// A picture that a person gives, or why it cannot be shown to a model.
///
/// It goes out as its bytes are: nothing is scaled or made into another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its file, where it has one.
    path: Option<Arc<str>>,
    /// Its `data:` URL.
    url: Result<Arc<str>, PictureProblem>,
}

/// Why a picture cannot be shown to a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureProblem {
    /// No server would take it.
    #[error(transparent)]
    Unusable(#[from] ImageProblem),
    /// Its file cannot be read.
    #[error("{0}")]
    Unreadable(FileSystemError),
}

impl Picture {
    /// A picture as a `data:` URL; addresses of other machines are not fetched.
    pub fn from_url(url: &str) -> Self {
        let url = check_picture(url).map(|()| url.into()).map_err(PictureProblem::from);
        Self { path: None, url }
    }

    /// A picture as the bytes of a PNG, JPEG, GIF or WebP file.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { path: None, url: data_url(bytes) }
    }

    /// Reads a picture's file; the model is told its path as it is given here.
    pub async fn read(file_system: &dyn FileSystem, path: &Path) -> Self {
        let read = FileRead { path: path.to_owned(), limit: MAX_BYTES };
        let answer = contents_of(file_system, &[read]).await.into_iter().next();
        let url = match answer {
            Some(Ok(contents)) if contents.len > MAX_BYTES => Err(ImageProblem::TooLarge.into()),
            Some(Ok(contents)) => data_url(&contents.bytes),
            Some(Err(error)) => Err(PictureProblem::Unreadable(error)),
            None => Err(PictureProblem::Unreadable(FileSystemError::NotFound)),
        };
        Self { path: Some(path.to_string_lossy().into()), url }
    }

    /// Why the model will not see it, as a sentence for people; none where it will.
    pub fn problem(&self) -> Option<String> {
        let problem = self.url.as_ref().err()?;
        Some(match &self.path {
            Some(path) => format!("the picture {path} is left out: {problem}"),
            None => format!("a picture is left out: {problem}"),
        })
    }

    /// What a model reads of it, as the reference writes it: one with a file stands between tags that name it.
    ///
    /// `number` counts the pictures of an input from one.
    pub(super) fn parts(&self, number: usize) -> Vec<(ContentItem, ContentKind)> {
        let content = match (&self.url, &self.path) {
            (Ok(url), _) => (
                ContentItem::InputImage {
                    image_url: url.to_string(),
                    detail: Some(ImageDetail::Original),
                },
                ContentKind::USER_IMAGE,
            ),
            (Err(PictureProblem::Unusable(problem)), _) => {
                (text(problem.placeholder()), PICTURE_AS_TEXT)
            }
            (Err(PictureProblem::Unreadable(error)), path) => {
                let path = path.as_deref().unwrap_or_default();
                let words = format!("The picture at `{path}` could not be read: {error}");
                return vec![(text(&words), ContentKind::USER_TEXT)];
            }
        };
        match &self.path {
            Some(path) => {
                let start = text(&format!("<image name=[Image #{number}] path=\"{path}\">"));
                let end = text("</image>");
                vec![(start, ContentKind::USER_TEXT), content, (end, ContentKind::USER_TEXT)]
            }
            None => vec![content],
        }
    }
}

fn text(text: &str) -> ContentItem {
    ContentItem::InputText { text: text.to_owned() }
}

/// The URL that holds a picture's bytes, whatever its file is called.
fn data_url(bytes: &[u8]) -> Result<Arc<str>, PictureProblem> {
    let format = match bytes {
        [0x89, b'P', b'N', b'G', ..] => "png",
        [0xff, 0xd8, 0xff, ..] => "jpeg",
        [b'G', b'I', b'F', b'8', ..] => "gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "webp",
        _ => return Err(ImageProblem::UnknownFormat.into()),
    };
    let url = format!("data:image/{format};base64,{}", STANDARD.encode(bytes));
    check_picture(&url)?;
    Ok(url.into())
}
