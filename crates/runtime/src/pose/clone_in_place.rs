//! `Clone` whose `clone_from` reuses the memory of every field, and takes no more memory than needed.

/// Implements [`Clone`] field by field, so that `clone_from` calls `clone_from` on each field: the derived
/// implementation drops the old value and allocates again. Fields after `;` are scratch memory, which is not copied.
macro_rules! clone_in_place {
    ($type:ident { $($field:ident),* $(; $($scratch:ident),*)? }) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone(),)* $($($scratch: Default::default()),*)? }
            }

            fn clone_from(&mut self, other: &Self) {
                $(self.$field.clone_from(&other.$field);)*
            }
        }
    };
}

pub(crate) use clone_in_place;

/// Makes a list equal to another one. If the list must grow, it grows to the exact length: a list of few large values
/// would otherwise take up to twice the memory.
pub(crate) fn copy_list<T: Copy>(list: &mut Vec<T>, from: &[T]) {
    list.clear();
    list.reserve_exact(from.len());
    list.extend_from_slice(from);
}
