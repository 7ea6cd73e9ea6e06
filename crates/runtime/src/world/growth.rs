//! Room for the lists that a world keeps from tick to tick.

/// Makes room for `more` further items. A list that must grow grows by an eighth of its length, where `Vec` doubles:
/// what a world keeps for each body counts, and lists reach their size within a few ticks.
#[inline]
pub(super) fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}
