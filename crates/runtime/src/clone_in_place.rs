//! `Clone` whose `clone_from` reuses the memory of every field.

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
