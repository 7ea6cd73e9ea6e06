//! Baking through the C library.

use crate::door::{Failed, OwnCharacter, c, call, value};
use bonebox_c::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

fn glb() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.glb")).unwrap()
}

/// Keeps the steps, and cancels the bake at the second step if `cancel` is set.
struct Steps {
    seen: Vec<BoneboxBakeStep>,
    cancel: bool,
}

unsafe extern "C" fn see(step: BoneboxBakeStep, user: *mut c_void) -> bool {
    let steps = unsafe { &mut *user.cast::<Steps>() };
    steps.seen.push(step);
    !(steps.cancel && steps.seen.len() == 2)
}

fn bake(glb: &[u8], settings: Option<&str>, steps: &mut Steps) -> Result<Vec<u8>, Failed> {
    let (file, settings) = (c("runa.glb"), settings.map(c));
    let settings = settings.as_ref().map_or(null(), |settings| settings.as_ptr());
    let user = std::ptr::from_mut(steps).cast();
    let baked = value(|out, error| unsafe {
        bonebox_bake(glb.as_ptr(), glb.len(), file.as_ptr(), settings, Some(see), user, out, error)
    })?;
    let (data, length) = unsafe { (bonebox_bytes_data(baked), bonebox_bytes_length(baked)) };
    let bytes = unsafe { std::slice::from_raw_parts(data, length) }.to_vec();
    assert_eq!(unsafe { bonebox_bytes_free(baked) }, BoneboxResult::Ok);
    Ok(bytes)
}

#[test]
fn a_character_is_baked_in_memory() {
    let mut steps = Steps { seen: Vec::new(), cancel: false };
    let bytes = bake(&glb(), Some("[tags]\n\"hand_?\" = \"fist\"\n"), &mut steps).unwrap();
    let runa = OwnCharacter::load(&bytes).unwrap();
    let tag = c("fist");
    let fists = value(|out, error| unsafe { bonebox_box_set_with_tag(runa.0, tag.as_ptr(), out, error) }).unwrap();
    assert_eq!(unsafe { bonebox_box_set_count(fists) }, 2);
    assert_eq!(unsafe { bonebox_box_set_free(fists) }, BoneboxResult::Ok);
    assert_eq!(steps.seen.first(), Some(&BoneboxBakeStep::Assign));
    assert_eq!(steps.seen.last(), Some(&BoneboxBakeStep::Measure));
}

#[test]
fn a_bake_is_canceled_and_mistakes_are_told() {
    let glb = glb();
    let mut steps = Steps { seen: Vec::new(), cancel: true };
    assert_eq!(bake(&glb, None, &mut steps).unwrap_err().result, BoneboxResult::Canceled);
    assert_eq!(steps.seen.len(), 2);
    let mut steps = Steps { seen: Vec::new(), cancel: false };
    let failed = bake(&glb, Some("preset = \"tigth\""), &mut steps).unwrap_err();
    assert_eq!(failed.result, BoneboxResult::BakeFailed);
    assert!(failed.message.contains("tight"), "{}", failed.message);
    let failed = bake(b"no glTF", None, &mut steps).unwrap_err();
    assert_eq!(failed.result, BoneboxResult::BakeFailed);
    assert!(failed.message.contains("runa.glb"), "{}", failed.message);
    let file = c("runa.glb");
    let nowhere = call(|error| unsafe {
        bonebox_bake(glb.as_ptr(), glb.len(), file.as_ptr(), null(), None, null_mut(), null_mut(), error)
    });
    assert_eq!(nowhere.unwrap_err().result, BoneboxResult::NullPointer);
}
