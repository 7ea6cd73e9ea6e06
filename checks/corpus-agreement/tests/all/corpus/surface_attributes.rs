//! Attributes in the answers of rays against real characters.

use crate::surface_attributes::check;
use asset_bake::Asset;
use corpus_agreement::oracle;

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn rays_find_the_attributes_of_real_characters() {
    let mut textured = 0;
    for golden in oracle::golden() {
        let model = Asset::open(&golden.path).unwrap().import().unwrap().0;
        let [hits, with_coordinates, with_normals] = check(&model, 500);
        println!("{}: {hits} hits, {with_coordinates} texture coordinates, {with_normals} smooth normals", golden.name);
        assert!(hits > 200, "{}: {hits} hits", golden.name);
        textured += usize::from(with_coordinates == hits);
    }
    assert!(textured >= 4, "{textured} characters have texture coordinates everywhere");
}
