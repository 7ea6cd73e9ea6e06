//! The humanoid of one character: the joints of the standard bones.

use crate::options::HumanoidOverride;
use skeleton::humanoid::{Humanoid, HumanoidError};
use skinned_model::SkinnedModel;

/// A humanoid, and why the asset's VRM extension gave none although it lists bones.
pub(crate) struct FoundHumanoid {
    pub(crate) humanoid: Option<Humanoid>,
    pub(crate) vrm_error: Option<HumanoidError>,
}

impl HumanoidOverride {
    /// Returns the humanoid that a bake of this model would have; `None` if it would have none.
    ///
    /// # Errors
    /// Returns the errors of [`bake_with`](crate::bake_with) for humanoids.
    pub fn humanoid_of(&self, model: &SkinnedModel) -> Result<Option<Humanoid>, HumanoidError> {
        Ok(self.resolve(model)?.humanoid)
    }

    /// The humanoid, and what is wrong with the VRM extension's.
    pub(crate) fn resolve(&self, model: &SkinnedModel) -> Result<FoundHumanoid, HumanoidError> {
        let skeleton = &model.skeleton;
        if *self == Self::Never {
            return Ok(FoundHumanoid { humanoid: None, vrm_error: None });
        }
        let (vrm, vrm_error) = match model.humanoid.as_slice() {
            [] => (None, None),
            bones => match Humanoid::from_vrm(skeleton, bones.iter().map(|bone| (bone.name.as_str(), bone.joint))) {
                Ok(humanoid) => (Some(humanoid), None),
                Err(error) => (None, Some(error)),
            },
        };
        let humanoid = match self {
            Self::Always(list) => {
                let list = list.iter().map(|(bone, joint)| (bone.as_str(), joint.as_str()));
                Some(match vrm {
                    Some(vrm) => vrm.with(skeleton, list)?,
                    None => Humanoid::guess_with(skeleton, list)?,
                })
            }
            Self::IfFound | Self::Never => vrm.or_else(|| Humanoid::guess(skeleton).ok()),
        };
        Ok(FoundHumanoid { humanoid, vrm_error })
    }

    /// Returns the setting as text; the text is empty for the default.
    pub(crate) fn record(&self) -> String {
        match self {
            Self::IfFound => String::new(),
            Self::Never => "humanoid never\n".into(),
            Self::Always(list) => format!("humanoid always {list:?}\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warnings::unusable_vrm_humanoid;
    use skeleton::humanoid::{HumanBone, HumanoidSource};
    use skinned_model::{HumanoidBone, NoExternalFiles, import};

    /// Runa, as if her file had a VRM extension with these bones.
    fn runa(bones: impl Fn(HumanBone) -> bool) -> SkinnedModel {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb");
        let mut model = import(&std::fs::read(file).unwrap(), &NoExternalFiles).unwrap();
        let guessed = Humanoid::guess(&model.skeleton).unwrap();
        let listed = guessed.iter().filter(|(bone, _)| bones(*bone));
        model.humanoid = listed.map(|(bone, joint)| HumanoidBone { name: bone.name().to_owned(), joint }).collect();
        model
    }

    #[test]
    fn a_vrm_extension_comes_before_names_and_a_list_before_both() {
        let model = runa(|bone| bone != HumanBone::Chest);
        let humanoid = |wanted: &HumanoidOverride| wanted.humanoid_of(&model).unwrap();
        let found = humanoid(&HumanoidOverride::IfFound).unwrap();
        assert_eq!((found.source(), found.joint(HumanBone::Chest)), (HumanoidSource::Vrm, None));
        assert_eq!(humanoid(&HumanoidOverride::Never), None);
        let list = vec![("chest".to_owned(), "spine_02".to_owned())];
        let given = humanoid(&HumanoidOverride::Always(list)).unwrap();
        assert_eq!(given.source(), HumanoidSource::Vrm, "the rest pose is still a T-pose");
        assert_eq!(given.joint(HumanBone::Chest), model.skeleton.find("spine_02"));
        assert!(unusable_vrm_humanoid(&HumanoidOverride::IfFound.resolve(&model).unwrap()).is_none());
    }

    #[test]
    fn an_extension_without_required_bones_is_warned_about() {
        let model = runa(|bone| bone != HumanBone::LeftHand);
        let found = HumanoidOverride::IfFound.resolve(&model).unwrap();
        assert_eq!(found.humanoid.as_ref().unwrap().source(), HumanoidSource::Guessed);
        let warning = unusable_vrm_humanoid(&found).unwrap();
        assert_eq!(warning.code, "unusable-vrm-humanoid");
        assert!(
            warning.text.contains("the bone leftHand") && warning.text.ends_with("taken from joint names"),
            "{warning:?}"
        );
    }
}
