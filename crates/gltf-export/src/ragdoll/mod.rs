//! Ragdolls for physics programs: as text, and in glTF.
//!
//! MJCF and URDF stand with axis z up, x forward and y to the left of the figure, as robots do. A point `(x, y, z)` of model
//! space, which has y up and z forward, becomes `(z, x, y)`.

mod rigid_bodies;

mod hinge;
mod figure;
mod xml;
mod json;
mod mjcf;
mod urdf;

mod usda;

mod nodes;
pub(crate) mod gltf;

#[cfg(test)]
pub(crate) mod tests;

use crate::{Export, ExportError, ExportForm};
use baked_format::BakedCharacter;
use figure::Figure;
use hinge::{coupled_hinges, three_hinges};

/// Writes the ragdoll of a character as text. `form` is one of the forms of ragdolls that are no glTF.
pub(crate) fn export(character: &BakedCharacter, form: ExportForm) -> Result<Export, ExportError> {
    let (text, warnings) = match form {
        ExportForm::Mjcf => mjcf::text(&Figure::new(character, coupled_hinges)?),
        ExportForm::Usda => return usda::export(character),
        ExportForm::Urdf => urdf::text(&Figure::new(character, three_hinges)?),
        _ => json::text(&Figure::new(character, three_hinges)?),
    };
    Ok(Export { bytes: text.into_bytes(), warnings })
}
