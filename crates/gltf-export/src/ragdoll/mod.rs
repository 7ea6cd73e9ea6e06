//! Ragdolls as text for physics programs.
//!
//! MJCF and URDF stand with axis z up, x forward and y to the left of the figure, as robots do. A point `(x, y, z)` of model
//! space, which has y up and z forward, becomes `(z, x, y)`.

mod figure;
mod hinge;
mod xml;
mod json;
mod mjcf;
mod urdf;

#[cfg(test)]
mod tests;

use crate::{Export, ExportError, ExportForm};
use baked_format::BakedCharacter;
use figure::Figure;

/// Writes the ragdoll of a character. `form` is one of the forms of ragdolls.
pub(crate) fn export(character: &BakedCharacter, form: ExportForm) -> Result<Export, ExportError> {
    let figure = Figure::new(character)?;
    let (text, warnings) = match form {
        ExportForm::Mjcf => mjcf::text(&figure),
        ExportForm::Urdf => urdf::text(&figure),
        _ => json::text(&figure),
    };
    Ok(Export { bytes: text.into_bytes(), warnings })
}
