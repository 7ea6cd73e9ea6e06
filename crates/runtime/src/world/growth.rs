//! Room for the lists that a world keeps from tick to tick.

/// Makes room for `more` further items. A list that must grow grows by an eighth of its length; a `Vec` would double
/// its length. This saves memory for each body of a large world, and the lists reach their final size within a few
/// ticks anyway.
#[inline]
pub(super) fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}
