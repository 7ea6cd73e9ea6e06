//! Sets of shared hitboxes: several characters that get the same ones, as the key `shared` of a settings file says.

use crate::AssetError;
use crate::asset::Asset;
use crate::asset_settings::{
    AssetSettings, HITBOX_SET, HITBOX_SET_VOLUME, MemberHitboxes, OwnHitboxes, SHARED, SharedHitboxes,
};
use crate::find::{character_name, find_assets};
use crate::open_files::OpenFiles;
use crate::place::Places;
use crate::printable_path::shown_path;
use crate::requested::RequestedSettings;
use crate::settings_file::SettingsFile;
use crate::target::BakeTarget;
use bake_settings::{SharedFrom, SharedScale, SharedSettings};
use baked_format::{BakedCharacter, Hitbox, HitboxShape};
use bone_fit::{Poses, TightBox, mean_box, round_up, union_box};
use glam::Vec3;
use rayon::prelude::*;
use skeleton::{JointIndex, Skeleton};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A set of shared hitboxes with its characters.
#[derive(Debug)]
pub(crate) struct SharedSet {
    settings: SharedSettings,
    file: Arc<SettingsFile>,
    /// All characters of the set below the folder of the settings file, sorted by name and path.
    members: Vec<Member>,
    /// Computed without blocking: a thread that waits for another one could hold up the pool that computes it.
    stamp: OnceLock<String>,
    /// The hitboxes of each member.
    hitboxes: OnceLock<Result<Vec<MemberHitboxes>, Arc<AssetError>>>,
}

#[derive(Debug)]
struct Member {
    target: BakeTarget,
    place: PathBuf,
    /// The settings of the character alone.
    settings: AssetSettings,
}

/// One character of a set.
#[derive(Debug)]
pub(crate) struct Membership {
    set: Arc<SharedSet>,
    /// The index of the character among the members.
    member: usize,
}

/// What a baked file says about the hitboxes that its character shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedFigures<'a> {
    /// The name of the set in the settings file.
    pub set: &'a str,
    /// The hash of the hitboxes. Characters with the same hash have the same hitboxes.
    pub id: &'a str,
    /// The volume of all hitboxes at rest, divided by that of the hitboxes that the character would have alone; `None` if
    /// these have no volume.
    pub volume_ratio: Option<f64>,
}

impl<'a> SharedFigures<'a> {
    /// Returns the figures of a character; `None` if it shares no hitboxes.
    #[must_use]
    pub fn of_bake(character: &'a BakedCharacter) -> Option<Self> {
        let option = |key: &str| character.options.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str());
        let (set, _) = option(SHARED)?.rsplit_once(' ')?;
        let volume_ratio = option(HITBOX_SET_VOLUME).and_then(|times| times.parse().ok());
        Some(Self { set, id: option(HITBOX_SET)?, volume_ratio })
    }
}

/// The fitted hitboxes of each joint, by its name.
type ByJoint = BTreeMap<String, Vec<Hitbox>>;

impl SharedSet {
    /// All sets of a settings file. Only assets that the file applies to are members. Each has the settings of its own nearest file.
    pub(crate) fn of_file(
        requested: &RequestedSettings,
        file: &Arc<SettingsFile>,
        files: &mut OpenFiles<'_>,
    ) -> Result<Vec<Arc<Self>>, AssetError> {
        if file.settings.shared().next().is_none() {
            return Ok(Vec::new());
        }
        let mut places = Places::default();
        let motions: BTreeSet<PathBuf> = file.motion_files().iter().map(|path| places.of(path)).collect();
        let (mut targets, mut nearest_of) = (Vec::new(), BTreeMap::new());
        for path in find_assets(&[file.folder().to_owned()])? {
            let is_only_motion = motions.contains(&places.of(&path))
                && Asset::open(&path).is_ok_and(|asset| !skinned_model::has_skinned_mesh(asset.bytes()));
            if is_only_motion {
                continue;
            }
            let Some(nearest) = files.nearest(&path)? else { continue };
            let applied = nearest.files();
            if !applied.iter().any(|one| one.path == file.path) {
                continue;
            }
            let each = match nearest.for_character(&character_name(&path), &[])?.split {
                Some(true) => BakeTarget::each(&path),
                _ => vec![BakeTarget::whole(&path)],
            };
            for other in applied.iter().filter(|one| one.path != file.path) {
                each.iter().try_for_each(|target| refuse_two_sets(file, other, &target.name))?;
            }
            targets.extend(each);
            nearest_of.insert(path, nearest.clone());
        }
        targets.sort_by(|a, b| (&a.name, a).cmp(&(&b.name, b)));
        let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        file.settings.check_shared(&names).map_err(|problem| file.mistake(problem))?;
        let set = |settings: &SharedSettings| {
            let members = targets.iter().filter(|target| settings.has(&target.name)).map(|target| {
                let (target, place) = (target.clone(), places.of(&target.path));
                let settings = AssetSettings::of_target(requested, nearest_of.get(&target.path).cloned(), &target)?;
                Ok(Member { target, place, settings })
            });
            let members = members.collect::<Result<_, AssetError>>()?;
            let (stamp, hitboxes) = (OnceLock::new(), OnceLock::new());
            Ok(Arc::new(Self { settings: settings.clone(), file: file.clone(), members, stamp, hitboxes }))
        };
        file.settings.shared().map(set).collect()
    }

    pub(crate) fn has(&self, character: &str) -> bool {
        self.settings.has(character)
    }

    pub(crate) fn membership(self: &Arc<Self>, target: &BakeTarget) -> Result<Membership, AssetError> {
        let place = Places::default().of(&target.path);
        let is_target = |member: &Member| member.place == place && member.target.root == target.root;
        let member = self.members.iter().position(is_target).ok_or_else(|| {
            self.mistake(&format!("{:?} is not below the folder of this file; move one of the two", target.name))
        })?;
        Ok(Membership { set: self.clone(), member })
    }

    fn stamp(&self) -> Result<&str, AssetError> {
        if self.stamp.get().is_none() {
            let mut hasher = blake3::Hasher::new();
            let mut add = |bytes: &[u8]| {
                // The length keeps neighbors apart.
                hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
            };
            add(format!("{:?}", self.settings).as_bytes());
            for Member { target, settings, .. } in &self.members {
                let asset = Asset::open(&target.path)?;
                add(target.name.as_bytes());
                add(asset.bytes());
                for path in asset.buffer_paths() {
                    add(&fs::read(&path).map_err(AssetError::file("read", &path))?);
                }
                add(&settings.read_motions()?.hash_after([0; 32]));
                add(settings.record_of_fit().as_bytes());
            }
            let hash = hasher.finalize().to_hex();
            // Another thread may have been faster, with the same result.
            let _ = self.stamp.set(format!("{} {}", self.settings.name, &hash[..32]));
        }
        Ok(self.stamp.get().map_or("", String::as_str))
    }

    /// The hitboxes of each member. The first call fits those of all members.
    fn hitboxes(&self) -> Result<&[MemberHitboxes], AssetError> {
        if self.hitboxes.get().is_none() {
            let _ = self.hitboxes.set(self.make().map_err(Arc::new));
        }
        match self.hitboxes.get() {
            Some(Ok(hitboxes)) => Ok(hitboxes),
            Some(Err(source)) => Err(AssetError::Shared { set: self.settings.name.clone(), source: source.clone() }),
            None => Err(self.mistake("its hitboxes are missing, which is a defect of bonebox")),
        }
    }

    fn mistake(&self, problem: &str) -> AssetError {
        self.file.mistake(self.file.settings.shared_mistake(&self.settings.name, problem))
    }

    fn make(&self) -> Result<Vec<MemberHitboxes>, AssetError> {
        let first = &self.members[0];
        for other in &self.members[1..] {
            if let Some(what) = first.settings.difference_of_fit(&other.settings) {
                let [a, b] = [&first.target.name, &other.target.name];
                return Err(self.mistake(&format!(
                    "{a:?} and {b:?} have different settings of hitboxes ({what}), but share them; give both the same settings"
                )));
            }
        }
        if first.settings.options().poses == Poses::Any {
            return Err(self.mistake(
                "poses is \"any\" (as in preset = \"always\"), so the run time computes the hitboxes of each character from its own \
                 skin in each pose, and they are not the same; use preset = \"cover\", whose hitboxes hold the skin of all \
                 characters in all their clips, or leave out this set",
            ));
        }
        let own = self.members.par_iter().map(Member::own_hitboxes);
        let own: Vec<Result<OwnHitboxes, AssetError>> = own.collect();
        let own: Vec<OwnHitboxes> = own.into_iter().collect::<Result<_, _>>()?;
        let fitted: Vec<ByJoint> = own.iter().map(|own| by_joint(&own.skeleton, &own.fitted)).collect();
        self.check_parts(&fitted)?;
        let model = match &self.settings.from {
            SharedFrom::Character(name) => self.members.iter().position(|member| member.target.name == *name),
            SharedFrom::Union | SharedFrom::Mean => None,
        };
        let skeletons: Vec<&Skeleton> = own.iter().map(|own| &own.skeleton).collect();
        let ratio = |member: usize, joint: &str| match self.settings.scale {
            SharedScale::None => 1.0,
            SharedScale::Bone => bone_ratio(&skeletons, member, model.unwrap_or(0), joint),
        };
        let mut shared = ByJoint::new();
        for joint in fitted[0].keys() {
            let of_member = |member: usize| -> Vec<Hitbox> {
                fitted[member][joint].iter().map(|one| scaled(one, 1.0 / ratio(member, joint))).collect()
            };
            let each: Vec<Vec<Hitbox>> = (0..fitted.len()).map(of_member).collect();
            let boxes = match (&self.settings.from, model) {
                (_, Some(model)) => each[model].clone(),
                (SharedFrom::Mean, None) => self.mean(joint, &each)?,
                _ => self.union(joint, &each)?,
            };
            if self.settings.scale == SharedScale::Bone && boxes.iter().any(|one| one.shape == HitboxShape::Hull) {
                return Err(self.mistake(&format!(
                    "joint {joint:?} has a hull, which scale = \"bone\" does not enlarge; use another shape"
                )));
            }
            shared.insert(joint.clone(), boxes);
        }
        let id = id(&shared, &by_joint(&own[0].skeleton, &own[0].manual));
        let of_member = |(member, own): (usize, &OwnHitboxes)| {
            let mut hitboxes = Vec::new();
            for (joint, boxes) in &shared {
                let Some(index) = own.skeleton.find(joint) else { continue };
                for (place, one) in boxes.iter().enumerate() {
                    let one = scaled(one, ratio(member, joint));
                    hitboxes.push(with_figures(one, index, (place == 0).then_some(&fitted[member][joint])));
                }
            }
            hitboxes.sort_by_key(|one| one.joint);
            MemberHitboxes { id: id.clone(), hitboxes, own_volume: own.volume }
        };
        Ok(own.iter().enumerate().map(of_member).collect())
    }

    /// Checks that all members have hitboxes at the same joints.
    fn check_parts(&self, fitted: &[ByJoint]) -> Result<(), AssetError> {
        for member in 1..fitted.len() {
            for (has, lacks) in [(0, member), (member, 0)] {
                let missing = fitted[has].keys().filter(|joint| !fitted[lacks].contains_key(*joint));
                let missing: Vec<String> = missing.map(|joint| format!("{joint:?}")).collect();
                if !missing.is_empty() {
                    let [has, lacks] = [has, lacks].map(|member| &self.members[member].target.name);
                    let more =
                        if missing.len() > 8 { format!(" and {} more", missing.len() - 8) } else { String::new() };
                    return Err(self.mistake(&format!(
                        "{has:?} has hitboxes at joints where {lacks:?} has none: {}{more}; use parts = \"humanoid\", or exclude \
                         or merge these joints",
                        missing[..missing.len().min(8)].join(", ")
                    )));
                }
            }
        }
        Ok(())
    }

    /// The hitboxes of a joint that hold those of all members. Each hitbox of a member joins the nearest one of the member
    /// with the most hitboxes.
    fn union(&self, joint: &str, each: &[Vec<Hitbox>]) -> Result<Vec<Hitbox>, AssetError> {
        if each.iter().all(|boxes| same_geometry(boxes, &each[0])) {
            return Ok(each[0].clone());
        }
        self.check_shapes(joint, each)?;
        let most = each.iter().map(Vec::len).max().unwrap_or(0);
        let slots: &[Hitbox] = each.iter().find(|boxes| boxes.len() == most).map_or(&[], Vec::as_slice);
        let mut groups: Vec<Vec<TightBox>> = vec![Vec::new(); slots.len()];
        for one in each.iter().flatten() {
            let distance = |slot: &Hitbox| slot.center.as_dvec3().distance_squared(one.center.as_dvec3());
            let nearest = (0..slots.len()).min_by(|&a, &b| distance(&slots[a]).total_cmp(&distance(&slots[b])));
            groups[nearest.unwrap_or(0)].push(tight(one));
        }
        let joined = slots.iter().zip(&groups).filter(|(_, group)| !group.is_empty());
        joined.map(|(slot, group)| Ok(with_box(slot, &union_box(group, joint)?))).collect()
    }

    /// The mean hitbox of a joint.
    fn mean(&self, joint: &str, each: &[Vec<Hitbox>]) -> Result<Vec<Hitbox>, AssetError> {
        if each.iter().all(|boxes| same_geometry(boxes, &each[0])) {
            return Ok(each[0].clone());
        }
        self.check_shapes(joint, each)?;
        if each.iter().any(|boxes| boxes.len() != 1) {
            let problem = format!(
                "joint {joint:?} has several hitboxes, which have no mean; set max_boxes = 1, or from = \"union\""
            );
            return Err(self.mistake(&problem));
        }
        let boxes: Vec<TightBox> = each.iter().flatten().map(tight).collect();
        Ok(vec![with_box(&each[0][0], &mean_box(&boxes))])
    }

    fn check_shapes(&self, joint: &str, each: &[Vec<Hitbox>]) -> Result<(), AssetError> {
        match each.iter().flatten().find(|one| one.shape != HitboxShape::Box) {
            None => Ok(()),
            Some(one) => Err(self.mistake(&format!(
                "joint {joint:?} has a {}, but union and mean are made of boxes; set shape = \"box\", or name one character in from",
                one.shape.keyword()
            ))),
        }
    }
}

/// Returns an error if a character is in sets of two files.
fn refuse_two_sets(file: &SettingsFile, other: &SettingsFile, character: &str) -> Result<(), AssetError> {
    let [own, others] = [file, other].map(|file| file.settings.shared().find(|set| set.has(character)));
    let (Some(own), Some(others)) = (own, others) else { return Ok(()) };
    let problem = format!(
        "the character {character:?} is also in the shared set {:?} of {}; remove it from one of them",
        others.name,
        shown_path(&other.path)
    );
    Err(file.mistake(file.settings.shared_mistake(&own.name, &problem)))
}

impl SharedHitboxes for Membership {
    fn stamp(&self) -> Result<String, AssetError> {
        Ok(self.set.stamp()?.to_owned())
    }

    fn members(&self) -> Vec<&BakeTarget> {
        self.set.members.iter().map(|member| &member.target).collect()
    }

    fn settings(&self) -> Vec<&AssetSettings> {
        self.set.members.iter().map(|member| &member.settings).collect()
    }

    fn hitboxes(&self) -> Result<MemberHitboxes, AssetError> {
        Ok(self.set.hitboxes()?[self.member].clone())
    }
}

impl Member {
    /// Fits the hitboxes that the character would have alone.
    fn own_hitboxes(&self) -> Result<OwnHitboxes, AssetError> {
        let fit = || {
            let (model, _) = Asset::open(&self.target.path)?.import_part(self.target.root.as_ref())?;
            self.settings.own_hitboxes(&model)
        };
        fit().map_err(AssetError::of_asset::<AssetError>(&self.target.path))
    }
}

fn by_joint(skeleton: &Skeleton, boxes: &[Hitbox]) -> ByJoint {
    let mut by_joint = ByJoint::new();
    for one in boxes {
        by_joint.entry(skeleton.joint(one.joint).name.clone()).or_default().push(one.clone());
    }
    by_joint
}

/// The length of a member's bone, divided by that of another member. The length of a bone is the sum of the distances to
/// those joints below it that all members have. A joint without such joints has the ratio of the joint above.
fn bone_ratio(skeletons: &[&Skeleton], member: usize, to: usize, joint: &str) -> f64 {
    let parent = |skeleton: &Skeleton, joint: JointIndex| skeleton.joint(joint).parent;
    let length = |skeleton: &Skeleton| {
        let below = skeleton.joints().iter().filter(|below| {
            let is_below = |skeleton: &&Skeleton| {
                let above = skeleton.find(&below.name).and_then(|below| parent(skeleton, below));
                above.is_some_and(|above| skeleton.joint(above).name == joint)
            };
            skeletons.iter().all(is_below)
        });
        below.map(|below| f64::from(below.rest.to_affine().translation.length())).sum::<f64>()
    };
    let (own, other) = (length(skeletons[member]), length(skeletons[to]));
    if own > 0.0 && other > 0.0 {
        return own / other;
    }
    let above = skeletons[to].find(joint).and_then(|joint| parent(skeletons[to], joint));
    above.map_or(1.0, |above| bone_ratio(skeletons, member, to, &skeletons[to].joint(above).name))
}

/// The hitbox with all lengths times a factor; unchanged to the last bit if the factor is 1.
fn scaled(one: &Hitbox, by: f64) -> Hitbox {
    if by == 1.0 {
        return one.clone();
    }
    let [x, y, z] = (one.half_extents.as_dvec3() * by).to_array().map(round_up);
    let center = (one.center.as_dvec3() * by).as_vec3();
    Hitbox { center, half_extents: Vec3::new(x, y, z), ..one.clone() }
}

fn tight(one: &Hitbox) -> TightBox {
    TightBox { center: one.center, half_extents: one.half_extents, orientation: one.orientation }
}

fn with_box(one: &Hitbox, tight: &TightBox) -> Hitbox {
    let TightBox { center, half_extents, orientation } = *tight;
    Hitbox { center, half_extents, orientation, ..one.clone() }
}

/// The hitbox for a member, with the figures of the member's own hitboxes of the joint, or without figures.
fn with_figures(one: Hitbox, joint: JointIndex, own: Option<&Vec<Hitbox>>) -> Hitbox {
    let own = own.map_or(&[][..], Vec::as_slice);
    let least = own.iter().filter_map(|one| one.min_volume).sum::<f32>();
    Hitbox {
        joint,
        vertices: own.iter().map(|one| one.vertices).sum(),
        hull_vertices: own.iter().map(|one| one.hull_vertices).sum(),
        hull_volume: own.iter().map(|one| one.hull_volume).sum(),
        min_volume: own.iter().any(|one| one.min_volume.is_some()).then_some(least),
        ..one
    }
}

fn same_geometry(a: &[Hitbox], b: &[Hitbox]) -> bool {
    let same = |(a, b): (&Hitbox, &Hitbox)| a.shape == b.shape && tight(a) == tight(b) && a.hull == b.hull;
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// The hash of all hitboxes of a set, in the order of the names of their joints.
fn id(shared: &ByJoint, manual: &ByJoint) -> String {
    let mut hasher = blake3::Hasher::new();
    for (joint, one) in
        [shared, manual].into_iter().flatten().flat_map(|(joint, all)| all.iter().map(move |one| (joint, one)))
    {
        let corners = one.hull.iter().flat_map(|hull| hull.vertices.iter().flat_map(|corner| corner.to_array()));
        let numbers = [one.center.to_array(), one.half_extents.to_array()].concat().into_iter();
        let bits: Vec<u32> = numbers.chain(one.orientation.to_array()).chain(corners).map(f32::to_bits).collect();
        let (shape, role) = (one.shape.keyword(), one.role.keyword());
        hasher.update(format!("{joint:?} {shape} {role} {:?} {bits:x?}\n", one.tags).as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BakeOutcome, BakeRequest, bake_assets};
    use std::path::Path;
    use test_models::{Character, box_man};

    /// The man with limbs that are this many times as thick.
    fn man(thick: f32) -> Character {
        let mut man = box_man();
        man.positions.iter_mut().for_each(|point| point[2] *= thick);
        man
    }

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new(assets: &[(&str, Vec<u8>)]) -> Self {
            let folder = Self(tempfile::tempdir().unwrap());
            assets.iter().for_each(|(file, bytes)| fs::write(folder.0.path().join(file), bytes).unwrap());
            folder
        }

        fn men() -> Self {
            Self::new(&[
                ("runa.glb", man(1.0).to_glb()),
                ("bruno.glb", man(2.0).to_glb()),
                ("dog.glb", man(1.0).to_glb()),
            ])
        }

        fn set(&self, rest: &str) {
            let text = format!("[[shared]]\nname = 'fighter'\ncharacters = ['runa*', 'bruno']\n{rest}");
            fs::write(self.0.path().join("bonebox.toml"), text).unwrap();
        }

        /// The results of a bake of these files, or of the folder: a word, or the error.
        fn bake(&self, files: &[&str], check: bool) -> Vec<String> {
            let all = vec![self.0.path().to_owned()];
            let some = files.iter().map(|file| self.0.path().join(file)).collect();
            let request =
                BakeRequest { paths: if files.is_empty() { all } else { some }, check, ..BakeRequest::default() };
            let run = match bake_assets(&request, &()) {
                Ok(run) => run,
                Err(error) => return vec![error.with_causes()],
            };
            let told = |outcome: &BakeOutcome| match outcome {
                BakeOutcome::Baked(_) => "baked".to_owned(),
                BakeOutcome::Stored(_) | BakeOutcome::Unchanged(_) => "unchanged".to_owned(),
                BakeOutcome::Refused(..) => "refused".to_owned(),
                BakeOutcome::Failed(error) => error.with_causes(),
            };
            run.results.iter().map(|result| told(&result.outcome)).collect()
        }

        fn stored(&self, name: &str) -> BakedCharacter {
            baked_format::read(&fs::read(self.0.path().join(format!("{name}.bonebox"))).unwrap()).unwrap()
        }
    }

    /// The hitboxes to the last bit, without the figures of their points.
    fn geometry(character: &BakedCharacter) -> Vec<String> {
        let one = |one: &Hitbox| {
            let bits = [one.center, one.half_extents].map(|v| v.to_array().map(f32::to_bits));
            let turn = one.orientation.to_array().map(f32::to_bits);
            let joint = &character.skeleton.joint(one.joint).name;
            format!("{joint} {:?} {bits:?} {turn:?} {:?} {:?}", one.shape, one.tags, one.hull)
        };
        character.boxes.iter().map(one).collect()
    }

    fn option<'a>(character: &'a BakedCharacter, key: &str) -> Option<&'a str> {
        character.options.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn assets() -> [(&'static str, Vec<u8>); 2] {
        let read = |name| fs::read(Path::new("../../assets").join(name)).unwrap();
        [("runa.glb", read("runa.glb")), ("bruno.glb", read("bruno.glb"))]
    }

    /// The real characters have other proportions and other clips. A union holds all that their own hitboxes hold.
    #[test]
    fn a_union_of_real_characters_is_equal_and_holds_what_each_held_alone() {
        let options = "measure = 'rest'\nfit = 'joint-axes'\n";
        let alone = Folder::new(&assets());
        fs::write(alone.0.path().join("bonebox.toml"), options).unwrap();
        assert_eq!(alone.bake(&[], false), ["baked"; 2]);
        let together = Folder::new(&assets());
        let set = format!("{options}[[shared]]\nname = 'fighter'\ncharacters = ['*']");
        fs::write(together.0.path().join("bonebox.toml"), set).unwrap();
        assert_eq!(together.bake(&[], false), ["baked"; 2]);
        let [runa, bruno] = ["runa", "bruno"].map(|name| together.stored(name));
        assert!(geometry(&runa) == geometry(&bruno) && !runa.boxes.is_empty());
        assert!(option(&runa, "hitbox_set").is_some() && option(&runa, "hitbox_set") == option(&bruno, "hitbox_set"));
        for shared in [&runa, &bruno] {
            let own = alone.stored(&shared.name).coverage.unwrap();
            assert!(shared.coverage.as_ref().unwrap().surface_rest >= own.surface_rest - 1e-6, "{}", shared.name);
            let times: f64 = option(shared, "hitbox_set_volume").unwrap().parse().unwrap();
            assert!(times >= 1.0, "{times}");
        }
    }

    #[test]
    fn a_model_gives_its_own_hitboxes_and_a_mean_is_between() {
        let folder = Folder::men();
        folder.set("from = 'bruno'");
        assert_eq!(folder.bake(&[], false), ["baked"; 3]);
        let own = crate::bake_bytes(&man(2.0).to_glb(), "bruno.glb", "", &()).unwrap();
        assert_eq!(geometry(&folder.stored("runa")), geometry(&own));
        assert_eq!(folder.stored("bruno").boxes, own.boxes);
        assert_ne!(geometry(&folder.stored("dog")), geometry(&own), "the dog is not in the set");
        assert_eq!(option(&folder.stored("dog"), "hitbox_set"), None);
        let volume = |name| bone_fit::Figures::of_bake(&folder.stored(name)).volume;
        let (least, most) = (volume("dog"), volume("bruno"));
        folder.set("from = 'mean'");
        assert_eq!(folder.bake(&[], false), ["baked", "unchanged", "baked"]);
        assert_eq!(geometry(&folder.stored("runa")), geometry(&folder.stored("bruno")));
        assert!(least < volume("runa") && volume("runa") < most);
    }

    #[test]
    fn hitboxes_with_other_roles_are_another_set() {
        let of = |role: &str| {
            let folder = Folder::men();
            let manual = "center = [0, 0.1, 0]\nhalf_extents = [0.1, 0.1, 0.1]";
            folder.set(&format!("[[joints.head.boxes]]\n{manual}\nrole = '{role}'"));
            assert_eq!(folder.bake(&[], false), ["baked"; 3]);
            option(&folder.stored("runa"), "hitbox_set").map(str::to_owned)
        };
        assert!(of("hurt").is_some() && of("hurt") == of("hurt") && of("hurt") != of("grab"));
    }

    #[test]
    fn threads_and_the_order_of_characters_do_not_matter() {
        let folder = Folder::men();
        let bytes = |patterns: &str, threads| {
            let text = format!("[[shared]]\nname = 'fighter'\ncharacters = {patterns}");
            fs::write(folder.0.path().join("bonebox.toml"), text).unwrap();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| folder.bake(&[], false));
            ["runa", "bruno"]
                .map(|name| folder.stored(name))
                .map(|one| (geometry(&one), option(&one, "hitbox_set").map(str::to_owned)))
        };
        let first = bytes("['runa', 'bruno']", 1);
        assert!(first == bytes("['bruno', 'runa']", 4) && first[0] == first[1]);
    }

    #[test]
    fn a_change_of_one_character_bakes_all_again() {
        let folder = Folder::men();
        folder.set("");
        assert_eq!(folder.bake(&[], false), ["baked"; 3]);
        assert_eq!(folder.bake(&[], false), ["unchanged"; 3]);
        assert_eq!(folder.bake(&[], true), ["baked"; 3], "the files are equal to a fresh bake");
        let before = fs::read(folder.0.path().join("runa.bonebox")).unwrap();
        fs::write(folder.0.path().join("bruno.glb"), man(3.0).to_glb()).unwrap();
        let told = folder.bake(&["runa.glb"], true);
        assert!(told[0].contains("a character or the settings of its shared hitboxes"), "{told:?}");
        assert_eq!(folder.bake(&["runa.glb"], false), ["baked"], "the other character is found in the folder");
        assert!(before != fs::read(folder.0.path().join("runa.bonebox")).unwrap());
        assert_eq!(folder.bake(&[], false), ["baked", "unchanged", "unchanged"]);
        assert_eq!(geometry(&folder.stored("runa")), geometry(&folder.stored("bruno")));
        let loaded = crate::load_or_bake(&folder.0.path().join("runa.glb"), &RequestedSettings::default()).unwrap();
        assert_eq!(loaded, folder.stored("runa"));
    }

    /// A character whose joints and skin are all twice as large has hitboxes that are twice as large.
    #[test]
    fn hitboxes_can_follow_the_length_of_bones() {
        let mut large = man(1.0);
        large.positions.iter_mut().for_each(|point| *point = point.map(|one| 2.0 * one));
        large.joints.iter_mut().for_each(|joint| joint.translation = joint.translation.map(|one| 2.0 * one));
        let folder = Folder::new(&[("runa.glb", man(1.0).to_glb()), ("bruno.glb", large.to_glb())]);
        folder.set("scale = 'bone'\nfrom = 'runa'");
        assert_eq!(folder.bake(&[], false), ["baked"; 2]);
        let [runa, bruno] = ["runa", "bruno"].map(|name| folder.stored(name));
        for (small, large) in runa.boxes.iter().zip(&bruno.boxes) {
            assert!((2.0 * small.half_extents).abs_diff_eq(large.half_extents, 1e-5), "{small:?} {large:?}");
        }
        assert_eq!(option(&runa, "hitbox_set"), option(&bruno, "hitbox_set"));
    }

    #[test]
    fn mistakes_name_the_line_and_the_cure() {
        let folder = Folder::men();
        folder.set("[characters.bruno]\nmargin = 0.01");
        let told = folder.bake(&[], false);
        let expected = "bonebox.toml:1:1: the shared set \"fighter\": \"bruno\" and \"runa\" have different settings of hitboxes \
                        (margin is 0.01 and the default)";
        assert!(told[0].contains(expected) && told[1] == "baked" && told[2].contains(expected), "{told:?}");
        folder.set("[characters.bruno.joints.head]\nskip = true\n[characters.'runa*'.joints.head]\nskip = false");
        assert!(folder.bake(&[], false)[0].contains("different settings of hitboxes (joints)"));
        let mut other = man(1.0);
        other.joints.iter_mut().filter(|joint| joint.name == "head").for_each(|joint| joint.name = "skull".into());
        fs::write(folder.0.path().join("runa_winter.glb"), other.to_glb()).unwrap();
        folder.set("");
        let told = folder.bake(&[], false);
        let expected =
            "\"bruno\" has hitboxes at joints where \"runa_winter\" has none: \"head\"; use parts = \"humanoid\"";
        assert!(told[0].contains(expected), "{told:?}");
        folder.set("[characters.'*']\npreset = 'always'");
        let expected = "bonebox.toml:1:1: the shared set \"fighter\": poses is \"any\" (as in preset = \"always\"), so the run time \
                        computes the hitboxes of each character from its own skin in each pose, and they are not the same; \
                        use preset = \"cover\"";
        let told = folder.bake(&[], false);
        assert!(told[0].contains(expected) && told[1] == "baked", "{told:?}");
        folder.set("[limits]\nmost_volume_ratio = 1.2\n[characters.'*']\nfit = 'min-volume'");
        fs::remove_file(folder.0.path().join("runa_winter.glb")).unwrap();
        assert_eq!(folder.bake(&[], false), ["baked", "baked", "refused"], "limits apply to each");
        let text = fs::read_to_string(folder.0.path().join("bonebox.toml")).unwrap();
        let error = crate::bake_bytes(&man(1.0).to_glb(), "runa.glb", &text, &()).unwrap_err().to_string();
        assert!(error.contains("its characters are other files"), "{error}");
    }
}
