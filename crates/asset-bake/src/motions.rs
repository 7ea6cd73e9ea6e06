//! Clips from other files, as the key `motions` of a settings file says.

mod cut;
mod files;
mod fit;

use crate::AssetError;
use crate::asset::Asset;
use crate::stamp::read_unchanged;
use bake_settings::MotionSettings;
use mocap::bvh::Motion;
use skeleton::humanoid::Humanoid;
use skinned_model::{ImportWarning, SkinnedModel};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) use files::matching_files;
pub use fit::retargeted;

/// The problem of one entry of `motions`.
#[derive(Debug)]
pub(crate) struct MotionProblem {
    /// The index of the entry.
    pub(crate) entry: usize,
    /// The problem as a sentence.
    pub(crate) text: String,
}

/// The files of a character's `motions`, read but not yet fitted to the character.
#[derive(Debug, Default)]
pub(crate) struct Motions {
    files: Vec<MotionFile>,
}

#[derive(Debug)]
struct MotionFile {
    /// The index of the entry.
    entry: usize,
    /// The path relative to the folder of the settings file.
    path: String,
    /// The hash of all bytes read.
    blake3: [u8; 32],
    content: Content,
}

#[derive(Debug)]
enum Content {
    Model(Box<SkinnedModel>),
    Recording(Box<Motion>),
}

impl Motions {
    /// Reads the files of all entries, in order. `folder` is the folder of the settings file, and `asset` is the asset that
    /// gets the clips; a pattern does not find it.
    pub(crate) fn read(folder: &Path, entries: &[MotionSettings], asset: &Path) -> Result<Self, MotionProblem> {
        let mut files = Vec::new();
        for (entry, settings) in entries.iter().enumerate() {
            let problem = |text| MotionProblem { entry, text };
            for path in matching_files(folder, settings, asset).map_err(problem)? {
                let read = read(&folder.join(&path));
                let (content, blake3) = read.map_err(|error| problem(format!("{path}: {}", error.with_causes())))?;
                files.push(MotionFile { entry, path, blake3, content });
            }
        }
        Ok(Self { files })
    }

    /// The source hash of a bake with these motions, from the source hash of the asset. Without motions, both are equal.
    pub(crate) fn hash_after(&self, asset: [u8; 32]) -> [u8; 32] {
        if self.files.is_empty() {
            return asset;
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&asset);
        for file in &self.files {
            // The length keeps apart the path and what follows it. The path may name the clip.
            hasher.update(&(file.path.len() as u64).to_le_bytes()).update(file.path.as_bytes()).update(&file.blake3);
        }
        *hasher.finalize().as_bytes()
    }

    /// The model with the clips of the files. `humanoid` returns the humanoid of the model, if it is needed.
    pub(crate) fn added_to<'a>(
        &self,
        model: &'a SkinnedModel,
        entries: &[MotionSettings],
        humanoid: &dyn Fn() -> Result<Humanoid, String>,
    ) -> Result<Cow<'a, SkinnedModel>, MotionProblem> {
        if self.files.is_empty() {
            return Ok(Cow::Borrowed(model));
        }
        let mut with = model.clone();
        let mut added: BTreeSet<String> = BTreeSet::new();
        for (entry, settings) in entries.iter().enumerate() {
            let problem = |text| MotionProblem { entry, text };
            let mut seen: Vec<String> = Vec::new();
            let mut taken = false;
            for file in self.files.iter().filter(|file| file.entry == entry) {
                let here = |text: String| problem(format!("{}: {text}", file.path));
                let chosen = fit::Chosen::of(&file.content, &file.path, settings);
                seen.extend(chosen.names.iter().cloned());
                taken |= !chosen.clips.is_empty();
                if chosen.names.is_empty() {
                    return Err(here(
                        "the file has no animation that moves a joint; remove it from motions".to_owned(),
                    ));
                }
                let fitted = fit::fitted(&file.content, &chosen, settings, model, humanoid).map_err(here)?;
                for text in fitted.warnings {
                    let text = format!("{}: {text}", file.path);
                    with.warnings.push(ImportWarning { code: "motion-file", joint: None, text });
                }
                for (mut clip, extras) in fitted.clips {
                    let own = with.clips.iter().position(|own| own.name == clip.name);
                    if added.contains(&clip.name) {
                        let text = format!("motions give two clips the name {:?}; add rename or prefix", clip.name);
                        return Err(here(text));
                    }
                    if own.is_some() && !settings.replace {
                        let text = format!(
                            "the asset has a clip {:?} already; add rename or prefix, or `replace = true` to replace it",
                            clip.name
                        );
                        return Err(here(text));
                    }
                    added.insert(clip.name.clone());
                    with.clip_extras.retain(|(name, _)| *name != clip.name);
                    with.clip_extras.extend(extras.map(|extras| (clip.name.clone(), extras)));
                    match own {
                        Some(own) => std::mem::swap(&mut with.clips[own], &mut clip),
                        None => with.clips.push(clip),
                    }
                }
            }
            if !taken {
                let patterns: Vec<String> = settings.clips.iter().map(|one| format!("{:?}", one.as_str())).collect();
                let text = format!("no clip matches {}; {}", patterns.join(", "), listed("the clips are", &seen));
                return Err(problem(text));
            }
            if let Some((unknown, _)) = settings.rename.iter().find(|(own, _)| !seen.contains(own)) {
                let text = format!(
                    "rename names the clip {unknown:?}, which no file of this entry has; {}",
                    listed("the clips are", &seen)
                );
                return Err(problem(text));
            }
        }
        Ok(Cow::Owned(with))
    }
}

/// Reads a file and its buffers, and returns the hash of all bytes.
fn read(path: &Path) -> Result<(Content, [u8; 32]), AssetError> {
    if has_extension(path, "bvh") {
        let (bytes, _) = read_unchanged(path, |path| std::fs::read(path))?;
        let motion = Motion::parse(&bytes).map_err(|error| AssetError::Recording(error.to_string()))?;
        return Ok((Content::Recording(Box::new(motion)), *blake3::hash(&bytes).as_bytes()));
    }
    let (model, blake3) = Asset::open(path)?.import_motion()?;
    Ok((Content::Model(Box::new(model)), blake3))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// A few names for a message.
pub(crate) fn listed(what: &str, names: &[String]) -> String {
    const MOST_NAMED: usize = 6;
    let short = |name: &String| format!("{:?}", name.chars().take(60).collect::<String>());
    let mut shown: Vec<String> = names.iter().take(MOST_NAMED).map(short).collect();
    if names.len() > MOST_NAMED {
        shown.push(format!("{} more", names.len() - MOST_NAMED));
    }
    format!("{what} {}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::{BakeOutcome, BakeRequest, bake_assets};
    use baked_format::BakedCharacter;
    use std::fs;
    use std::path::Path;
    use test_models::{Character, Clip, Track, box_man};

    /// The man with a clip for each of these names and joints, and nothing else.
    fn man(clips: &[(&str, &str)]) -> Character {
        let mut man = box_man();
        let half = std::f32::consts::FRAC_1_SQRT_2;
        man.clips = clips
            .iter()
            .map(|(name, joint)| {
                let joint = man.joints.iter().position(|one| one.name == *joint).unwrap();
                let keys = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, half, 0.0, half])];
                Clip { name: (*name).into(), tracks: vec![Track { joint, keys }] }
            })
            .collect();
        man
    }

    /// A file with the clips of a character, but without its mesh and its skin, as exporters write animations.
    fn motion_file(character: &Character) -> Vec<u8> {
        let mut gltf = character.to_gltf();
        let json = gltf.json.as_object_mut().unwrap();
        json.remove("meshes");
        json.remove("skins");
        for node in json["nodes"].as_array_mut().unwrap() {
            node.as_object_mut().unwrap().retain(|key, _| key != "mesh" && key != "skin");
        }
        gltf.to_glb()
    }

    struct Folder(tempfile::TempDir);

    impl Folder {
        /// A folder with the man, whose clip is `jab`, and motions of his joints.
        fn new() -> Self {
            let folder = Self(tempfile::tempdir().unwrap());
            folder.write("man.glb", &box_man().to_glb());
            folder.write("anims/nod.glb", &motion_file(&man(&[("Take 001", "head")])));
            folder.write("anims/kicks.glb", &motion_file(&man(&[("kick", "thigh.left"), ("jab", "thigh.right")])));
            folder
        }

        fn write(&self, file: &str, bytes: &[u8]) {
            let path = self.0.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        /// The result of a bake of the folder: a word, or the error.
        fn bake(&self, settings: &str, check: bool) -> String {
            self.write("bonebox.toml", settings.as_bytes());
            let request = BakeRequest { paths: vec![self.0.path().to_owned()], check, ..BakeRequest::default() };
            let run = match bake_assets(&request, &()) {
                Ok(run) => run,
                Err(error) => return error.with_causes(),
            };
            let man = run.results.iter().find(|result| result.target.name == "man").unwrap();
            match &man.outcome {
                BakeOutcome::Baked(_) => "baked".to_owned(),
                BakeOutcome::Stored(_) | BakeOutcome::Unchanged(_) => "unchanged".to_owned(),
                BakeOutcome::Refused(..) => "refused".to_owned(),
                BakeOutcome::Failed(error) => error.with_causes(),
            }
        }

        fn stored(&self) -> BakedCharacter {
            baked_format::read(&fs::read(self.0.path().join("man.bonebox")).unwrap()).unwrap()
        }

        fn clips(&self, settings: &str) -> Vec<String> {
            let outcome = self.bake(settings, false);
            assert_eq!(outcome, "baked", "{settings}");
            self.stored().clips.into_iter().map(|clip| clip.name).collect()
        }
    }

    /// As Mixamo gives them: a file for each animation, without a mesh, and the take has the same name in each.
    #[cfg(feature = "fbx")]
    #[test]
    fn motions_may_be_fbx_files() {
        let folder = Folder::new();
        for (file, joint) in [("wave.fbx", "upper_arm.left"), ("kick.fbx", "thigh.left")] {
            let mut motion = man(&[("mixamo.com", joint)]);
            (motion.positions, motion.triangles, motion.influences) = Default::default();
            let form = test_models::Fbx { unit: 1.0, meshes: 0, ..test_models::Fbx::default() };
            folder.write(&format!("moves/{file}"), &form.binary(&motion));
        }
        assert_eq!(folder.clips("motions = ['moves/*.fbx']"), ["jab", "kick", "wave"]);
        assert_eq!(folder.stored().clips[1].end(), 1.0);
    }

    /// The bake is the one of an asset that has the clips itself, except for its source.
    #[test]
    fn clips_of_other_files_count_as_clips_of_the_asset() {
        let folder = Folder::new();
        assert_eq!(folder.clips("motions = ['anims/nod.glb']"), ["jab", "nod"]);
        let found = folder.stored();
        let mut whole = man(&[("jab", "head"), ("nod", "head")]);
        whole.clips[0] = box_man().clips.remove(0);
        let expected = crate::bake_bytes(&whole.to_glb(), "man.glb", "", &()).unwrap();
        assert_eq!(
            (&found.boxes, &found.clips, &found.coverage),
            (&expected.boxes, &expected.clips, &expected.coverage)
        );
        assert_ne!(found.source.blake3, *blake3::hash(&box_man().to_glb()).as_bytes());
    }

    #[test]
    fn patterns_names_and_prefixes() {
        let folder = Folder::new();
        let clips = |settings: &str| folder.clips(settings);
        assert_eq!(clips("motions = [{ files = 'anims/*.glb', prefix = 'm_' }]"), ["jab", "m_kick", "m_jab", "m_nod"]);
        assert_eq!(
            clips("motions = [{ files = ['anims/nod.glb', 'anims/k*'], rename = { jab = 'low' } }]"),
            ["jab", "nod", "kick", "low"]
        );
        assert_eq!(clips("[[motions]]\nfiles = 'anims/*'\nclips = ['n*', 'KICK']"), ["jab", "kick", "nod"]);
        assert_eq!(clips("motions = [{ files = 'anims/kicks.glb', replace = true }]"), ["jab", "kick"]);
        let jab = &folder.stored().clips[0];
        let moved = &folder.stored().skeleton.joint(jab.channels[0].joint).name.clone();
        assert_eq!(moved, "thigh.right", "the asset's own clip is replaced");
        assert_eq!(clips("motions = ['anims/nod.glb']\n[characters.man]\nmotions = []"), ["jab"]);
        assert_eq!(clips("[characters.man]\nmotions = ['anims/nod.glb']\n[clips.nod]"), ["jab", "nod"]);
    }

    #[test]
    fn a_range_cuts_clips() {
        let folder = Folder::new();
        folder.clips("motions = [{ files = 'anims/nod.glb', from = 0.25, to = 0.75 }]");
        let nod = folder.stored().clips.remove(1);
        assert_eq!((nod.start(), nod.end()), (0.0, 0.5));
        let error = folder.bake("motions = [{ files = 'anims/nod.glb', from = 2 }]", false);
        assert!(
            error.contains(
                "bonebox.toml:1:12: the character \"man\": anims/nod.glb: the clip \"Take 001\" has no part from 2 s on"
            ),
            "{error}"
        );
    }

    /// The cache and `check` follow the content, the set and the order of the files, and the settings.
    #[test]
    fn each_change_of_a_motion_bakes_again() {
        let folder = Folder::new();
        let (all, nod) = ("motions = ['anims/*.glb']", "motions = ['anims/nod.glb']");
        assert_eq!(folder.bake("", false), "baked");
        assert_eq!(folder.bake(nod, false), "baked");
        assert_eq!(folder.bake(nod, false), "unchanged");
        assert_eq!(folder.bake(nod, true), "baked", "the check finds equal files");
        folder.write("anims/nod.glb", &motion_file(&man(&[("Take 001", "chest")])));
        let told = folder.bake(nod, true);
        assert!(told.contains("the source has changed since the bake"), "{told}");
        assert_eq!(folder.bake(nod, false), "baked");
        let told = folder.bake("", true);
        assert!(told.contains("the motions in bonebox.toml"), "{told}");
        assert_eq!(folder.bake("", false), "baked");
        assert_eq!(folder.bake("", false), "unchanged");
        folder.write("anims/kicks.glb", &motion_file(&man(&[("kick", "thigh.left")])));
        assert_eq!(folder.bake(all, false), "baked");
        assert_eq!(folder.bake(all, false), "unchanged");
        folder.write("anims/wave.glb", &motion_file(&man(&[("wave", "lower_arm.left")])));
        assert!(folder.bake(all, true).contains("the source has changed"), "a new file that the pattern finds");
        assert_eq!(folder.bake(all, false), "baked");
        assert_eq!(folder.stored().clips.len(), 4);
    }

    #[test]
    fn mistakes_have_their_line_and_a_cure() {
        let folder = Folder::new();
        let limb = motion_file(&test_models::box_limb());
        folder.write("anims/other/limb.glb", &limb);
        folder.write("anims/other/bad.bvh", b"HIERARCHY\nROOT x");
        folder.write("anims/other/still.glb", &motion_file(&man(&[])));
        folder.write("anims/other/notes.txt", b"");
        for (motions, told) in [
            ("'walk.glb'", "the file \"walk.glb\" cannot be found"),
            ("'walks/*.glb'", "no file matches \"walks/*.glb\""),
            ("'anims/kicks.glb'", "anims/kicks.glb: the asset has a clip \"jab\" already; add rename or prefix"),
            ("'anims/nod.glb', 'anims/nod.glb'", "motions give two clips the name \"nod\""),
            ("{ files = 'anims/nod.glb', clips = 'walk' }", "no clip matches \"walk\"; the clips are \"nod\""),
            ("{ files = 'anims/nod.glb', rename = { walk = 'a' } }", "rename names the clip \"walk\", which no file"),
            ("'anims/other/limb.glb'", "only 0 of its 1 animated joints have the name of a joint of the character"),
            (
                "{ files = 'anims/other/limb.glb', by = 'names' }",
                "its clips move no joint of the character; they move \"lower\"",
            ),
            ("'anims/other/bad.bvh'", "anims/other/bad.bvh: the BVH text is wrong at line 2"),
            ("'anims/other/still.glb'", "the file has no animation that moves a joint"),
            ("'anims/other/notes.txt'", "is no .glb, .gltf, .vrm, .fbx or .bvh file"),
            ("'../walk.glb'", "the path \"../walk.glb\" leads out of the folder"),
            ("'/walk.glb'", "is not relative to this file"),
            ("'C:/walk.glb'", "is not relative to this file"),
            ("'a\\walk.glb'", "has a backslash"),
            ("'anims/**/*.glb'", "has `**`"),
            ("''", "names no file"),
            ("{ prefix = 'a' }", "this entry names no file"),
            ("{ files = 'a.glb', from = 2, to = 1 }", "the range from 2 to 1 s must end after it begins"),
            ("{ files = 'a.glb', by = 'name' }", "by is 'name', but must be one of names, humanoid"),
            ("{ files = 'a.glb', bones = { leftFist = 'x' } }", "has no bone \"leftFist\""),
            ("{ file = 'a.glb' }", "an entry of motions has no key \"file\""),
            ("3", "motions is a whole number, but must be a list of files"),
        ] {
            let error = folder.bake(&format!("# first\nmotions = [{motions}]"), false);
            assert!(error.contains("bonebox.toml:2:") && error.contains(told), "{motions}: {error}");
        }
        let error = crate::bake_bytes(&box_man().to_glb(), "man.glb", "motions = ['a.glb']", &()).unwrap_err();
        assert!(error.with_causes().contains("motions are other files"), "{}", error.with_causes());
    }

    /// Joints that only the file has are named in a warning, and the rest of the motion is taken.
    #[test]
    fn joints_that_the_character_lacks_are_left_out_with_a_warning() {
        let folder = Folder::new();
        let mut tailed = man(&[("wag", "head")]);
        tailed.joint("tail", Some(0), [0.0; 3]);
        tailed.joint("ear", Some(2), [0.0; 3]);
        let keys = vec![(0.0, [0.0, 0.0, 0.0, 1.0])];
        tailed.clips[0].tracks.push(Track { joint: 11, keys });
        folder.write("anims/wag.glb", &motion_file(&tailed));
        assert_eq!(folder.clips("motions = ['anims/wag.glb']"), ["jab", "wag"]);
        let baked = folder.stored();
        let warning = baked.warnings.iter().find(|warning| warning.code == "motion-file").unwrap();
        assert!(
            warning.text.contains("1 animated joints are left out") && warning.text.contains("\"tail\""),
            "{}",
            warning.text
        );
        assert_eq!(baked.clips[1].channels.len(), 1);
    }

    /// A recording of a walk, and the walk as glTF of another humanoid, are converted to the proportions of the character.
    #[test]
    fn motions_of_other_humanoids_are_converted() {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::copy(assets.join("bruno.glb"), at("bruno.glb")).unwrap();
        fs::create_dir(at("moves")).unwrap();
        fs::copy(assets.join("motion/runa_walk.bvh"), at("moves/stroll.bvh")).unwrap();
        fs::copy(assets.join("runa.glb"), at("moves/runa.glb")).unwrap();
        let settings = "measure = 'none'\nmotions = ['moves/*.bvh', { files = 'moves/*.glb', clips = 'walk', prefix = 'runa_', by = 'humanoid' }]\n";
        fs::write(at("bonebox.toml"), settings).unwrap();
        let baked = crate::load_or_bake(&at("bruno.glb"), &crate::RequestedSettings::default()).unwrap();
        let clip = |name: &str| baked.clips.iter().find(|clip| clip.name == name).unwrap();
        let (stroll, walk) = (clip("stroll"), clip("runa_walk"));
        assert!((stroll.seconds() - walk.seconds()).abs() < 0.04, "{} s, {} s", stroll.seconds(), walk.seconds());
        // Both come from the same walk, one through 34 frames of text.
        let mut worst = 0.0_f32;
        for step in 0..=20 {
            let pose = |clip: &skeleton::Clip| {
                let mut local = baked.skeleton.rest_pose();
                clip.sample(stroll.end() * step as f32 / 20.0, &mut local);
                local
            };
            for (a, b) in pose(stroll).iter().zip(pose(walk)) {
                let apart = a.to_affine().to_cols_array().into_iter().zip(b.to_affine().to_cols_array());
                worst = apart.map(|(a, b)| (a - b).abs()).fold(worst, f32::max);
            }
        }
        println!("{worst}");
        assert!(worst < 0.03, "{worst}");
        assert!(stroll.channels.len() > 10);
    }

    /// A file that only gives motions is not a failed character, unless it is named.
    #[test]
    fn files_of_motions_without_a_skin_are_not_baked() {
        let folder = Folder::new();
        folder.write("bonebox.toml", b"motions = ['anims/nod.glb']");
        let run = |paths: &[&str]| {
            let paths = paths.iter().map(|path| folder.0.path().join(path)).collect();
            bake_assets(&BakeRequest { paths, ..BakeRequest::default() }, &()).unwrap()
        };
        let all = run(&["."]);
        let names: Vec<&str> = all.results.iter().map(|result| result.target.name.as_str()).collect();
        assert_eq!(names, ["kicks", "man"], "no settings name kicks.glb");
        assert_eq!(all.motion_files.len(), 1);
        assert!(matches!(&run(&["anims/nod.glb"]).results[0].outcome, BakeOutcome::Failed(_)));
        folder.write("anims/nod.glb", &man(&[("nod", "head")]).to_glb());
        assert_eq!(run(&["."]).results.len(), 3, "a file with a skin is a character, too");
    }
}
