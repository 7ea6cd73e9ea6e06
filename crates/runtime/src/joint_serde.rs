//! A joint index as its number, for serde.

use serde::{Deserialize, Deserializer, Serializer};
use skeleton::JointIndex;

pub(crate) fn serialize<S: Serializer>(joint: &JointIndex, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(joint.0)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JointIndex, D::Error> {
    u16::deserialize(deserializer).map(JointIndex)
}
