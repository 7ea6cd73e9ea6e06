//! Bakes one character in the process of a game or a tool, without writing files.

use crate::asset_settings::AssetSettings;
use crate::character_file::CharacterFile;
use crate::find::character_name;
use crate::{AssetError, RequestedSettings};
use baked_format::BakedCharacter;
use bone_fit::BakeObserver;
use skinned_model::NoExternalFiles;
use std::path::Path;

/// Bakes the asset at `path` in memory, or reads it if it is a `.bonebox` file. The settings files of its folder and parent folders apply
/// unless `requested` names another file. The limits of the settings file do not apply.
///
/// The observer receives the steps of the bake and may cancel it; `&()` does neither.
///
/// # Errors
/// Returns the errors of [`CharacterFile::open`] and [`CharacterFile::bake`], and [`bone_fit::BakeError::Canceled`].
pub fn bake_file(
    path: &Path,
    requested: &RequestedSettings,
    observer: &dyn BakeObserver,
) -> Result<BakedCharacter, AssetError> {
    CharacterFile::open(path)?.bake_observed(requested, observer)
}

/// Bakes a glTF or VRM file in memory. All buffers must be inside the file: a file that names other files is refused.
///
/// - `file` is the file's name, such as `runa.glb`. The name goes into [`Source::file`](baked_format::Source::file) and
///   into messages.
/// - `settings` is the text of a `bonebox.toml` and may be empty. The limits in this text do not apply.
///
/// The observer receives the steps of the bake and may cancel it; `&()` does neither.
///
/// # Errors
/// Returns [`AssetError`] if `settings` has a mistake, the asset cannot be imported or baked, or the observer cancels
/// the bake ([`bone_fit::BakeError::Canceled`]).
pub fn bake_bytes(
    bytes: &[u8],
    file: &str,
    settings: &str,
    observer: &dyn BakeObserver,
) -> Result<BakedCharacter, AssetError> {
    let settings = AssetSettings::of_text(&character_name(Path::new(file)), "settings", settings, &[])?;
    CharacterFile::of_bytes(bytes, file, &NoExternalFiles)?.bake_with(&settings, observer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SettingsFileChoice;
    use bone_fit::{BakeError, BakeStep};
    use std::sync::Mutex;

    /// Records the steps, and cancels the bake after the step `last` has started.
    #[derive(Default)]
    struct Steps {
        seen: Mutex<Vec<BakeStep>>,
        last: Option<BakeStep>,
    }

    impl BakeObserver for Steps {
        fn step_started(&self, step: BakeStep) {
            self.seen.lock().unwrap().push(step);
        }

        fn is_canceled(&self) -> bool {
            self.last.is_some() && self.seen.lock().unwrap().last() == self.last.as_ref()
        }
    }

    #[test]
    fn bytes_and_file_give_the_same_character() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = (folder.path().join("man.glb"), test_models::box_man().to_glb());
        std::fs::write(&path, &bytes).unwrap();
        std::fs::write(folder.path().join("bonebox.toml"), "preset = 'tight'").unwrap();
        let steps = Steps::default();
        let of_file = bake_file(&path, &RequestedSettings::default(), &steps).unwrap();
        let of_bytes = bake_bytes(&bytes, "man.glb", "preset = 'tight'", &()).unwrap();
        assert_eq!(of_file, of_bytes);
        assert_eq!((of_bytes.name.as_str(), of_bytes.source.file.as_str()), ("man", "man.glb"));
        let all = [BakeStep::Assign, BakeStep::Sample, BakeStep::Split, BakeStep::Fit, BakeStep::Measure];
        assert_eq!(*steps.seen.lock().unwrap(), all);

        let baked = folder.path().join("man.bonebox");
        std::fs::write(&baked, baked_format::write(&of_file).unwrap()).unwrap();
        assert_eq!(bake_file(&baked, &RequestedSettings::default(), &()).unwrap(), of_file);
    }

    /// As with a file, the options override the text, and a preset replaces its options.
    #[test]
    fn options_come_over_a_text() {
        let settings = |options: &[(&str, &str)]| {
            let options: Vec<_> = options.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
            AssetSettings::of_text("man", "mine.toml", "preset = 'tight'\nmargin = 0.25", &options)
        };
        let margin = |options| settings(options).unwrap().options().margin;
        assert_eq!((margin(&[]), margin(&[("margin", "0.5")]), margin(&[("preset", "cover")])), (0.25, 0.5, 0.0));
        assert!(settings(&[("margn", "1")]).unwrap_err().to_string().contains("did you mean \"margin\""));
        let error = AssetSettings::of_text("man", "mine.toml", "fitt = 1", &[]).unwrap_err().to_string();
        assert!(error.starts_with("mine.toml:1:1: "), "{error}");
    }

    #[test]
    fn a_bake_can_be_canceled_after_each_step() {
        let bytes = test_models::box_man().to_glb();
        for last in [BakeStep::Assign, BakeStep::Sample, BakeStep::Split, BakeStep::Fit, BakeStep::Measure] {
            let steps = Steps { last: Some(last), ..Steps::default() };
            let error = bake_bytes(&bytes, "man.glb", "preset = 'tight'", &steps).unwrap_err();
            assert_eq!(steps.seen.lock().unwrap().last(), Some(&last));
            assert_eq!(error.with_causes(), "man.glb: the bake was canceled");
            let AssetError::Asset { source, .. } = error else { panic!("{error}") };
            assert!(matches!(*source, AssetError::Bake(BakeError::Canceled)), "{source}");
        }
    }

    /// The man with an animation `nod` and its `extras.bonebox`.
    fn nodding_man(extras: &serde_json::Value) -> Vec<u8> {
        let mut man = test_models::box_man();
        let joint = man.joints.iter().position(|joint| joint.name == "head").unwrap();
        let keys = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.28, 0.0, 0.0, 0.96])];
        man.clips.push(test_models::Clip { name: "nod".into(), tracks: vec![test_models::Track { joint, keys }] });
        let mut gltf = man.to_gltf();
        let nod = gltf.json["animations"].as_array_mut().unwrap().last_mut().unwrap();
        nod["extras"] = serde_json::json!({ "bonebox": extras });
        gltf.to_glb()
    }

    #[test]
    fn an_asset_can_have_attacks_and_the_settings_file_wins() {
        let extras = serde_json::json!({
            "attacks": [
                { "name": "butt", "boxes": "head", "active": [0.2, 0.4], "data": { "damage": 3 } },
                { "name": "bite", "boxes": "head", "active": [0.5, 0.6] },
            ],
            "states": [{ "state": "guard", "active": [0, 1] }, { "state": "armor", "active": [0, 1] }],
        });
        let settings = "[[clips.nod.attacks]]\nname = 'butt'\nboxes = 'head'\nactive = [0.3, 0.4]\n\
                        [[clips.nod.states]]\nstate = 'armor'\nactive = [0.7, 0.8]";
        let bake = |settings| bake_bytes(&nodding_man(&extras), "man.glb", settings, &()).unwrap();
        let windows = |settings| -> Vec<(String, f32)> {
            let baked = bake(settings);
            let attacks = baked.attacks.iter().map(|attack| (attack.name.clone(), attack.active[0].from));
            attacks
                .chain(baked.states.iter().map(|state| (state.kind.keyword().into(), state.active[0].from)))
                .collect()
        };
        let of = |windows: [(&str, f32); 4]| windows.map(|(name, from)| (name.to_owned(), from)).to_vec();
        assert_eq!(windows(""), of([("butt", 0.2), ("bite", 0.5), ("guard", 0.0), ("armor", 0.0)]));
        assert_eq!(windows(settings), of([("butt", 0.3), ("bite", 0.5), ("armor", 0.7), ("guard", 0.0)]));
        assert_eq!(bake("").attacks[0].data.as_deref(), Some(r#"{"damage":3}"#));
    }

    #[test]
    fn mistakes_in_the_extras_of_an_asset_name_the_animation() {
        let error = |extras: &serde_json::Value| {
            bake_bytes(&nodding_man(extras), "man.glb", "", &()).unwrap_err().with_causes()
        };
        let unknown = error(&serde_json::json!({ "atacks": [] }));
        assert!(unknown.starts_with("man.glb: extras.bonebox of the animation \"nod\", as TOML:1:1: "), "{unknown}");
        let outside = error(&serde_json::json!("[[attacks]]\nname = 'butt'\nboxes = 'head'\nactive = [0.5, 1.5]"));
        let expected = "man.glb: extras.bonebox of an animation: attack \"butt\" of the clip \"nod\": the window from 0.5 to 1.5 s";
        assert!(outside.starts_with(expected), "{outside}");
    }

    #[test]
    fn mistakes_name_their_place() {
        let bytes = test_models::box_man().to_glb();
        let error = |bytes: &[u8], settings| bake_bytes(bytes, "man.glb", settings, &()).unwrap_err().with_causes();
        assert!(error(&bytes, "fit = 'pac'").starts_with("settings:1:"), "{}", error(&bytes, "fit = 'pac'"));
        assert!(error(&bytes, "[joints.hed]\nmargin = 0.1").contains("did you mean"));
        assert!(error(b"glTF", "").starts_with("man.glb: "), "{}", error(b"glTF", ""));
        let requested = RequestedSettings { file: SettingsFileChoice::None, ..RequestedSettings::default() };
        let missing = bake_file(Path::new("missing.glb"), &requested, &()).unwrap_err().with_causes();
        assert!(missing.contains("missing.glb"), "{missing}");
    }
}
