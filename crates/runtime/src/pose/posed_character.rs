//! A character's hitboxes in world space.

use crate::character::hitbox_table::HitboxTable;
use crate::kernels::envelope_boxes::envelope_box;
use crate::kernels::joint_matrices::JointMatrices;
use crate::kernels::layout::{BoundsBlock, LANES, Record};
use crate::kernels::posing::place_box;
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};
use crate::pose::clone_in_place::copy_list;
use crate::pose::solid::Solid;
use crate::sample::sampler::Socket;
use crate::skin::posed_skin::{PosedSkin, SkinOutOfRange};
use crate::{
    AnimationRef, Bounds, BoxIndex, Character, ClipIndex, ClipSampler, PoseError, PoseLayer, PoseRecipeRef, PosedHitbox,
};
use baked_format::HitboxShape;
use geometry_core::PosedHull;
use glam::{Affine3A, Mat3};
use skeleton::JointIndex;
use std::sync::Arc;

/// The hitboxes of one character in world space, in one pose, and their bounds. The next pose reuses the memory.
///
/// If a function that poses a character returns an error, the posed character has no boxes until it is posed again, and
/// nothing overlaps it. The same is true for the bodies of a [`HitboxWorld`](crate::HitboxWorld). Use
/// [`PosedCharacter::is_posed`] to tell a failed pose from a query that found nothing. Functions that also take a
/// [`Character`], or a second pose of the same body, return an error if the two belong to different characters.
///
/// # The posed shapes
/// For every matrix, a posed hitbox contains the image of the baked hitbox:
/// - **Boxes.** If the matrix only moves, rotates, mirrors, scales uniformly or scales along the box's own axes, the
///   posed box is exactly the image of the baked box. A scale of zero gives a flat box.
/// - **Boxes under other scale or shear.** The image is a parallelepiped. The posed box is the smallest of six
///   candidates around it. A candidate has a face in the plane of a face of the parallelepiped (three choices, because
///   opposite faces are parallel), and an edge in the direction of an edge of that face (two choices).
/// - **Capsules and spheres.** The posed radius is the baked radius times the largest scale of the matrix. The box of
///   the hitbox is the box around the posed shape.
/// - **Hulls.** A posed hull is exactly the image of the baked hull. The box of the hitbox is the posed box around the
///   baked hull.
///
/// Boxes that were baked with the preset `always` (`poses = "any"`) are different: each pose computes them from the
/// matrices of all joints that move their surface. For every pose, the boxes contain each corner of that surface,
/// skinned in `f32` or in `f64`. The guide [Boxes for any
/// pose](https://github.com/bonebox/bonebox/blob/main/docs/any-pose.md) has the proof.
#[derive(Debug, Default)]
pub struct PosedCharacter {
    pub(crate) kernel: Kernel,
    pub(crate) records: Vec<Record>,
    pub(crate) blocks: Vec<BoundsBlock>,
    /// The hitboxes of the posed character; `None` if there is no pose.
    pub(crate) hitboxes: Option<Arc<HitboxTable>>,
    pub(crate) bounds: Bounds,
    /// Joints whose matrices are kept, sorted by joint.
    pub(crate) sockets: Vec<Socket>,
    /// The linear part of each hull's `world_from_joint`, in the order of the hitboxes that are hulls.
    pub(crate) hull_matrices: Vec<Mat3>,
    /// The posed skin; `None` if the skin is not tracked.
    pub(crate) skin: Option<Box<PosedSkin>>,
}

/// `clone_from` reuses the memory of the old value. Use it to keep the poses of earlier ticks.
impl Clone for PosedCharacter {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, other: &Self) {
        self.set_kernel(other.kernel);
        copy_list(&mut self.sockets, &other.sockets);
        self.track_skin(other.skin.is_some());
        self.copy_boxes(other);
        if let (Some(skin), Some(other)) = (&mut self.skin, &other.skin) {
            skin.copy_next_weights(other);
        }
    }
}

impl PosedCharacter {
    /// A posed character without boxes. Does not allocate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A posed character without boxes that uses the given kernel for posing and queries. All kernels give the same
    /// answers to the last bit. Functions of two posed characters use the kernel of the first, but each skin is computed
    /// with the kernel of its own character. Posing and queries panic if the processor does not support the kernel.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self::without_boxes(kernel)
    }

    /// [`PosedCharacter::with_kernel`], also for a `static`.
    pub(crate) const fn without_boxes(kernel: Kernel) -> Self {
        Self {
            kernel,
            records: Vec::new(),
            blocks: Vec::new(),
            hitboxes: None,
            bounds: Bounds::EMPTY,
            sockets: Vec::new(),
            hull_matrices: Vec::new(),
            skin: None,
        }
    }

    /// Changes the kernel, see [`PosedCharacter::with_kernel`]. The boxes do not change.
    pub fn set_kernel(&mut self, kernel: Kernel) {
        self.kernel = kernel;
        if let Some(skin) = &mut self.skin {
            skin.kernel = kernel;
        }
    }

    /// Poses the character with matrices in model space: `model_from_joint[j]` belongs to joint `j` of the skeleton,
    /// one entry per joint. A [`JointMap`](crate::JointMap) puts your matrices into this order, by the names of joints.
    ///
    /// The function reads only the entries of these joints:
    /// - joints with a hitbox;
    /// - [tracked joints](PosedCharacter::track_joints);
    /// - joints that move the surface of a hitbox that was baked with the preset `always` (`poses = "any"`);
    /// - joints that move a [tracked skin](PosedCharacter::track_skin).
    ///
    /// All other entries may be the identity, for example for joints that your own skeleton does not have.
    ///
    /// # Errors
    /// Returns an error if the number of matrices is not the number of joints, if a matrix is not finite or takes a box
    /// beyond [`geometry_core::MAX_COORDINATE`], or if the character does not have a tracked joint.
    ///
    /// # Panics
    /// Panics if the processor does not support the kernel of [`PosedCharacter::with_kernel`].
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let world_from_model = Affine3A::from_translation(Vec3::new(0.0, 0.0, 5.0));
    /// let model_from_joint = vec![Affine3A::IDENTITY; arm.skeleton().len()];
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_model(&arm, &world_from_model, &model_from_joint)?;
    /// assert_eq!(posed.boxes().next().unwrap().center.z, 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pose_from_model(
        &mut self,
        character: &Character,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), PoseError> {
        self.place(character, &JointMatrices { world_from_model: Some(world_from_model), joints: model_from_joint })
    }

    /// Poses the character with matrices in world space: `world_from_joint[j]` belongs to joint `j` of the skeleton,
    /// one entry per joint. [`PosedCharacter::pose_from_model`] lists the entries that are read. A
    /// [`JointMap`](crate::JointMap) puts your matrices into this order, by the names of joints.
    ///
    /// # Errors
    /// Returns the errors of [`PosedCharacter::pose_from_model`].
    pub fn pose_from_world(&mut self, character: &Character, world_from_joint: &[Affine3A]) -> Result<(), PoseError> {
        self.place(character, &JointMatrices { world_from_model: None, joints: world_from_joint })
    }

    /// Poses the character with a baked clip: calls [`ClipSampler::sample`], then [`PosedCharacter::pose_from_model`].
    /// `seconds` is the sample time on the clip's own clock. Tracked joints are sampled too. For a clip that repeats,
    /// compute the time with [`crate::LoopMode::clip_time`]. To blend clips, call [`PosedCharacter::pose_from_layers`].
    ///
    /// # Errors
    /// Returns an error if the character has no clip with this index, the time is NaN, or the pose is not finite.
    ///
    /// ```
    /// use glam::Affine3A;
    /// use runtime::{Character, ClipSampler, LoopMode, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let wave = arm.find_clip("wave").unwrap();
    /// let time = LoopMode::Loop.clip_time(&arm.clips()[wave.index()], 7.25);
    /// let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    /// posed.pose_from_clip(&mut sampler, &arm, &Affine3A::IDENTITY, wave, time)?;
    /// assert_eq!(posed.boxes().len(), arm.box_count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pose_from_clip(
        &mut self,
        sampler: &mut ClipSampler,
        character: &Character,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), PoseError> {
        let sampled = sampler.sample_with(character, clip, seconds, &self.sockets);
        let model_from_joint = sampled.inspect_err(|_| self.clear())?;
        self.pose_from_model(character, world_from_model, model_from_joint)
    }

    /// Poses the character with clips in layers: calls [`ClipSampler::sample_layers`], then
    /// [`PosedCharacter::pose_from_model`]. Tracked joints are sampled too.
    ///
    /// # Errors
    /// Returns the errors of [`ClipSampler::sample_layers`], and an error if the pose is not finite.
    pub fn pose_from_layers(
        &mut self,
        sampler: &mut ClipSampler,
        character: &Character,
        world_from_model: &Affine3A,
        layers: &[PoseLayer],
    ) -> Result<(), PoseError> {
        let sampled = sampler.sample_layers_with(character, layers, &self.sockets);
        let model_from_joint = sampled.inspect_err(|_| self.clear())?;
        self.pose_from_model(character, world_from_model, model_from_joint)
    }

    /// Poses the character with a recipe.
    ///
    /// # Errors
    /// Returns the errors of the function that poses from the recipe's animation, such as
    /// [`PosedCharacter::pose_from_clip`].
    pub fn pose<'r>(
        &mut self,
        sampler: &mut ClipSampler,
        character: &Character,
        recipe: impl Into<PoseRecipeRef<'r>>,
    ) -> Result<(), PoseError> {
        let PoseRecipeRef { place, animation } = recipe.into();
        match animation {
            AnimationRef::Rest => self.pose_from_rest(character, &place),
            AnimationRef::Clip { clip, seconds } => self.pose_from_clip(sampler, character, &place, clip, seconds),
            AnimationRef::Layers(layers) => self.pose_from_layers(sampler, character, &place, layers),
            AnimationRef::Joints(joints) => self.pose_from_model(character, &place, joints),
        }
    }

    /// Poses the character with the skeleton's rest pose.
    ///
    /// # Errors
    /// Returns an error if the pose is not finite.
    pub fn pose_from_rest(&mut self, character: &Character, world_from_model: &Affine3A) -> Result<(), PoseError> {
        self.pose_from_model(character, world_from_model, character.rest_matrices())
    }

    /// Returns `true` if there is a pose: `false` before the first pose and after a pose that returned an error. A pose
    /// of a character without hitboxes counts too.
    #[must_use]
    pub fn is_posed(&self) -> bool {
        self.hitboxes.is_some()
    }

    /// The name of the posed character; `None` if there is no pose.
    #[must_use]
    pub fn character_name(&self) -> Option<&str> {
        self.hitboxes.as_ref().map(|hitboxes| &*hitboxes.name)
    }

    /// The hitboxes in world space, in the order of their indices. Empty if there is no pose.
    pub fn boxes(&self) -> impl ExactSizeIterator<Item = PosedHitbox> + '_ {
        let numbered = self.joints().iter().zip(&self.records).enumerate();
        numbered
            .map(|(index, (&joint, record))| PosedHitbox::new(BoxIndex(index as u16), joint, self.form(index), record))
    }

    /// Returns one hitbox in world space; `None` if there is no pose, or no hitbox with this index.
    #[must_use]
    pub fn hitbox(&self, index: BoxIndex) -> Option<PosedHitbox> {
        let record = self.records.get(index.index())?;
        Some(PosedHitbox::new(index, self.joint_of(index), self.form(index.index()), record))
    }

    /// The hull of a hitbox in world space. `None` if there is no pose, the hitbox is not a hull, or the pose flattens
    /// the hull, for example with a scale of zero. Queries test a flattened hull as its box.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Affine3A, Mat3, Vec3};
    /// use runtime::{BoxIndex, Character, HitboxShape, PosedCharacter};
    ///
    /// let mut baked = baked_format::read(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// // The box of the upper arm is 0.6 wide and deep, and 1 high. The hull is a pyramid on the lower face of the box.
    /// let corner = |x: f32, y: f32, z: f32| Vec3::new(0.3 * x, 0.5 + 0.5 * y, 0.3 * z);
    /// let [a, b, c, d] = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]].map(|[x, z]| corner(x, -1., z));
    /// let triangles = vec![[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]];
    /// let hull = baked_format::HitboxHull { vertices: vec![a, b, c, d, corner(0., 1., 0.)], triangles };
    /// (baked.boxes[0].shape, baked.boxes[0].hull) = (HitboxShape::Hull, Some(hull));
    /// baked.validate()?;
    /// let arm = Character::from_baked(baked);
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X * 5.0))?;
    /// assert_eq!(posed.posed_hull(BoxIndex(0)).unwrap().corners().len(), 5);
    /// assert!(posed.posed_hull(BoxIndex(1)).is_none()); // the forearm is a box
    /// let crumb = |y| Obb::new(Vec3::new(5.25, y, 0.0), Vec3::splat(0.01), Mat3::IDENTITY);
    /// assert!(posed.overlaps_shape(&crumb(1.05)) && !posed.overlaps_shape(&crumb(1.9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn posed_hull(&self, index: BoxIndex) -> Option<PosedHull<'_>> {
        let record = self.records.get(index.index())?;
        self.hitboxes.as_ref()?.hulls.posed(index.index(), &self.hull_matrices, record.center())
    }

    /// The bounds of all boxes in world space; each box's bounds are enlarged by [`crate::kernels::NEAR_TOLERANCE`].
    /// [`Bounds::EMPTY`] if there are no boxes.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// From the next pose on, keeps the matrices of these joints for [`PosedCharacter::world_from_joint`], for example
    /// of weapon sockets, muzzles and cameras. The call replaces the joints that were tracked before.
    ///
    /// `joints` are indices into the skeleton of the character that will be posed. If the character does not have one
    /// of these joints, posing returns [`PoseError::NoJoint`].
    pub fn track_joints(&mut self, joints: &[JointIndex]) {
        let no_pose = |&joint: &JointIndex| Socket { joint, world_from_joint: Affine3A::NAN };
        self.sockets.clear();
        self.sockets.extend(joints.iter().map(no_pose));
        self.sockets.sort_unstable_by_key(|socket| socket.joint);
        self.sockets.dedup_by_key(|socket| socket.joint);
    }

    /// The matrix of a tracked joint in the present pose. `None` if the joint is not tracked, or if nothing was posed
    /// since the joint was tracked.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3A};
    /// use runtime::{Character, ClipSampler, PosedCharacter};
    ///
    /// let (arm, mut sampler) = (Character::load(&std::fs::read("tests/data/arm.bonebox")?)?, ClipSampler::new());
    /// let finger = arm.skeleton().find("finger").unwrap(); // has no hitbox
    /// let mut posed = PosedCharacter::new();
    /// posed.track_joints(&[finger]);
    /// posed.pose_from_clip(&mut sampler, &arm, &Affine3A::IDENTITY, arm.find_clip("wave").unwrap(), 0.0)?;
    /// assert_eq!(posed.world_from_joint(finger).unwrap().translation, Vec3A::new(0.0, 3.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn world_from_joint(&self, joint: JointIndex) -> Option<Affine3A> {
        let place = self.sockets.binary_search_by_key(&joint, |socket| socket.joint).ok()?;
        Some(self.sockets[place].world_from_joint).filter(|_| self.is_posed()).filter(|matrix| !matrix.is_nan())
    }

    /// Removes the pose: there are no boxes afterwards. The memory and the list of tracked joints are kept.
    pub fn clear(&mut self) {
        self.records.clear();
        self.blocks.clear();
        self.hull_matrices.clear();
        self.hitboxes = None;
        self.bounds = Bounds::EMPTY;
        self.sockets.iter_mut().for_each(|socket| socket.world_from_joint = Affine3A::NAN);
        if let Some(skin) = &mut self.skin {
            skin.clear();
        }
    }

    /// Poses the boxes of some joints again, and leaves all other boxes where they are. `joints` may be in any order;
    /// joints without a hitbox are skipped. `world_from_joint` must have one entry for each joint of the skeleton, but
    /// only the entries of `joints` are read.
    ///
    /// A box that was baked with the preset `always` (`poses = "any"`) is posed again if `joints` contains any joint
    /// that moves the box's surface. In this case, the function also reads the entries of all other joints that move
    /// this surface.
    ///
    /// # Errors
    /// Returns the errors of [`PosedCharacter::pose_from_world`], [`PoseError::NoJoint`] if the character has no joint
    /// with one of the indices, and [`PoseError::OtherCharacter`] if the last pose was of another character or there is
    /// no pose.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let mut world_from_joint = vec![Affine3A::IDENTITY; arm.skeleton().len()];
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_world(&arm, &world_from_joint)?;
    /// let fore = arm.skeleton().find("fore").unwrap();
    /// world_from_joint[fore.index()] = Affine3A::from_translation(Vec3::Z);
    /// posed.update_joints(&arm, &world_from_joint, &[fore])?;
    /// assert_eq!(posed.boxes().map(|one| one.center.z).collect::<Vec<_>>(), [0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_joints(
        &mut self,
        character: &Character,
        world_from_joint: &[Affine3A],
        joints: &[JointIndex],
    ) -> Result<(), PoseError> {
        self.check_is_of(character).inspect_err(|_| self.clear())?;
        check_count(character, world_from_joint).inspect_err(|_| self.clear())?;
        if let Some(&joint) = joints.iter().find(|joint| joint.index() >= world_from_joint.len()) {
            self.clear();
            return Err(PoseError::no_joint(&character.hitboxes, joint));
        }
        let matrices = JointMatrices { world_from_model: None, joints: world_from_joint };
        let hitboxes = &*character.hitboxes;
        for &joint in joints {
            let start = hitboxes.joints.partition_point(|&other| other < joint);
            for index in (start..hitboxes.joints.len()).take_while(|&index| hitboxes.joints[index] == joint) {
                self.update_box(character, index, &matrices)?;
            }
            if let Some(envelopes) = &hitboxes.envelopes {
                for index in
                    (0..hitboxes.joints.len()).filter(|&index| envelopes.movers_of(index).any(|mover| mover == joint))
                {
                    self.update_box(character, index, &matrices)?;
                }
            }
            if let Ok(place) = self.sockets.binary_search_by_key(&joint, |socket| socket.joint) {
                self.place_socket(character, &matrices, place)?;
            }
        }
        if let Some(skin) = &mut self.skin
            && let Err(out) = skin.update_joints(world_from_joint, joints)
        {
            self.clear();
            return Err(match out {
                SkinOutOfRange::ByMatrix(joint) => PoseError::out_of_range(&character.hitboxes, joint),
                SkinOutOfRange::ByWeights(joint) => PoseError::morph_out_of_range(&character.hitboxes, joint),
            });
        }
        self.bounds = kernels::around(self.kernel, &self.blocks);
        Ok(())
    }

    /// Poses one box again.
    fn update_box(
        &mut self,
        character: &Character,
        index: usize,
        matrices: &JointMatrices<'_>,
    ) -> Result<(), PoseError> {
        let hitboxes = &*character.hitboxes;
        let envelope = hitboxes.envelopes.as_ref().and_then(|table| Some((table, table.places[index]?)));
        let baked = place_box(&hitboxes.shapes[index], matrices);
        let record = match envelope {
            Some((table, place)) => baked.and_then(|baked| envelope_box(table, place, matrices, &baked)),
            None => baked.and_then(|baked| hitboxes.shaped(index, baked, matrices)),
        };
        let Some(record) = record else {
            self.clear();
            return Err(PoseError::out_of_range(&character.hitboxes, refused_joint(hitboxes, index, matrices)));
        };
        self.records[index] = record;
        hitboxes.hulls.place_one(index, matrices, &mut self.hull_matrices);
        self.blocks[index / LANES].set(index % LANES, &record.bounds());
        Ok(())
    }

    /// Copies the boxes of another pose. The list of tracked joints does not change.
    pub(crate) fn copy_boxes(&mut self, other: &Self) {
        copy_list(&mut self.records, &other.records);
        copy_list(&mut self.blocks, &other.blocks);
        self.hitboxes.clone_from(&other.hitboxes);
        self.bounds = other.bounds;
        copy_list(&mut self.hull_matrices, &other.hull_matrices);
        for socket in &mut self.sockets {
            socket.world_from_joint = other.world_from_joint(socket.joint).unwrap_or(Affine3A::NAN);
        }
        if let Some(skin) = &mut self.skin {
            skin.copy_pose(other.skin.as_deref());
        }
    }

    /// Returns an error if the boxes are of another character, or if there is no pose.
    pub(crate) fn check_is_of(&self, character: &Character) -> Result<(), PoseError> {
        if self.hitboxes.as_ref().is_some_and(|hitboxes| hitboxes.is_same(&character.hitboxes)) {
            return Ok(());
        }
        let found = self.hitboxes.as_ref().map_or_else(|| "".into(), |hitboxes| Arc::clone(&hitboxes.name));
        Err(PoseError::OtherCharacter { expected: Arc::clone(&character.hitboxes.name), found })
    }

    /// The joint of each hitbox, by box index; empty if there is no pose.
    #[inline]
    pub(crate) fn joints(&self) -> &[JointIndex] {
        self.hitboxes.as_ref().map_or(&[], |hitboxes| &hitboxes.joints)
    }

    #[inline]
    pub(crate) fn has_only_boxes(&self) -> bool {
        self.hitboxes.as_ref().is_none_or(|hitboxes| hitboxes.forms.is_empty())
    }

    /// The shape of a hitbox; [`HitboxShape::Box`] if there is no such hitbox.
    #[inline]
    pub(crate) fn form(&self, index: usize) -> HitboxShape {
        self.hitboxes.as_ref().and_then(|hitboxes| hitboxes.forms.get(index).copied()).unwrap_or_default()
    }

    /// The shape of a hitbox in world space.
    #[inline]
    pub(crate) fn solid(&self, index: usize) -> Solid<'_> {
        Solid::new(self.form(index), self.records[index].posed_obb(), || self.posed_hull(BoxIndex(index as u16)))
    }

    #[inline]
    pub(crate) fn joint_of(&self, index: BoxIndex) -> JointIndex {
        self.joints()[index.index()]
    }

    /// Prefetches the boxes. Posing many characters is faster if the memory of the next character arrives while another
    /// character is posed.
    #[inline]
    pub(crate) fn prefetch_records(&self) {
        kernels::prefetch(&self.records);
    }

    /// Prefetches the bounds of the boxes.
    #[inline]
    pub(crate) fn prefetch_bounds(&self) {
        kernels::prefetch(&self.blocks);
    }

    pub(crate) fn box_bounds(&self, index: usize) -> Bounds {
        self.blocks[index / LANES].get(index % LANES)
    }

    fn place(&mut self, character: &Character, matrices: &JointMatrices<'_>) -> Result<(), PoseError> {
        check_count(character, matrices.joints).inspect_err(|_| self.clear())?;
        let hitboxes = &character.hitboxes;
        if !self.hitboxes.as_ref().is_some_and(|known| Arc::ptr_eq(known, hitboxes)) {
            self.clear();
            self.hitboxes = Some(Arc::clone(hitboxes));
            // Reserves the exact size: spare capacity would be a third of all memory.
            self.records.reserve_exact(hitboxes.shapes.len());
            self.blocks.reserve_exact(hitboxes.blocks.len());
            self.records.resize(hitboxes.shapes.len(), Record::NONE);
            self.blocks.resize(hitboxes.blocks.len(), BoundsBlock::EMPTY);
            self.hull_matrices.reserve_exact(hitboxes.hulls.len());
            self.hull_matrices.resize(hitboxes.hulls.len(), Mat3::NAN);
        }
        match pose_into(self.kernel, hitboxes, matrices, &mut self.records, &mut self.blocks) {
            Ok(bounds) => {
                self.bounds = bounds;
                hitboxes.hulls.place(matrices, &mut self.hull_matrices);
            }
            Err(joint) => {
                self.clear();
                return Err(PoseError::box_out_of_range(&character.hitboxes, matrices, joint));
            }
        }
        if let Some(skin) = &mut self.skin
            && let Err(out) = skin.pose(hitboxes.skin.as_ref(), matrices)
        {
            self.clear();
            return Err(match out {
                SkinOutOfRange::ByMatrix(joint) => PoseError::box_out_of_range(&character.hitboxes, matrices, joint),
                SkinOutOfRange::ByWeights(joint) => PoseError::morph_out_of_range(&character.hitboxes, joint),
            });
        }
        (0..self.sockets.len()).try_for_each(|place| self.place_socket(character, matrices, place))
    }

    fn place_socket(
        &mut self,
        character: &Character,
        matrices: &JointMatrices<'_>,
        place: usize,
    ) -> Result<(), PoseError> {
        let joint = self.sockets[place].joint;
        let placed = if joint.index() < matrices.joints.len() {
            let placed = matrices.world_from_joint(joint);
            let is_right = placed.is_finite();
            if is_right { Ok(placed) } else { Err(PoseError::box_out_of_range(&character.hitboxes, matrices, joint)) }
        } else {
            Err(PoseError::no_joint(&character.hitboxes, joint))
        };
        self.sockets[place].world_from_joint = placed.inspect_err(|_| self.clear())?;
        Ok(())
    }
}

/// Poses a character's boxes into memory of the right size, in which the lanes without a box are empty. Returns the
/// bounds of all boxes, or the first joint whose box is not finite or out of range.
pub(crate) fn pose_into(
    kernel: Kernel,
    hitboxes: &HitboxTable,
    matrices: &JointMatrices<'_>,
    records: &mut [Record],
    blocks: &mut [BoundsBlock],
) -> Result<Bounds, JointIndex> {
    let (mut few, mut many);
    let done: &mut [u16] = if blocks.len() <= 16 {
        few = [0; 16];
        &mut few
    } else {
        // More than 256 boxes: the array on the stack holds the most boxes that a file can have.
        many = [0; (1 << 16) / LANES];
        &mut many
    };
    let done = &mut done[..blocks.len()];
    kernels::pose(kernel, &hitboxes.blocks, &hitboxes.joints, matrices, records, blocks, done);
    for (block, done) in done.iter().enumerate() {
        for lane in set_bits(!*done) {
            let Some(shape) = hitboxes.shapes.get(block * LANES + lane) else {
                blocks[block].set(lane, &Bounds::EMPTY);
                continue;
            };
            let record = place_box(shape, matrices).ok_or(shape.joint)?;
            records[block * LANES + lane] = record;
            blocks[block].set(lane, &record.bounds());
        }
    }
    if !hitboxes.forms.is_empty() {
        place_shapes(hitboxes, matrices, records, blocks)?;
    }
    if let Some(envelopes) = &hitboxes.envelopes
        && let Some(index) = kernels::envelopes(kernel, envelopes, matrices, records, blocks)
    {
        return Err(refused_joint(hitboxes, index, matrices));
    }
    Ok(kernels::around(kernel, blocks))
}

/// Replaces the boxes that the kernel placed by the boxes around posed capsules and spheres.
#[cold]
fn place_shapes(
    hitboxes: &HitboxTable,
    matrices: &JointMatrices<'_>,
    records: &mut [Record],
    blocks: &mut [BoundsBlock],
) -> Result<(), JointIndex> {
    for (index, record) in records.iter_mut().enumerate() {
        *record = hitboxes.shaped(index, *record, matrices).ok_or(hitboxes.joints[index])?;
        blocks[index / LANES].set(index % LANES, &record.bounds());
    }
    Ok(())
}

/// The joint to report for a box that an envelope cannot place: the first mover whose matrix is not finite, or else the
/// box's own joint.
#[cold]
fn refused_joint(hitboxes: &HitboxTable, index: usize, matrices: &JointMatrices<'_>) -> JointIndex {
    let own = hitboxes.joints[index];
    let movers = hitboxes.envelopes.iter().flat_map(|envelopes| envelopes.movers_of(index));
    std::iter::once(own).chain(movers).find(|&joint| !matrices.world_from_joint(joint).is_finite()).unwrap_or(own)
}

fn check_count(character: &Character, matrices: &[Affine3A]) -> Result<(), PoseError> {
    let (expected, found) = (character.hitboxes.skeleton.len(), matrices.len());
    if expected == found {
        return Ok(());
    }
    Err(PoseError::JointCount { character: Arc::clone(&character.hitboxes.name), expected, found })
}
