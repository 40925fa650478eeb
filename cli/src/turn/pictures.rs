//! The pictures that the person shows.

use std::path::{Path, PathBuf};

use recto_core::environment::LocalFileSystem;
use recto_core::session::Picture;

use crate::turn_error::TurnError;

/// Reads pictures; one that no model can be shown is refused before it stands in a conversation.
pub(super) async fn read(paths: &[PathBuf]) -> Result<Vec<Picture>, TurnError> {
    let mut pictures = Vec::new();
    for path in paths {
        pictures.push(read_one(path).await?);
    }
    Ok(pictures)
}

async fn read_one(path: &Path) -> Result<Picture, TurnError> {
    let absolute = std::path::absolute(path)
        .map_err(|error| TurnError::Picture(format!("{}: {error}", path.display())))?;
    let picture = Picture::read(&LocalFileSystem, &absolute).await;
    picture.problem().map_or(Ok(picture), |problem| Err(TurnError::Picture(problem)))
}
