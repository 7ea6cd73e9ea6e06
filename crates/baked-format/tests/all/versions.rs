//! Files of later minor versions: read as far as they are known. `checks/format-readers` makes them.
use crate::support;
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape, ReadError, ReadErrorKind, header, read, write};
use glam::{Quat, Vec3};
use skeleton::JointIndex;

const LATER: &[u8] = include_bytes!("../data/minor-999.bonebox");
const UNKNOWN_SHAPE: &[u8] = include_bytes!("../data/minor-999-shape.bonebox");

#[test]
fn fields_of_a_later_minor_version_are_skipped() {
    assert_eq!(header(LATER).unwrap().minor_version, 999);
    let character = read(LATER).unwrap();
    assert_eq!((character.name.as_str(), character.source.blake3[31]), ("Later", 32));
    assert_eq!(character.skeleton.joints()[0].node.0, 7);
    let expected = Hitbox {
        joint: JointIndex(0),
        shape: HitboxShape::Box,
        role: HitboxRole::Hurt,
        tags: vec!["body".into()],
        center: Vec3::new(0.5, 0.0, 0.0),
        half_extents: Vec3::new(1.0, 2.0, 0.25),
        orientation: Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        vertices: 12,
        hull_vertices: 0,
        hull_volume: 0.0,
        min_volume: Some(3.5),
        hull: None,
    };
    assert_eq!(character.boxes, [expected]);
    assert_eq!((character.clips[0].name.as_str(), character.clips[0].seconds()), ("Bob", 0.5));
    assert!(character.coverage.is_none() && character.warnings.is_empty());
    // Written again, it is a file of this version.
    assert_eq!(read(&write(&character).unwrap()), Ok(character));
}

/// A program of version 1.0 reads every file that it could understand in full, and skips attacks and states of others.
#[test]
fn a_file_has_the_lowest_version_with_what_it_uses() {
    let minor = |character: &_| header(&write(character).unwrap()).unwrap().minor_version;
    assert_eq!((minor(&support::scout()), minor(&support::boxer())), (0, 1));
    // The fighter has attacks and roles; roles alone need the same version.
    assert_eq!(minor(&support::fighter()), 2);
    assert_eq!(minor(&support::faller()), 3);
    let only_roles = BakedCharacter { attacks: vec![], states: vec![], ..support::fighter() };
    assert_eq!(minor(&only_roles), 2);
    assert_eq!((minor(&support::tailor()), minor(&support::mime())), (0, 3));
    let only_states = BakedCharacter { attacks: vec![], ..support::boxer() };
    assert_eq!(minor(&only_states), 1);
}

#[test]
fn what_cannot_be_skipped_asks_for_a_newer_program() {
    let error = read(UNKNOWN_SHAPE).unwrap_err();
    assert_eq!(error.kind(), ReadErrorKind::UnsupportedVersion);
    insta::assert_snapshot!(error);
}

/// In a file of this very version the same byte is a mistake.
#[test]
fn an_unknown_value_in_this_version_is_malformed() {
    let file = baked_format::fuzz::sealed(baked_format::fuzz::payload_of(UNKNOWN_SHAPE));
    assert!(matches!(read(&file), Err(ReadError::Malformed { .. })), "{:?}", read(&file));
}

#[test]
fn errors_are_sentences_with_a_cure() {
    let file = write(&read(LATER).unwrap()).unwrap();
    let change = |at: usize| {
        let mut bytes = file.clone();
        bytes[at] ^= 1;
        read(&bytes).unwrap_err().to_string()
    };
    let errors = [
        read(b"").unwrap_err().to_string(),
        read(b"glTF\x02\0\0\0....").unwrap_err().to_string(),
        read(&[b"\x89BBX\n\x1a\n".as_slice(), &file[8..]].concat()).unwrap_err().to_string(),
        read(&file[..file.len() - 4]).unwrap_err().to_string(),
        read(&[file.as_slice(), b"\n"].concat()).unwrap_err().to_string(),
        change(8),
        change(100),
        read(&baked_format::fuzz::sealed(&[0; 64])).unwrap_err().to_string(),
        read(&baked_format::fuzz::sealed(&[0xff; 64])).unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}
