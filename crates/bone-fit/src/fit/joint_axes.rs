//! The joint's own axes: a box as artists place it by hand.

use glam::DMat3;

/// In joint space the joint's axes are the identity.
pub(super) fn axes() -> DMat3 {
    DMat3::IDENTITY
}
