//! The boxes of a body, which are computed when somebody first asks about them.

use super::crowd_sampler::CrowdSampler;
use super::pool::Pool;
use crate::kernels::{self, Kernel};
use crate::pose::recipe::KeptRecipe;
use crate::{Bounds, Character, PosedCharacter};
use std::sync::{Arc, OnceLock};

/// The boxes of all bodies that have no boxes.
static NO_BOXES: PosedCharacter = PosedCharacter::without_boxes(Kernel::Scalar);

/// Memory that the bodies of a world share.
#[derive(Debug, Default)]
pub(super) struct Spares {
    boxes: Pool<Box<PosedCharacter>>,
    samplers: Pool<Box<CrowdSampler>>,
}

/// The boxes of a body.
///
/// Boxes that *wait* follow from the body's recipe. Whoever asks first computes them. Until then, bounds that hold the
/// boxes in every case stand for them. Such bounds exist only if the recipe gives a valid pose, so computing cannot fail.
#[derive(Debug)]
pub(super) struct LazyBoxes {
    /// The computed boxes, or memory for them. Nothing if the body was never posed, or its boxes wait.
    boxes: OnceLock<Box<PosedCharacter>>,
    waits: bool,
    /// Bounds that contain the boxes and the posed skin.
    bounds: Bounds,
    kernel: Kernel,
    /// `None` for a body outside of any world, whose boxes never wait.
    spares: Option<Arc<Spares>>,
}

impl Clone for LazyBoxes {
    fn clone(&self) -> Self {
        let mut clone = Self::new(self.kernel, self.spares.clone());
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, other: &Self) {
        if other.waits {
            self.wait(other.bounds);
        } else if let Some(boxes) = other.boxes.get() {
            self.memory_mut().clone_from(boxes);
        } else {
            self.give_back();
            self.waits = false;
        }
        (self.bounds, self.kernel) = (other.bounds, other.kernel);
        self.spares.clone_from(&other.spares);
    }
}

impl LazyBoxes {
    pub(super) fn new(kernel: Kernel, spares: Option<Arc<Spares>>) -> Self {
        Self { boxes: OnceLock::new(), waits: false, bounds: Bounds::EMPTY, kernel, spares }
    }

    /// Boxes that are computed already.
    #[cfg(feature = "serde")]
    pub(super) fn computed(boxes: PosedCharacter, spares: Option<Arc<Spares>>) -> Self {
        let (kernel, bounds) = (boxes.kernel, boxes.outer_bounds());
        Self { boxes: Box::new(boxes).into(), waits: false, bounds, kernel, spares }
    }

    /// The boxes. `character` and `recipe` are those of the body.
    #[inline]
    pub(super) fn get(&self, character: &Character, recipe: &KeptRecipe) -> &PosedCharacter {
        match self.boxes.get() {
            Some(boxes) => boxes,
            None if self.waits => self.boxes.get_or_init(|| self.compute(character, recipe)),
            None => &NO_BOXES,
        }
    }

    /// The boxes, if they are computed.
    pub(super) fn known(&self) -> Option<&PosedCharacter> {
        self.boxes.get().map(|boxes| &**boxes)
    }

    /// The boxes, if they are computed.
    pub(super) fn known_mut(&mut self) -> Option<&mut PosedCharacter> {
        self.boxes.get_mut().map(|boxes| &mut **boxes)
    }

    pub(super) fn is_posed(&self) -> bool {
        self.waits || self.boxes.get().is_some_and(|boxes| boxes.is_posed())
    }

    /// Returns `true` if the bounds may be larger than those of the boxes.
    pub(super) fn has_wide_bounds(&self) -> bool {
        self.waits
    }

    /// Prefetches the pointers to the boxes.
    #[inline]
    pub(super) fn prefetch(&self) {
        kernels::prefetch(self.known().map_or(&[], std::slice::from_ref));
    }

    /// Bounds that contain the boxes and the posed skin.
    #[inline]
    pub(super) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The boxes, for changes; call [`Self::find_bounds`] afterwards. The recipe no longer stands for them.
    pub(super) fn get_mut(&mut self, character: &Character, recipe: &KeptRecipe) -> &mut PosedCharacter {
        let has_boxes = self.boxes.get().is_some() || self.waits;
        self.get(character, recipe);
        let boxes = self.memory_mut();
        if !has_boxes {
            boxes.clear();
        }
        boxes
    }

    /// The memory of the boxes, which may hold the pose of another body, for a new pose; call [`Self::find_bounds`] afterwards.
    pub(super) fn memory_mut(&mut self) -> &mut PosedCharacter {
        self.waits = false;
        if self.boxes.get().is_none() {
            let _empty = self.boxes.set(take_boxes(self.spares.as_deref(), self.kernel));
        }
        match self.boxes.get_mut() {
            Some(boxes) => boxes,
            None => unreachable!("the boxes were set above"),
        }
    }

    pub(super) fn find_bounds(&mut self) {
        self.bounds = self.boxes.get().map_or(Bounds::EMPTY, |boxes| boxes.outer_bounds());
    }

    pub(super) fn clear(&mut self) {
        if let Some(boxes) = self.boxes.get_mut() {
            boxes.clear();
        }
        (self.waits, self.bounds) = (false, Bounds::EMPTY);
    }

    /// Returns `true` if the boxes may wait: joints and skins that are tracked are posed with the boxes, at once.
    pub(super) fn may_wait(&self) -> bool {
        self.spares.is_some() && self.boxes.get().is_none_or(|boxes| boxes.sockets.is_empty() && boxes.skin.is_none())
    }

    /// Lets the boxes wait. `bounds` contain them.
    pub(super) fn wait(&mut self, bounds: Bounds) {
        self.give_back();
        (self.waits, self.bounds) = (true, bounds);
    }

    fn give_back(&mut self) {
        if let Some(boxes) = self.boxes.take()
            && let Some(spares) = &self.spares
        {
            spares.boxes.give_back(boxes);
        }
    }

    #[inline(never)]
    fn compute(&self, character: &Character, recipe: &KeptRecipe) -> Box<PosedCharacter> {
        let mut boxes = take_boxes(self.spares.as_deref(), self.kernel);
        if let (Some(spares), Some(recipe)) = (&self.spares, recipe.get()) {
            let mut sampler = spares.samplers.take(|| Box::new(CrowdSampler::with_kernel(self.kernel)));
            let posed = sampler.pose(&mut boxes, character, &recipe, || {});
            debug_assert!(posed.is_ok(), "bounds exist only for valid poses: {posed:?}");
            spares.samplers.give_back(sampler);
        }
        debug_assert!(self.bounds.contains(&boxes.bounds()));
        boxes
    }
}

fn take_boxes(spares: Option<&Spares>, kernel: Kernel) -> Box<PosedCharacter> {
    let new = || Box::new(PosedCharacter::with_kernel(kernel));
    let Some(spares) = spares else { return new() };
    let mut boxes = spares.boxes.take(new);
    // Boxes of another body may have tracked joints or a skin.
    boxes.track_joints(&[]);
    boxes.track_skin(false);
    boxes.set_kernel(kernel);
    boxes
}
