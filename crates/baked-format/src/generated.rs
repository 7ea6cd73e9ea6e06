//! Made from `schema/bonebox.fbs`. Do not edit: change the schema, then run `cargo xtask codegen`.

pub use root::*;

const _: () = ::planus::check_version_compatibility("planus-1.3.0");

/// The root namespace
///
/// Generated from these locations:
/// * File `bonebox.fbs`
#[no_implicit_prelude]
#[allow(clippy::needless_lifetimes)]
mod root {
    /// The namespace `bonebox`
    ///
    /// Generated from these locations:
    /// * File `bonebox.fbs`
    pub mod bonebox {
        /// The struct `Vec3` in the namespace `bonebox`
        ///
        /// Generated from these locations:
        /// * Struct `Vec3` in the file `bonebox.fbs:11`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Default)]
        pub struct Vec3 {
            /// The field `x` in the struct `Vec3`
            pub x: f32,

            /// The field `y` in the struct `Vec3`
            pub y: f32,

            /// The field `z` in the struct `Vec3`
            pub z: f32,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Vec3 {
            const ALIGNMENT: usize = 4;
            const SIZE: usize = 12;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Vec3> for Vec3 {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<4, 8>();
                self.x.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<4, 4>();
                self.y.write(cur, buffer_position - 4);
                let (cur, cursor) = cursor.split::<4, 0>();
                self.z.write(cur, buffer_position - 8);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Vec3> for Vec3 {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Vec3> {
                unsafe {
                    builder.write_with(12, 3, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 12])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Vec3> for Vec3 {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Vec3> for Vec3 {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Vec3].
        #[derive(Copy, Clone)]
        pub struct Vec3Ref<'a>(::planus::ArrayWithStartOffset<'a, 12>);

        impl<'a> Vec3Ref<'a> {
            /// Getter for the [`x` field](Vec3#structfield.x).
            pub fn x(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(0).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`y` field](Vec3#structfield.y).
            pub fn y(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(4).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`z` field](Vec3#structfield.z).
            pub fn z(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(8).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for Vec3Ref<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("Vec3Ref");
                f.field("x", &self.x());
                f.field("y", &self.y());
                f.field("z", &self.z());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 12>> for Vec3Ref<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 12>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<Vec3Ref<'a>> for Vec3 {
            #[allow(unreachable_code)]
            fn from(value: Vec3Ref<'a>) -> Self {
                Self { x: value.x(), y: value.y(), z: value.z() }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<Vec3Ref<'a>> for Vec3Ref<'b> {
            fn eq(&self, other: &Vec3Ref<'_>) -> bool {
                self.x() == other.x() && self.y() == other.y() && self.z() == other.z()
            }
        }

        impl<'a, 'b> ::core::cmp::PartialOrd<Vec3Ref<'a>> for Vec3Ref<'b> {
            fn partial_cmp(&self, other: &Vec3Ref<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                match self.x().partial_cmp(&other.x()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.y().partial_cmp(&other.y()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                self.z().partial_cmp(&other.z())
            }
        }

        impl<'a> ::planus::TableRead<'a> for Vec3Ref<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<12>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for Vec3Ref<'a> {
            const STRIDE: usize = 12;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Vec3> for Vec3 {
            const STRIDE: usize = 12;

            type Value = Vec3;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Vec3], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 12];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (12 * i) as u32,
                    );
                }
            }
        }

        ///  A rotation; `w` is the real part.
        ///
        /// Generated from these locations:
        /// * Struct `Quat` in the file `bonebox.fbs:18`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Default)]
        pub struct Quat {
            /// The field `x` in the struct `Quat`
            pub x: f32,

            /// The field `y` in the struct `Quat`
            pub y: f32,

            /// The field `z` in the struct `Quat`
            pub z: f32,

            /// The field `w` in the struct `Quat`
            pub w: f32,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Quat {
            const ALIGNMENT: usize = 4;
            const SIZE: usize = 16;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Quat> for Quat {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<4, 12>();
                self.x.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<4, 8>();
                self.y.write(cur, buffer_position - 4);
                let (cur, cursor) = cursor.split::<4, 4>();
                self.z.write(cur, buffer_position - 8);
                let (cur, cursor) = cursor.split::<4, 0>();
                self.w.write(cur, buffer_position - 12);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Quat> for Quat {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Quat> {
                unsafe {
                    builder.write_with(16, 3, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 16])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Quat> for Quat {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Quat> for Quat {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Quat].
        #[derive(Copy, Clone)]
        pub struct QuatRef<'a>(::planus::ArrayWithStartOffset<'a, 16>);

        impl<'a> QuatRef<'a> {
            /// Getter for the [`x` field](Quat#structfield.x).
            pub fn x(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(0).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`y` field](Quat#structfield.y).
            pub fn y(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(4).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`z` field](Quat#structfield.z).
            pub fn z(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(8).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`w` field](Quat#structfield.w).
            pub fn w(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(12).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for QuatRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("QuatRef");
                f.field("x", &self.x());
                f.field("y", &self.y());
                f.field("z", &self.z());
                f.field("w", &self.w());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 16>> for QuatRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 16>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<QuatRef<'a>> for Quat {
            #[allow(unreachable_code)]
            fn from(value: QuatRef<'a>) -> Self {
                Self { x: value.x(), y: value.y(), z: value.z(), w: value.w() }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<QuatRef<'a>> for QuatRef<'b> {
            fn eq(&self, other: &QuatRef<'_>) -> bool {
                self.x() == other.x() && self.y() == other.y() && self.z() == other.z() && self.w() == other.w()
            }
        }

        impl<'a, 'b> ::core::cmp::PartialOrd<QuatRef<'a>> for QuatRef<'b> {
            fn partial_cmp(&self, other: &QuatRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                match self.x().partial_cmp(&other.x()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.y().partial_cmp(&other.y()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.z().partial_cmp(&other.z()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                self.w().partial_cmp(&other.w())
            }
        }

        impl<'a> ::planus::TableRead<'a> for QuatRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<16>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for QuatRef<'a> {
            const STRIDE: usize = 16;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Quat> for Quat {
            const STRIDE: usize = 16;

            type Value = Quat;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Quat], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 16];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (16 * i) as u32,
                    );
                }
            }
        }

        ///  A transform that scales, then rotates, then translates.
        ///
        /// Generated from these locations:
        /// * Struct `Trs` in the file `bonebox.fbs:26`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Default)]
        pub struct Trs {
            /// The field `translation` in the struct `Trs`
            pub translation: self::Vec3,

            /// The field `rotation` in the struct `Trs`
            pub rotation: self::Quat,

            /// The field `scale` in the struct `Trs`
            pub scale: self::Vec3,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Trs {
            const ALIGNMENT: usize = 4;
            const SIZE: usize = 40;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Trs> for Trs {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<12, 28>();
                self.translation.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<16, 12>();
                self.rotation.write(cur, buffer_position - 12);
                let (cur, cursor) = cursor.split::<12, 0>();
                self.scale.write(cur, buffer_position - 28);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Trs> for Trs {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Trs> {
                unsafe {
                    builder.write_with(40, 3, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 40])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Trs> for Trs {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Trs> for Trs {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Trs].
        #[derive(Copy, Clone)]
        pub struct TrsRef<'a>(::planus::ArrayWithStartOffset<'a, 40>);

        impl<'a> TrsRef<'a> {
            /// Getter for the [`translation` field](Trs#structfield.translation).
            pub fn translation(&self) -> self::Vec3Ref<'a> {
                let buffer = self.0.advance_as_array::<12>(0).unwrap();

                ::core::convert::From::from(buffer)
            }

            /// Getter for the [`rotation` field](Trs#structfield.rotation).
            pub fn rotation(&self) -> self::QuatRef<'a> {
                let buffer = self.0.advance_as_array::<16>(12).unwrap();

                ::core::convert::From::from(buffer)
            }

            /// Getter for the [`scale` field](Trs#structfield.scale).
            pub fn scale(&self) -> self::Vec3Ref<'a> {
                let buffer = self.0.advance_as_array::<12>(28).unwrap();

                ::core::convert::From::from(buffer)
            }
        }

        impl<'a> ::core::fmt::Debug for TrsRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("TrsRef");
                f.field("translation", &self.translation());
                f.field("rotation", &self.rotation());
                f.field("scale", &self.scale());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 40>> for TrsRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 40>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<TrsRef<'a>> for Trs {
            #[allow(unreachable_code)]
            fn from(value: TrsRef<'a>) -> Self {
                Self {
                    translation: ::core::convert::From::from(value.translation()),
                    rotation: ::core::convert::From::from(value.rotation()),
                    scale: ::core::convert::From::from(value.scale()),
                }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<TrsRef<'a>> for TrsRef<'b> {
            fn eq(&self, other: &TrsRef<'_>) -> bool {
                self.translation() == other.translation()
                    && self.rotation() == other.rotation()
                    && self.scale() == other.scale()
            }
        }

        impl<'a, 'b> ::core::cmp::PartialOrd<TrsRef<'a>> for TrsRef<'b> {
            fn partial_cmp(&self, other: &TrsRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                match self.translation().partial_cmp(&other.translation()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.rotation().partial_cmp(&other.rotation()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                self.scale().partial_cmp(&other.scale())
            }
        }

        impl<'a> ::planus::TableRead<'a> for TrsRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<40>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for TrsRef<'a> {
            const STRIDE: usize = 40;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Trs> for Trs {
            const STRIDE: usize = 40;

            type Value = Trs;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Trs], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 40];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (40 * i) as u32,
                    );
                }
            }
        }

        ///  The transform `x_axis * x + y_axis * y + z_axis * z + translation`.
        ///
        /// Generated from these locations:
        /// * Struct `Affine` in the file `bonebox.fbs:33`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Default)]
        pub struct Affine {
            /// The field `x_axis` in the struct `Affine`
            pub x_axis: self::Vec3,

            /// The field `y_axis` in the struct `Affine`
            pub y_axis: self::Vec3,

            /// The field `z_axis` in the struct `Affine`
            pub z_axis: self::Vec3,

            /// The field `translation` in the struct `Affine`
            pub translation: self::Vec3,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Affine {
            const ALIGNMENT: usize = 4;
            const SIZE: usize = 48;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Affine> for Affine {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<12, 36>();
                self.x_axis.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<12, 24>();
                self.y_axis.write(cur, buffer_position - 12);
                let (cur, cursor) = cursor.split::<12, 12>();
                self.z_axis.write(cur, buffer_position - 24);
                let (cur, cursor) = cursor.split::<12, 0>();
                self.translation.write(cur, buffer_position - 36);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Affine> for Affine {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Affine> {
                unsafe {
                    builder.write_with(48, 3, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 48])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Affine> for Affine {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Affine> for Affine {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Affine].
        #[derive(Copy, Clone)]
        pub struct AffineRef<'a>(::planus::ArrayWithStartOffset<'a, 48>);

        impl<'a> AffineRef<'a> {
            /// Getter for the [`x_axis` field](Affine#structfield.x_axis).
            pub fn x_axis(&self) -> self::Vec3Ref<'a> {
                let buffer = self.0.advance_as_array::<12>(0).unwrap();

                ::core::convert::From::from(buffer)
            }

            /// Getter for the [`y_axis` field](Affine#structfield.y_axis).
            pub fn y_axis(&self) -> self::Vec3Ref<'a> {
                let buffer = self.0.advance_as_array::<12>(12).unwrap();

                ::core::convert::From::from(buffer)
            }

            /// Getter for the [`z_axis` field](Affine#structfield.z_axis).
            pub fn z_axis(&self) -> self::Vec3Ref<'a> {
                let buffer = self.0.advance_as_array::<12>(24).unwrap();

                ::core::convert::From::from(buffer)
            }

            /// Getter for the [`translation` field](Affine#structfield.translation).
            pub fn translation(&self) -> self::Vec3Ref<'a> {
                let buffer = self.0.advance_as_array::<12>(36).unwrap();

                ::core::convert::From::from(buffer)
            }
        }

        impl<'a> ::core::fmt::Debug for AffineRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("AffineRef");
                f.field("x_axis", &self.x_axis());
                f.field("y_axis", &self.y_axis());
                f.field("z_axis", &self.z_axis());
                f.field("translation", &self.translation());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 48>> for AffineRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 48>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<AffineRef<'a>> for Affine {
            #[allow(unreachable_code)]
            fn from(value: AffineRef<'a>) -> Self {
                Self {
                    x_axis: ::core::convert::From::from(value.x_axis()),
                    y_axis: ::core::convert::From::from(value.y_axis()),
                    z_axis: ::core::convert::From::from(value.z_axis()),
                    translation: ::core::convert::From::from(value.translation()),
                }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<AffineRef<'a>> for AffineRef<'b> {
            fn eq(&self, other: &AffineRef<'_>) -> bool {
                self.x_axis() == other.x_axis()
                    && self.y_axis() == other.y_axis()
                    && self.z_axis() == other.z_axis()
                    && self.translation() == other.translation()
            }
        }

        impl<'a, 'b> ::core::cmp::PartialOrd<AffineRef<'a>> for AffineRef<'b> {
            fn partial_cmp(&self, other: &AffineRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                match self.x_axis().partial_cmp(&other.x_axis()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.y_axis().partial_cmp(&other.y_axis()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.z_axis().partial_cmp(&other.z_axis()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                self.translation().partial_cmp(&other.translation())
            }
        }

        impl<'a> ::planus::TableRead<'a> for AffineRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<48>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for AffineRef<'a> {
            const STRIDE: usize = 48;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Affine> for Affine {
            const STRIDE: usize = 48;

            type Value = Affine;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Affine], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 48];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (48 * i) as u32,
                    );
                }
            }
        }

        ///  The shape of a hitbox. A hitbox's box is always the box around its shape: FORMAT.md has the formulas.
        ///
        /// Generated from these locations:
        /// * Enum `Shape` in the file `bonebox.fbs:41`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Shape {
            /// The variant `Box` in the enum `Shape`
            Box = 0,

            ///  A capsule along axis 1 of the box. half_extents.x and z are the radius, half_extents.y is the radius plus half the segment.
            Capsule = 1,

            ///  A sphere. Each of the three half extents is the radius.
            Sphere = 2,

            ///  The convex hull of the vertices of `hull`.
            Hull = 3,
        }

        impl Shape {
            /// Array containing all valid variants of Shape
            pub const ENUM_VALUES: [Self; 4] = [Self::Box, Self::Capsule, Self::Sphere, Self::Hull];
        }

        impl ::core::convert::TryFrom<u8> for Shape {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(Shape::Box),
                    1 => ::core::result::Result::Ok(Shape::Capsule),
                    2 => ::core::result::Result::Ok(Shape::Sphere),
                    3 => ::core::result::Result::Ok(Shape::Hull),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<Shape> for u8 {
            #[inline]
            fn from(value: Shape) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Shape {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<Shape> for Shape {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<Shape> for Shape {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Shape {
                *self
            }
        }

        impl ::planus::WriteAsDefault<Shape, Shape> for Shape {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder, default: &Shape) -> ::core::option::Option<Shape> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<Shape> for Shape {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Shape> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for Shape {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for Shape {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location("Shape", "VectorRead::from_buffer", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Shape> for Shape {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  What a hitbox is for.
        ///
        /// Generated from these locations:
        /// * Enum `Role` in the file `bonebox.fbs:52`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Role {
            ///  A part of the figure that can be hit.
            Hurt = 0,

            ///  It hits others.
            Strike = 1,

            ///  It grabs others.
            Grab = 2,

            ///  It stops strikes.
            Guard = 3,

            ///  It notices others.
            Sensor = 4,
        }

        impl Role {
            /// Array containing all valid variants of Role
            pub const ENUM_VALUES: [Self; 5] = [Self::Hurt, Self::Strike, Self::Grab, Self::Guard, Self::Sensor];
        }

        impl ::core::convert::TryFrom<u8> for Role {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(Role::Hurt),
                    1 => ::core::result::Result::Ok(Role::Strike),
                    2 => ::core::result::Result::Ok(Role::Grab),
                    3 => ::core::result::Result::Ok(Role::Guard),
                    4 => ::core::result::Result::Ok(Role::Sensor),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<Role> for u8 {
            #[inline]
            fn from(value: Role) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Role {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<Role> for Role {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<Role> for Role {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Role {
                *self
            }
        }

        impl ::planus::WriteAsDefault<Role, Role> for Role {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder, default: &Role) -> ::core::option::Option<Role> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<Role> for Role {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Role> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for Role {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for Role {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location("Role", "VectorRead::from_buffer", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Role> for Role {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  A bone of VRM 1.0's humanoid, in the order of its parents.
        ///
        /// Generated from these locations:
        /// * Enum `HumanBone` in the file `bonebox.fbs:66`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum HumanBone {
            /// The variant `Hips` in the enum `HumanBone`
            Hips = 0,

            /// The variant `Spine` in the enum `HumanBone`
            Spine = 1,

            /// The variant `Chest` in the enum `HumanBone`
            Chest = 2,

            /// The variant `UpperChest` in the enum `HumanBone`
            UpperChest = 3,

            /// The variant `Neck` in the enum `HumanBone`
            Neck = 4,

            /// The variant `Head` in the enum `HumanBone`
            Head = 5,

            /// The variant `LeftEye` in the enum `HumanBone`
            LeftEye = 6,

            /// The variant `RightEye` in the enum `HumanBone`
            RightEye = 7,

            /// The variant `Jaw` in the enum `HumanBone`
            Jaw = 8,

            /// The variant `LeftUpperLeg` in the enum `HumanBone`
            LeftUpperLeg = 9,

            /// The variant `LeftLowerLeg` in the enum `HumanBone`
            LeftLowerLeg = 10,

            /// The variant `LeftFoot` in the enum `HumanBone`
            LeftFoot = 11,

            /// The variant `LeftToes` in the enum `HumanBone`
            LeftToes = 12,

            /// The variant `RightUpperLeg` in the enum `HumanBone`
            RightUpperLeg = 13,

            /// The variant `RightLowerLeg` in the enum `HumanBone`
            RightLowerLeg = 14,

            /// The variant `RightFoot` in the enum `HumanBone`
            RightFoot = 15,

            /// The variant `RightToes` in the enum `HumanBone`
            RightToes = 16,

            /// The variant `LeftShoulder` in the enum `HumanBone`
            LeftShoulder = 17,

            /// The variant `LeftUpperArm` in the enum `HumanBone`
            LeftUpperArm = 18,

            /// The variant `LeftLowerArm` in the enum `HumanBone`
            LeftLowerArm = 19,

            /// The variant `LeftHand` in the enum `HumanBone`
            LeftHand = 20,

            /// The variant `RightShoulder` in the enum `HumanBone`
            RightShoulder = 21,

            /// The variant `RightUpperArm` in the enum `HumanBone`
            RightUpperArm = 22,

            /// The variant `RightLowerArm` in the enum `HumanBone`
            RightLowerArm = 23,

            /// The variant `RightHand` in the enum `HumanBone`
            RightHand = 24,

            /// The variant `LeftThumbMetacarpal` in the enum `HumanBone`
            LeftThumbMetacarpal = 25,

            /// The variant `LeftThumbProximal` in the enum `HumanBone`
            LeftThumbProximal = 26,

            /// The variant `LeftThumbDistal` in the enum `HumanBone`
            LeftThumbDistal = 27,

            /// The variant `LeftIndexProximal` in the enum `HumanBone`
            LeftIndexProximal = 28,

            /// The variant `LeftIndexIntermediate` in the enum `HumanBone`
            LeftIndexIntermediate = 29,

            /// The variant `LeftIndexDistal` in the enum `HumanBone`
            LeftIndexDistal = 30,

            /// The variant `LeftMiddleProximal` in the enum `HumanBone`
            LeftMiddleProximal = 31,

            /// The variant `LeftMiddleIntermediate` in the enum `HumanBone`
            LeftMiddleIntermediate = 32,

            /// The variant `LeftMiddleDistal` in the enum `HumanBone`
            LeftMiddleDistal = 33,

            /// The variant `LeftRingProximal` in the enum `HumanBone`
            LeftRingProximal = 34,

            /// The variant `LeftRingIntermediate` in the enum `HumanBone`
            LeftRingIntermediate = 35,

            /// The variant `LeftRingDistal` in the enum `HumanBone`
            LeftRingDistal = 36,

            /// The variant `LeftLittleProximal` in the enum `HumanBone`
            LeftLittleProximal = 37,

            /// The variant `LeftLittleIntermediate` in the enum `HumanBone`
            LeftLittleIntermediate = 38,

            /// The variant `LeftLittleDistal` in the enum `HumanBone`
            LeftLittleDistal = 39,

            /// The variant `RightThumbMetacarpal` in the enum `HumanBone`
            RightThumbMetacarpal = 40,

            /// The variant `RightThumbProximal` in the enum `HumanBone`
            RightThumbProximal = 41,

            /// The variant `RightThumbDistal` in the enum `HumanBone`
            RightThumbDistal = 42,

            /// The variant `RightIndexProximal` in the enum `HumanBone`
            RightIndexProximal = 43,

            /// The variant `RightIndexIntermediate` in the enum `HumanBone`
            RightIndexIntermediate = 44,

            /// The variant `RightIndexDistal` in the enum `HumanBone`
            RightIndexDistal = 45,

            /// The variant `RightMiddleProximal` in the enum `HumanBone`
            RightMiddleProximal = 46,

            /// The variant `RightMiddleIntermediate` in the enum `HumanBone`
            RightMiddleIntermediate = 47,

            /// The variant `RightMiddleDistal` in the enum `HumanBone`
            RightMiddleDistal = 48,

            /// The variant `RightRingProximal` in the enum `HumanBone`
            RightRingProximal = 49,

            /// The variant `RightRingIntermediate` in the enum `HumanBone`
            RightRingIntermediate = 50,

            /// The variant `RightRingDistal` in the enum `HumanBone`
            RightRingDistal = 51,

            /// The variant `RightLittleProximal` in the enum `HumanBone`
            RightLittleProximal = 52,

            /// The variant `RightLittleIntermediate` in the enum `HumanBone`
            RightLittleIntermediate = 53,

            /// The variant `RightLittleDistal` in the enum `HumanBone`
            RightLittleDistal = 54,
        }

        impl HumanBone {
            /// Array containing all valid variants of HumanBone
            pub const ENUM_VALUES: [Self; 55] = [
                Self::Hips,
                Self::Spine,
                Self::Chest,
                Self::UpperChest,
                Self::Neck,
                Self::Head,
                Self::LeftEye,
                Self::RightEye,
                Self::Jaw,
                Self::LeftUpperLeg,
                Self::LeftLowerLeg,
                Self::LeftFoot,
                Self::LeftToes,
                Self::RightUpperLeg,
                Self::RightLowerLeg,
                Self::RightFoot,
                Self::RightToes,
                Self::LeftShoulder,
                Self::LeftUpperArm,
                Self::LeftLowerArm,
                Self::LeftHand,
                Self::RightShoulder,
                Self::RightUpperArm,
                Self::RightLowerArm,
                Self::RightHand,
                Self::LeftThumbMetacarpal,
                Self::LeftThumbProximal,
                Self::LeftThumbDistal,
                Self::LeftIndexProximal,
                Self::LeftIndexIntermediate,
                Self::LeftIndexDistal,
                Self::LeftMiddleProximal,
                Self::LeftMiddleIntermediate,
                Self::LeftMiddleDistal,
                Self::LeftRingProximal,
                Self::LeftRingIntermediate,
                Self::LeftRingDistal,
                Self::LeftLittleProximal,
                Self::LeftLittleIntermediate,
                Self::LeftLittleDistal,
                Self::RightThumbMetacarpal,
                Self::RightThumbProximal,
                Self::RightThumbDistal,
                Self::RightIndexProximal,
                Self::RightIndexIntermediate,
                Self::RightIndexDistal,
                Self::RightMiddleProximal,
                Self::RightMiddleIntermediate,
                Self::RightMiddleDistal,
                Self::RightRingProximal,
                Self::RightRingIntermediate,
                Self::RightRingDistal,
                Self::RightLittleProximal,
                Self::RightLittleIntermediate,
                Self::RightLittleDistal,
            ];
        }

        impl ::core::convert::TryFrom<u8> for HumanBone {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(HumanBone::Hips),
                    1 => ::core::result::Result::Ok(HumanBone::Spine),
                    2 => ::core::result::Result::Ok(HumanBone::Chest),
                    3 => ::core::result::Result::Ok(HumanBone::UpperChest),
                    4 => ::core::result::Result::Ok(HumanBone::Neck),
                    5 => ::core::result::Result::Ok(HumanBone::Head),
                    6 => ::core::result::Result::Ok(HumanBone::LeftEye),
                    7 => ::core::result::Result::Ok(HumanBone::RightEye),
                    8 => ::core::result::Result::Ok(HumanBone::Jaw),
                    9 => ::core::result::Result::Ok(HumanBone::LeftUpperLeg),
                    10 => ::core::result::Result::Ok(HumanBone::LeftLowerLeg),
                    11 => ::core::result::Result::Ok(HumanBone::LeftFoot),
                    12 => ::core::result::Result::Ok(HumanBone::LeftToes),
                    13 => ::core::result::Result::Ok(HumanBone::RightUpperLeg),
                    14 => ::core::result::Result::Ok(HumanBone::RightLowerLeg),
                    15 => ::core::result::Result::Ok(HumanBone::RightFoot),
                    16 => ::core::result::Result::Ok(HumanBone::RightToes),
                    17 => ::core::result::Result::Ok(HumanBone::LeftShoulder),
                    18 => ::core::result::Result::Ok(HumanBone::LeftUpperArm),
                    19 => ::core::result::Result::Ok(HumanBone::LeftLowerArm),
                    20 => ::core::result::Result::Ok(HumanBone::LeftHand),
                    21 => ::core::result::Result::Ok(HumanBone::RightShoulder),
                    22 => ::core::result::Result::Ok(HumanBone::RightUpperArm),
                    23 => ::core::result::Result::Ok(HumanBone::RightLowerArm),
                    24 => ::core::result::Result::Ok(HumanBone::RightHand),
                    25 => ::core::result::Result::Ok(HumanBone::LeftThumbMetacarpal),
                    26 => ::core::result::Result::Ok(HumanBone::LeftThumbProximal),
                    27 => ::core::result::Result::Ok(HumanBone::LeftThumbDistal),
                    28 => ::core::result::Result::Ok(HumanBone::LeftIndexProximal),
                    29 => ::core::result::Result::Ok(HumanBone::LeftIndexIntermediate),
                    30 => ::core::result::Result::Ok(HumanBone::LeftIndexDistal),
                    31 => ::core::result::Result::Ok(HumanBone::LeftMiddleProximal),
                    32 => ::core::result::Result::Ok(HumanBone::LeftMiddleIntermediate),
                    33 => ::core::result::Result::Ok(HumanBone::LeftMiddleDistal),
                    34 => ::core::result::Result::Ok(HumanBone::LeftRingProximal),
                    35 => ::core::result::Result::Ok(HumanBone::LeftRingIntermediate),
                    36 => ::core::result::Result::Ok(HumanBone::LeftRingDistal),
                    37 => ::core::result::Result::Ok(HumanBone::LeftLittleProximal),
                    38 => ::core::result::Result::Ok(HumanBone::LeftLittleIntermediate),
                    39 => ::core::result::Result::Ok(HumanBone::LeftLittleDistal),
                    40 => ::core::result::Result::Ok(HumanBone::RightThumbMetacarpal),
                    41 => ::core::result::Result::Ok(HumanBone::RightThumbProximal),
                    42 => ::core::result::Result::Ok(HumanBone::RightThumbDistal),
                    43 => ::core::result::Result::Ok(HumanBone::RightIndexProximal),
                    44 => ::core::result::Result::Ok(HumanBone::RightIndexIntermediate),
                    45 => ::core::result::Result::Ok(HumanBone::RightIndexDistal),
                    46 => ::core::result::Result::Ok(HumanBone::RightMiddleProximal),
                    47 => ::core::result::Result::Ok(HumanBone::RightMiddleIntermediate),
                    48 => ::core::result::Result::Ok(HumanBone::RightMiddleDistal),
                    49 => ::core::result::Result::Ok(HumanBone::RightRingProximal),
                    50 => ::core::result::Result::Ok(HumanBone::RightRingIntermediate),
                    51 => ::core::result::Result::Ok(HumanBone::RightRingDistal),
                    52 => ::core::result::Result::Ok(HumanBone::RightLittleProximal),
                    53 => ::core::result::Result::Ok(HumanBone::RightLittleIntermediate),
                    54 => ::core::result::Result::Ok(HumanBone::RightLittleDistal),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<HumanBone> for u8 {
            #[inline]
            fn from(value: HumanBone) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for HumanBone {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<HumanBone> for HumanBone {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<HumanBone> for HumanBone {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> HumanBone {
                *self
            }
        }

        impl ::planus::WriteAsDefault<HumanBone, HumanBone> for HumanBone {
            type Prepared = Self;

            #[inline]
            fn prepare(
                &self,
                _builder: &mut ::planus::Builder,
                default: &HumanBone,
            ) -> ::core::option::Option<HumanBone> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<HumanBone> for HumanBone {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<HumanBone> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for HumanBone {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for HumanBone {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location("HumanBone", "VectorRead::from_buffer", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<HumanBone> for HumanBone {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  The source of a humanoid. By VRM's standard, the rest pose of an asset with a VRM extension is a T-pose.
        ///
        /// Generated from these locations:
        /// * Enum `HumanoidSource` in the file `bonebox.fbs:125`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum HumanoidSource {
            /// The variant `Vrm` in the enum `HumanoidSource`
            Vrm = 0,

            /// The variant `Guessed` in the enum `HumanoidSource`
            Guessed = 1,

            /// The variant `Settings` in the enum `HumanoidSource`
            Settings = 2,
        }

        impl HumanoidSource {
            /// Array containing all valid variants of HumanoidSource
            pub const ENUM_VALUES: [Self; 3] = [Self::Vrm, Self::Guessed, Self::Settings];
        }

        impl ::core::convert::TryFrom<u8> for HumanoidSource {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(HumanoidSource::Vrm),
                    1 => ::core::result::Result::Ok(HumanoidSource::Guessed),
                    2 => ::core::result::Result::Ok(HumanoidSource::Settings),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<HumanoidSource> for u8 {
            #[inline]
            fn from(value: HumanoidSource) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for HumanoidSource {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<HumanoidSource> for HumanoidSource {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<HumanoidSource> for HumanoidSource {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> HumanoidSource {
                *self
            }
        }

        impl ::planus::WriteAsDefault<HumanoidSource, HumanoidSource> for HumanoidSource {
            type Prepared = Self;

            #[inline]
            fn prepare(
                &self,
                _builder: &mut ::planus::Builder,
                default: &HumanoidSource,
            ) -> ::core::option::Option<HumanoidSource> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<HumanoidSource> for HumanoidSource {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<HumanoidSource> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for HumanoidSource {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for HumanoidSource {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location(
                        "HumanoidSource",
                        "VectorRead::from_buffer",
                        buffer.offset_from_start,
                    )
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<HumanoidSource> for HumanoidSource {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  The joint of one bone.
        ///
        /// Generated from these locations:
        /// * Struct `BoneJoint` in the file `bonebox.fbs:132`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)]
        pub struct BoneJoint {
            /// The field `bone` in the struct `BoneJoint`
            pub bone: self::HumanBone,

            /// The field `joint` in the struct `BoneJoint`
            pub joint: u16,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for BoneJoint {
            const ALIGNMENT: usize = 2;
            const SIZE: usize = 4;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<BoneJoint> for BoneJoint {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<1, 3>();
                self.bone.write(cur, buffer_position - 0);
                let cursor = cursor.write::<1, 2>([0; 1]);
                let (cur, cursor) = cursor.split::<2, 0>();
                self.joint.write(cur, buffer_position - 2);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<BoneJoint> for BoneJoint {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BoneJoint> {
                unsafe {
                    builder.write_with(4, 1, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 4])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<BoneJoint> for BoneJoint {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<BoneJoint> for BoneJoint {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [BoneJoint].
        #[derive(Copy, Clone)]
        pub struct BoneJointRef<'a>(::planus::ArrayWithStartOffset<'a, 4>);

        impl<'a> BoneJointRef<'a> {
            /// Getter for the [`bone` field](BoneJoint#structfield.bone).
            pub fn bone(&self) -> ::core::result::Result<self::HumanBone, ::planus::errors::UnknownEnumTag> {
                let buffer = self.0.advance_as_array::<1>(0).unwrap();

                let value: ::core::result::Result<self::HumanBone, _> =
                    ::core::convert::TryInto::try_into(u8::from_le_bytes(*buffer.as_array()));
                value.map_err(|e| e.with_error_location("BoneJointRef", "bone", buffer.offset_from_start))
            }

            /// Getter for the [`joint` field](BoneJoint#structfield.joint).
            pub fn joint(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(2).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for BoneJointRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("BoneJointRef");
                f.field("bone", &self.bone());
                f.field("joint", &self.joint());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 4>> for BoneJointRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 4>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::TryFrom<BoneJointRef<'a>> for BoneJoint {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: BoneJointRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self { bone: value.bone()?, joint: value.joint() })
            }
        }

        impl<'a> ::planus::TableRead<'a> for BoneJointRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<4>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for BoneJointRef<'a> {
            const STRIDE: usize = 4;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<BoneJoint> for BoneJoint {
            const STRIDE: usize = 4;

            type Value = BoneJoint;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(
                values: &[BoneJoint],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (4 * i) as u32,
                    );
                }
            }
        }

        ///  The source of a bake.
        ///
        /// Generated from these locations:
        /// * Table `Source` in the file `bonebox.fbs:138`
        #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)]
        pub struct Source {
            ///  The file's name without folders.
            pub file: ::planus::alloc::string::String,
            ///  The BLAKE3 hash of all bytes that the bake read: 32 bytes.
            pub blake3: ::planus::alloc::vec::Vec<u8>,
            ///  The program and its version.
            pub generator: ::planus::alloc::string::String,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Source {
            fn default() -> Self {
                Self {
                    file: ::core::default::Default::default(),
                    blake3: ::core::default::Default::default(),
                    generator: ::core::default::Default::default(),
                }
            }
        }

        impl Source {
            /// Creates a [SourceBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> SourceBuilder<()> {
                SourceBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_file: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_blake3: impl ::planus::WriteAs<::planus::Offset<[u8]>>,
                field_generator: impl ::planus::WriteAs<::planus::Offset<str>>,
            ) -> ::planus::Offset<Self> {
                let prepared_file = field_file.prepare(builder);
                let prepared_blake3 = field_blake3.prepare(builder);
                let prepared_generator = field_generator.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<10> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                table_writer.write_entry::<::planus::Offset<[u8]>>(1);
                table_writer.write_entry::<::planus::Offset<str>>(2);

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_file);
                        object_writer.write::<_, _, 4>(&prepared_blake3);
                        object_writer.write::<_, _, 4>(&prepared_generator);
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Source>> for Source {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Source> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Source>> for Source {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Source>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Source> for Source {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Source> {
                Source::create(builder, &self.file, &self.blake3, &self.generator)
            }
        }

        /// Builder for serializing an instance of the [Source] type.
        ///
        /// Can be created using the [Source::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct SourceBuilder<State>(State);

        impl SourceBuilder<()> {
            /// Setter for the [`file` field](Source#structfield.file).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn file<T0>(self, value: T0) -> SourceBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                SourceBuilder((value,))
            }
        }

        impl<T0> SourceBuilder<(T0,)> {
            /// Setter for the [`blake3` field](Source#structfield.blake3).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn blake3<T1>(self, value: T1) -> SourceBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAs<::planus::Offset<[u8]>>,
            {
                let (v0,) = self.0;
                SourceBuilder((v0, value))
            }
        }

        impl<T0, T1> SourceBuilder<(T0, T1)> {
            /// Setter for the [`generator` field](Source#structfield.generator).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn generator<T2>(self, value: T2) -> SourceBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAs<::planus::Offset<str>>,
            {
                let (v0, v1) = self.0;
                SourceBuilder((v0, v1, value))
            }
        }

        impl<T0, T1, T2> SourceBuilder<(T0, T1, T2)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Source].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Source>
            where
                Self: ::planus::WriteAsOffset<Source>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<[u8]>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAs<::planus::Offset<Source>> for SourceBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<Source>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Source> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<[u8]>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOptional<::planus::Offset<Source>> for SourceBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<Source>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Source>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<[u8]>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOffset<Source> for SourceBuilder<(T0, T1, T2)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Source> {
                let (v0, v1, v2) = &self.0;
                Source::create(builder, v0, v1, v2)
            }
        }

        /// Reference to a deserialized [Source].
        #[derive(Copy, Clone)]
        pub struct SourceRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> SourceRef<'a> {
            /// Getter for the [`file` field](Source#structfield.file).
            #[inline]
            pub fn file(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "Source", "file")
            }

            /// Getter for the [`blake3` field](Source#structfield.blake3).
            #[inline]
            pub fn blake3(&self) -> ::planus::Result<&'a [u8]> {
                self.0.access_required(1, "Source", "blake3")
            }

            /// Getter for the [`generator` field](Source#structfield.generator).
            #[inline]
            pub fn generator(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(2, "Source", "generator")
            }
        }

        impl<'a> ::core::fmt::Debug for SourceRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("SourceRef");
                f.field("file", &self.file());
                f.field("blake3", &self.blake3());
                f.field("generator", &self.generator());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<SourceRef<'a>> for Source {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: SourceRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    file: ::core::convert::Into::into(value.file()?),
                    blake3: value.blake3()?.to_vec(),
                    generator: ::core::convert::Into::into(value.generator()?),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for SourceRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for SourceRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[SourceRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Source>> for Source {
            type Value = ::planus::Offset<Source>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Source>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for SourceRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[SourceRef]", "read_as_root", 0))
            }
        }

        ///  One option and its value, for example `fit` and `pca`.
        ///
        /// Generated from these locations:
        /// * Table `BakeOption` in the file `bonebox.fbs:148`
        #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)]
        pub struct BakeOption {
            /// The field `key` in the table `BakeOption`
            pub key: ::planus::alloc::string::String,
            /// The field `value` in the table `BakeOption`
            pub value: ::planus::alloc::string::String,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for BakeOption {
            fn default() -> Self {
                Self { key: ::core::default::Default::default(), value: ::core::default::Default::default() }
            }
        }

        impl BakeOption {
            /// Creates a [BakeOptionBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> BakeOptionBuilder<()> {
                BakeOptionBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_key: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_value: impl ::planus::WriteAs<::planus::Offset<str>>,
            ) -> ::planus::Offset<Self> {
                let prepared_key = field_key.prepare(builder);
                let prepared_value = field_value.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                table_writer.write_entry::<::planus::Offset<str>>(1);

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_key);
                        object_writer.write::<_, _, 4>(&prepared_value);
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<BakeOption>> for BakeOption {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeOption> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<BakeOption>> for BakeOption {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<BakeOption>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<BakeOption> for BakeOption {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeOption> {
                BakeOption::create(builder, &self.key, &self.value)
            }
        }

        /// Builder for serializing an instance of the [BakeOption] type.
        ///
        /// Can be created using the [BakeOption::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct BakeOptionBuilder<State>(State);

        impl BakeOptionBuilder<()> {
            /// Setter for the [`key` field](BakeOption#structfield.key).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn key<T0>(self, value: T0) -> BakeOptionBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                BakeOptionBuilder((value,))
            }
        }

        impl<T0> BakeOptionBuilder<(T0,)> {
            /// Setter for the [`value` field](BakeOption#structfield.value).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn value<T1>(self, value: T1) -> BakeOptionBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAs<::planus::Offset<str>>,
            {
                let (v0,) = self.0;
                BakeOptionBuilder((v0, value))
            }
        }

        impl<T0, T1> BakeOptionBuilder<(T0, T1)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [BakeOption].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeOption>
            where
                Self: ::planus::WriteAsOffset<BakeOption>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAs<::planus::Offset<str>>>
            ::planus::WriteAs<::planus::Offset<BakeOption>> for BakeOptionBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<BakeOption>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeOption> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAs<::planus::Offset<str>>>
            ::planus::WriteAsOptional<::planus::Offset<BakeOption>> for BakeOptionBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<BakeOption>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<BakeOption>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAs<::planus::Offset<str>>>
            ::planus::WriteAsOffset<BakeOption> for BakeOptionBuilder<(T0, T1)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeOption> {
                let (v0, v1) = &self.0;
                BakeOption::create(builder, v0, v1)
            }
        }

        /// Reference to a deserialized [BakeOption].
        #[derive(Copy, Clone)]
        pub struct BakeOptionRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> BakeOptionRef<'a> {
            /// Getter for the [`key` field](BakeOption#structfield.key).
            #[inline]
            pub fn key(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "BakeOption", "key")
            }

            /// Getter for the [`value` field](BakeOption#structfield.value).
            #[inline]
            pub fn value(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(1, "BakeOption", "value")
            }
        }

        impl<'a> ::core::fmt::Debug for BakeOptionRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("BakeOptionRef");
                f.field("key", &self.key());
                f.field("value", &self.value());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<BakeOptionRef<'a>> for BakeOption {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: BakeOptionRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    key: ::core::convert::Into::into(value.key()?),
                    value: ::core::convert::Into::into(value.value()?),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for BakeOptionRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for BakeOptionRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[BakeOptionRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<BakeOption>> for BakeOption {
            type Value = ::planus::Offset<BakeOption>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<BakeOption>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for BakeOptionRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[BakeOptionRef]", "read_as_root", 0))
            }
        }

        ///  One joint.
        ///
        /// Generated from these locations:
        /// * Table `Joint` in the file `bonebox.fbs:154`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Joint {
            ///  Unique, not empty.
            pub name: ::planus::alloc::string::String,
            ///  The glTF node that the joint came from.
            pub node: u32,
            ///  Index of an earlier joint; none for a root.
            pub parent: ::core::option::Option<u16>,
            ///  True if a skin uses the joint. Otherwise the joint only passes transforms on.
            pub skinned: bool,
            ///  `parent_from_joint` in the rest pose. A joint has either `trs` or `matrix`.
            pub trs: ::core::option::Option<self::Trs>,
            ///  `parent_from_joint` in the rest pose, which no clip animates.
            pub matrix: ::core::option::Option<self::Affine>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Joint {
            fn default() -> Self {
                Self {
                    name: ::core::default::Default::default(),
                    node: 0,
                    parent: ::core::default::Default::default(),
                    skinned: false,
                    trs: ::core::default::Default::default(),
                    matrix: ::core::default::Default::default(),
                }
            }
        }

        impl Joint {
            /// Creates a [JointBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> JointBuilder<()> {
                JointBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_node: impl ::planus::WriteAsDefault<u32, u32>,
                field_parent: impl ::planus::WriteAsOptional<u16>,
                field_skinned: impl ::planus::WriteAsDefault<bool, bool>,
                field_trs: impl ::planus::WriteAsOptional<self::Trs>,
                field_matrix: impl ::planus::WriteAsOptional<self::Affine>,
            ) -> ::planus::Offset<Self> {
                let prepared_name = field_name.prepare(builder);
                let prepared_node = field_node.prepare(builder, &0);
                let prepared_parent = field_parent.prepare(builder);
                let prepared_skinned = field_skinned.prepare(builder, &false);
                let prepared_trs = field_trs.prepare(builder);
                let prepared_matrix = field_matrix.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<16> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                if prepared_node.is_some() {
                    table_writer.write_entry::<u32>(1);
                }
                if prepared_trs.is_some() {
                    table_writer.write_entry::<self::Trs>(4);
                }
                if prepared_matrix.is_some() {
                    table_writer.write_entry::<self::Affine>(5);
                }
                if prepared_parent.is_some() {
                    table_writer.write_entry::<u16>(2);
                }
                if prepared_skinned.is_some() {
                    table_writer.write_entry::<bool>(3);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_name);
                        if let ::core::option::Option::Some(prepared_node) = prepared_node {
                            object_writer.write::<_, _, 4>(&prepared_node);
                        }
                        if let ::core::option::Option::Some(prepared_trs) = prepared_trs {
                            object_writer.write::<_, _, 40>(&prepared_trs);
                        }
                        if let ::core::option::Option::Some(prepared_matrix) = prepared_matrix {
                            object_writer.write::<_, _, 48>(&prepared_matrix);
                        }
                        if let ::core::option::Option::Some(prepared_parent) = prepared_parent {
                            object_writer.write::<_, _, 2>(&prepared_parent);
                        }
                        if let ::core::option::Option::Some(prepared_skinned) = prepared_skinned {
                            object_writer.write::<_, _, 1>(&prepared_skinned);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Joint>> for Joint {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Joint> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Joint>> for Joint {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Joint>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Joint> for Joint {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Joint> {
                Joint::create(builder, &self.name, self.node, self.parent, self.skinned, self.trs, self.matrix)
            }
        }

        /// Builder for serializing an instance of the [Joint] type.
        ///
        /// Can be created using the [Joint::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct JointBuilder<State>(State);

        impl JointBuilder<()> {
            /// Setter for the [`name` field](Joint#structfield.name).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn name<T0>(self, value: T0) -> JointBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                JointBuilder((value,))
            }
        }

        impl<T0> JointBuilder<(T0,)> {
            /// Setter for the [`node` field](Joint#structfield.node).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn node<T1>(self, value: T1) -> JointBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0,) = self.0;
                JointBuilder((v0, value))
            }

            /// Sets the [`node` field](Joint#structfield.node) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn node_as_default(self) -> JointBuilder<(T0, ::planus::DefaultValue)> {
                self.node(::planus::DefaultValue)
            }
        }

        impl<T0, T1> JointBuilder<(T0, T1)> {
            /// Setter for the [`parent` field](Joint#structfield.parent).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn parent<T2>(self, value: T2) -> JointBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsOptional<u16>,
            {
                let (v0, v1) = self.0;
                JointBuilder((v0, v1, value))
            }

            /// Sets the [`parent` field](Joint#structfield.parent) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn parent_as_null(self) -> JointBuilder<(T0, T1, ())> {
                self.parent(())
            }
        }

        impl<T0, T1, T2> JointBuilder<(T0, T1, T2)> {
            /// Setter for the [`skinned` field](Joint#structfield.skinned).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn skinned<T3>(self, value: T3) -> JointBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAsDefault<bool, bool>,
            {
                let (v0, v1, v2) = self.0;
                JointBuilder((v0, v1, v2, value))
            }

            /// Sets the [`skinned` field](Joint#structfield.skinned) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn skinned_as_default(self) -> JointBuilder<(T0, T1, T2, ::planus::DefaultValue)> {
                self.skinned(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3> JointBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`trs` field](Joint#structfield.trs).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn trs<T4>(self, value: T4) -> JointBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAsOptional<self::Trs>,
            {
                let (v0, v1, v2, v3) = self.0;
                JointBuilder((v0, v1, v2, v3, value))
            }

            /// Sets the [`trs` field](Joint#structfield.trs) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn trs_as_null(self) -> JointBuilder<(T0, T1, T2, T3, ())> {
                self.trs(())
            }
        }

        impl<T0, T1, T2, T3, T4> JointBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`matrix` field](Joint#structfield.matrix).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn matrix<T5>(self, value: T5) -> JointBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAsOptional<self::Affine>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                JointBuilder((v0, v1, v2, v3, v4, value))
            }

            /// Sets the [`matrix` field](Joint#structfield.matrix) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn matrix_as_null(self) -> JointBuilder<(T0, T1, T2, T3, T4, ())> {
                self.matrix(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5> JointBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Joint].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Joint>
            where
                Self: ::planus::WriteAsOffset<Joint>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsOptional<u16>,
            T3: ::planus::WriteAsDefault<bool, bool>,
            T4: ::planus::WriteAsOptional<self::Trs>,
            T5: ::planus::WriteAsOptional<self::Affine>,
        > ::planus::WriteAs<::planus::Offset<Joint>> for JointBuilder<(T0, T1, T2, T3, T4, T5)>
        {
            type Prepared = ::planus::Offset<Joint>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Joint> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsOptional<u16>,
            T3: ::planus::WriteAsDefault<bool, bool>,
            T4: ::planus::WriteAsOptional<self::Trs>,
            T5: ::planus::WriteAsOptional<self::Affine>,
        > ::planus::WriteAsOptional<::planus::Offset<Joint>> for JointBuilder<(T0, T1, T2, T3, T4, T5)>
        {
            type Prepared = ::planus::Offset<Joint>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Joint>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsOptional<u16>,
            T3: ::planus::WriteAsDefault<bool, bool>,
            T4: ::planus::WriteAsOptional<self::Trs>,
            T5: ::planus::WriteAsOptional<self::Affine>,
        > ::planus::WriteAsOffset<Joint> for JointBuilder<(T0, T1, T2, T3, T4, T5)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Joint> {
                let (v0, v1, v2, v3, v4, v5) = &self.0;
                Joint::create(builder, v0, v1, v2, v3, v4, v5)
            }
        }

        /// Reference to a deserialized [Joint].
        #[derive(Copy, Clone)]
        pub struct JointRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> JointRef<'a> {
            /// Getter for the [`name` field](Joint#structfield.name).
            #[inline]
            pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "Joint", "name")
            }

            /// Getter for the [`node` field](Joint#structfield.node).
            #[inline]
            pub fn node(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(1, "Joint", "node")?.unwrap_or(0))
            }

            /// Getter for the [`parent` field](Joint#structfield.parent).
            #[inline]
            pub fn parent(&self) -> ::planus::Result<::core::option::Option<u16>> {
                self.0.access(2, "Joint", "parent")
            }

            /// Getter for the [`skinned` field](Joint#structfield.skinned).
            #[inline]
            pub fn skinned(&self) -> ::planus::Result<bool> {
                ::core::result::Result::Ok(self.0.access(3, "Joint", "skinned")?.unwrap_or(false))
            }

            /// Getter for the [`trs` field](Joint#structfield.trs).
            #[inline]
            pub fn trs(&self) -> ::planus::Result<::core::option::Option<self::TrsRef<'a>>> {
                self.0.access(4, "Joint", "trs")
            }

            /// Getter for the [`matrix` field](Joint#structfield.matrix).
            #[inline]
            pub fn matrix(&self) -> ::planus::Result<::core::option::Option<self::AffineRef<'a>>> {
                self.0.access(5, "Joint", "matrix")
            }
        }

        impl<'a> ::core::fmt::Debug for JointRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("JointRef");
                f.field("name", &self.name());
                f.field("node", &self.node());
                if let ::core::option::Option::Some(field_parent) = self.parent().transpose() {
                    f.field("parent", &field_parent);
                }
                f.field("skinned", &self.skinned());
                if let ::core::option::Option::Some(field_trs) = self.trs().transpose() {
                    f.field("trs", &field_trs);
                }
                if let ::core::option::Option::Some(field_matrix) = self.matrix().transpose() {
                    f.field("matrix", &field_matrix);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<JointRef<'a>> for Joint {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: JointRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    name: ::core::convert::Into::into(value.name()?),
                    node: ::core::convert::TryInto::try_into(value.node()?)?,
                    parent: if let ::core::option::Option::Some(parent) = value.parent()? {
                        ::core::option::Option::Some(::core::convert::TryInto::try_into(parent)?)
                    } else {
                        ::core::option::Option::None
                    },
                    skinned: ::core::convert::TryInto::try_into(value.skinned()?)?,
                    trs: value.trs()?.map(::core::convert::Into::into),
                    matrix: value.matrix()?.map(::core::convert::Into::into),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for JointRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for JointRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset)
                    .map_err(|error_kind| error_kind.with_error_location("[JointRef]", "get", buffer.offset_from_start))
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Joint>> for Joint {
            type Value = ::planus::Offset<Joint>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Joint>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for JointRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[JointRef]", "read_as_root", 0))
            }
        }

        ///  A convex hull in joint space.
        ///
        /// Generated from these locations:
        /// * Table `Hull` in the file `bonebox.fbs:170`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Hull {
            ///  The corners, each a corner of the hull.
            pub vertices: ::planus::alloc::vec::Vec<self::Vec3>,
            ///  Three indices into `vertices` for each triangle, counter-clockwise seen from outside.
            pub triangles: ::planus::alloc::vec::Vec<u8>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Hull {
            fn default() -> Self {
                Self { vertices: ::core::default::Default::default(), triangles: ::core::default::Default::default() }
            }
        }

        impl Hull {
            /// Creates a [HullBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> HullBuilder<()> {
                HullBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_vertices: impl ::planus::WriteAs<::planus::Offset<[self::Vec3]>>,
                field_triangles: impl ::planus::WriteAs<::planus::Offset<[u8]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_vertices = field_vertices.prepare(builder);
                let prepared_triangles = field_triangles.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<[self::Vec3]>>(0);
                table_writer.write_entry::<::planus::Offset<[u8]>>(1);

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_vertices);
                        object_writer.write::<_, _, 4>(&prepared_triangles);
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Hull>> for Hull {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hull> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Hull>> for Hull {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Hull>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Hull> for Hull {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hull> {
                Hull::create(builder, &self.vertices, &self.triangles)
            }
        }

        /// Builder for serializing an instance of the [Hull] type.
        ///
        /// Can be created using the [Hull::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct HullBuilder<State>(State);

        impl HullBuilder<()> {
            /// Setter for the [`vertices` field](Hull#structfield.vertices).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn vertices<T0>(self, value: T0) -> HullBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<[self::Vec3]>>,
            {
                HullBuilder((value,))
            }
        }

        impl<T0> HullBuilder<(T0,)> {
            /// Setter for the [`triangles` field](Hull#structfield.triangles).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn triangles<T1>(self, value: T1) -> HullBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAs<::planus::Offset<[u8]>>,
            {
                let (v0,) = self.0;
                HullBuilder((v0, value))
            }
        }

        impl<T0, T1> HullBuilder<(T0, T1)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Hull].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hull>
            where
                Self: ::planus::WriteAsOffset<Hull>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<[self::Vec3]>>, T1: ::planus::WriteAs<::planus::Offset<[u8]>>>
            ::planus::WriteAs<::planus::Offset<Hull>> for HullBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<Hull>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hull> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<[self::Vec3]>>, T1: ::planus::WriteAs<::planus::Offset<[u8]>>>
            ::planus::WriteAsOptional<::planus::Offset<Hull>> for HullBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<Hull>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Hull>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<[self::Vec3]>>, T1: ::planus::WriteAs<::planus::Offset<[u8]>>>
            ::planus::WriteAsOffset<Hull> for HullBuilder<(T0, T1)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hull> {
                let (v0, v1) = &self.0;
                Hull::create(builder, v0, v1)
            }
        }

        /// Reference to a deserialized [Hull].
        #[derive(Copy, Clone)]
        pub struct HullRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> HullRef<'a> {
            /// Getter for the [`vertices` field](Hull#structfield.vertices).
            #[inline]
            pub fn vertices(&self) -> ::planus::Result<::planus::Vector<'a, self::Vec3Ref<'a>>> {
                self.0.access_required(0, "Hull", "vertices")
            }

            /// Getter for the [`triangles` field](Hull#structfield.triangles).
            #[inline]
            pub fn triangles(&self) -> ::planus::Result<&'a [u8]> {
                self.0.access_required(1, "Hull", "triangles")
            }
        }

        impl<'a> ::core::fmt::Debug for HullRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("HullRef");
                f.field("vertices", &self.vertices());
                f.field("triangles", &self.triangles());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<HullRef<'a>> for Hull {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: HullRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    vertices: value.vertices()?.to_vec()?,
                    triangles: value.triangles()?.to_vec(),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for HullRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for HullRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset)
                    .map_err(|error_kind| error_kind.with_error_location("[HullRef]", "get", buffer.offset_from_start))
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Hull>> for Hull {
            type Value = ::planus::Offset<Hull>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Hull>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for HullRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[HullRef]", "read_as_root", 0))
            }
        }

        ///  One hitbox in joint space.
        ///
        /// Generated from these locations:
        /// * Table `Box` in the file `bonebox.fbs:178`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Box {
            /// The field `joint` in the table `Box`
            pub joint: u16,
            ///  A reader must refuse a shape that this schema does not list.
            pub shape: self::Shape,
            ///  Sorted by bytes, no tag twice.
            pub tags: ::core::option::Option<::planus::alloc::vec::Vec<::planus::alloc::string::String>>,
            /// The field `center` in the table `Box`
            pub center: self::Vec3,
            ///  Along the box's own axes; not negative.
            pub half_extents: self::Vec3,
            ///  `joint_from_box`; unit length.
            pub orientation: self::Quat,
            ///  The number of vertices that the hitbox was fitted to.
            pub vertices: u32,
            ///  The number of corners of the convex hull of these vertices in the rest pose.
            pub hull_vertices: u32,
            ///  The volume of that hull. It does not depend on the clips.
            pub hull_volume: f32,
            ///  The volume of the box that `fit = min-volume` gives the same points, clips, thickness and margin.
            pub min_volume: ::core::option::Option<f32>,
            ///  Present if and only if the shape is Hull.
            pub hull: ::core::option::Option<::planus::alloc::boxed::Box<self::Hull>>,
            ///  Since version 1.2. A reader must refuse a role that this schema does not list.
            pub role: self::Role,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Box {
            fn default() -> Self {
                Self {
                    joint: 0,
                    shape: self::Shape::Box,
                    tags: ::core::default::Default::default(),
                    center: ::core::default::Default::default(),
                    half_extents: ::core::default::Default::default(),
                    orientation: ::core::default::Default::default(),
                    vertices: 0,
                    hull_vertices: 0,
                    hull_volume: 0.0,
                    min_volume: ::core::default::Default::default(),
                    hull: ::core::default::Default::default(),
                    role: self::Role::Hurt,
                }
            }
        }

        impl Box {
            /// Creates a [BoxBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> BoxBuilder<()> {
                BoxBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_joint: impl ::planus::WriteAsDefault<u16, u16>,
                field_shape: impl ::planus::WriteAsDefault<self::Shape, self::Shape>,
                field_tags: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
                field_center: impl ::planus::WriteAs<self::Vec3>,
                field_half_extents: impl ::planus::WriteAs<self::Vec3>,
                field_orientation: impl ::planus::WriteAs<self::Quat>,
                field_vertices: impl ::planus::WriteAsDefault<u32, u32>,
                field_hull_vertices: impl ::planus::WriteAsDefault<u32, u32>,
                field_hull_volume: impl ::planus::WriteAsDefault<f32, f32>,
                field_min_volume: impl ::planus::WriteAsOptional<f32>,
                field_hull: impl ::planus::WriteAsOptional<::planus::Offset<self::Hull>>,
                field_role: impl ::planus::WriteAsDefault<self::Role, self::Role>,
            ) -> ::planus::Offset<Self> {
                let prepared_joint = field_joint.prepare(builder, &0);
                let prepared_shape = field_shape.prepare(builder, &self::Shape::Box);
                let prepared_tags = field_tags.prepare(builder);
                let prepared_center = field_center.prepare(builder);
                let prepared_half_extents = field_half_extents.prepare(builder);
                let prepared_orientation = field_orientation.prepare(builder);
                let prepared_vertices = field_vertices.prepare(builder, &0);
                let prepared_hull_vertices = field_hull_vertices.prepare(builder, &0);
                let prepared_hull_volume = field_hull_volume.prepare(builder, &0.0);
                let prepared_min_volume = field_min_volume.prepare(builder);
                let prepared_hull = field_hull.prepare(builder);
                let prepared_role = field_role.prepare(builder, &self::Role::Hurt);

                let mut table_writer: ::planus::table_writer::TableWriter<28> = ::core::default::Default::default();
                if prepared_tags.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<str>]>>(2);
                }
                table_writer.write_entry::<self::Vec3>(3);
                table_writer.write_entry::<self::Vec3>(4);
                table_writer.write_entry::<self::Quat>(5);
                if prepared_vertices.is_some() {
                    table_writer.write_entry::<u32>(6);
                }
                if prepared_hull_vertices.is_some() {
                    table_writer.write_entry::<u32>(7);
                }
                if prepared_hull_volume.is_some() {
                    table_writer.write_entry::<f32>(8);
                }
                if prepared_min_volume.is_some() {
                    table_writer.write_entry::<f32>(9);
                }
                if prepared_hull.is_some() {
                    table_writer.write_entry::<::planus::Offset<self::Hull>>(10);
                }
                if prepared_joint.is_some() {
                    table_writer.write_entry::<u16>(0);
                }
                if prepared_shape.is_some() {
                    table_writer.write_entry::<self::Shape>(1);
                }
                if prepared_role.is_some() {
                    table_writer.write_entry::<self::Role>(11);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        if let ::core::option::Option::Some(prepared_tags) = prepared_tags {
                            object_writer.write::<_, _, 4>(&prepared_tags);
                        }
                        object_writer.write::<_, _, 12>(&prepared_center);
                        object_writer.write::<_, _, 12>(&prepared_half_extents);
                        object_writer.write::<_, _, 16>(&prepared_orientation);
                        if let ::core::option::Option::Some(prepared_vertices) = prepared_vertices {
                            object_writer.write::<_, _, 4>(&prepared_vertices);
                        }
                        if let ::core::option::Option::Some(prepared_hull_vertices) = prepared_hull_vertices {
                            object_writer.write::<_, _, 4>(&prepared_hull_vertices);
                        }
                        if let ::core::option::Option::Some(prepared_hull_volume) = prepared_hull_volume {
                            object_writer.write::<_, _, 4>(&prepared_hull_volume);
                        }
                        if let ::core::option::Option::Some(prepared_min_volume) = prepared_min_volume {
                            object_writer.write::<_, _, 4>(&prepared_min_volume);
                        }
                        if let ::core::option::Option::Some(prepared_hull) = prepared_hull {
                            object_writer.write::<_, _, 4>(&prepared_hull);
                        }
                        if let ::core::option::Option::Some(prepared_joint) = prepared_joint {
                            object_writer.write::<_, _, 2>(&prepared_joint);
                        }
                        if let ::core::option::Option::Some(prepared_shape) = prepared_shape {
                            object_writer.write::<_, _, 1>(&prepared_shape);
                        }
                        if let ::core::option::Option::Some(prepared_role) = prepared_role {
                            object_writer.write::<_, _, 1>(&prepared_role);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Box>> for Box {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Box> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Box>> for Box {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Box>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Box> for Box {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Box> {
                Box::create(
                    builder,
                    self.joint,
                    self.shape,
                    &self.tags,
                    self.center,
                    self.half_extents,
                    self.orientation,
                    self.vertices,
                    self.hull_vertices,
                    self.hull_volume,
                    self.min_volume,
                    &self.hull,
                    self.role,
                )
            }
        }

        /// Builder for serializing an instance of the [Box] type.
        ///
        /// Can be created using the [Box::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct BoxBuilder<State>(State);

        impl BoxBuilder<()> {
            /// Setter for the [`joint` field](Box#structfield.joint).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint<T0>(self, value: T0) -> BoxBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<u16, u16>,
            {
                BoxBuilder((value,))
            }

            /// Sets the [`joint` field](Box#structfield.joint) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint_as_default(self) -> BoxBuilder<(::planus::DefaultValue,)> {
                self.joint(::planus::DefaultValue)
            }
        }

        impl<T0> BoxBuilder<(T0,)> {
            /// Setter for the [`shape` field](Box#structfield.shape).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn shape<T1>(self, value: T1) -> BoxBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<self::Shape, self::Shape>,
            {
                let (v0,) = self.0;
                BoxBuilder((v0, value))
            }

            /// Sets the [`shape` field](Box#structfield.shape) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn shape_as_default(self) -> BoxBuilder<(T0, ::planus::DefaultValue)> {
                self.shape(::planus::DefaultValue)
            }
        }

        impl<T0, T1> BoxBuilder<(T0, T1)> {
            /// Setter for the [`tags` field](Box#structfield.tags).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn tags<T2>(self, value: T2) -> BoxBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            {
                let (v0, v1) = self.0;
                BoxBuilder((v0, v1, value))
            }

            /// Sets the [`tags` field](Box#structfield.tags) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn tags_as_null(self) -> BoxBuilder<(T0, T1, ())> {
                self.tags(())
            }
        }

        impl<T0, T1, T2> BoxBuilder<(T0, T1, T2)> {
            /// Setter for the [`center` field](Box#structfield.center).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn center<T3>(self, value: T3) -> BoxBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAs<self::Vec3>,
            {
                let (v0, v1, v2) = self.0;
                BoxBuilder((v0, v1, v2, value))
            }
        }

        impl<T0, T1, T2, T3> BoxBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`half_extents` field](Box#structfield.half_extents).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn half_extents<T4>(self, value: T4) -> BoxBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAs<self::Vec3>,
            {
                let (v0, v1, v2, v3) = self.0;
                BoxBuilder((v0, v1, v2, v3, value))
            }
        }

        impl<T0, T1, T2, T3, T4> BoxBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`orientation` field](Box#structfield.orientation).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn orientation<T5>(self, value: T5) -> BoxBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAs<self::Quat>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                BoxBuilder((v0, v1, v2, v3, v4, value))
            }
        }

        impl<T0, T1, T2, T3, T4, T5> BoxBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Setter for the [`vertices` field](Box#structfield.vertices).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn vertices<T6>(self, value: T6) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6)>
            where
                T6: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0, v1, v2, v3, v4, v5) = self.0;
                BoxBuilder((v0, v1, v2, v3, v4, v5, value))
            }

            /// Sets the [`vertices` field](Box#structfield.vertices) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn vertices_as_default(self) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, ::planus::DefaultValue)> {
                self.vertices(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
            /// Setter for the [`hull_vertices` field](Box#structfield.hull_vertices).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn hull_vertices<T7>(self, value: T7) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
            where
                T7: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0, v1, v2, v3, v4, v5, v6) = self.0;
                BoxBuilder((v0, v1, v2, v3, v4, v5, v6, value))
            }

            /// Sets the [`hull_vertices` field](Box#structfield.hull_vertices) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn hull_vertices_as_default(self) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, ::planus::DefaultValue)> {
                self.hull_vertices(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
            /// Setter for the [`hull_volume` field](Box#structfield.hull_volume).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn hull_volume<T8>(self, value: T8) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
            where
                T8: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7) = self.0;
                BoxBuilder((v0, v1, v2, v3, v4, v5, v6, v7, value))
            }

            /// Sets the [`hull_volume` field](Box#structfield.hull_volume) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn hull_volume_as_default(
                self,
            ) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, ::planus::DefaultValue)> {
                self.hull_volume(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)> {
            /// Setter for the [`min_volume` field](Box#structfield.min_volume).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn min_volume<T9>(self, value: T9) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
            where
                T9: ::planus::WriteAsOptional<f32>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8) = self.0;
                BoxBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, value))
            }

            /// Sets the [`min_volume` field](Box#structfield.min_volume) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn min_volume_as_null(self) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, ())> {
                self.min_volume(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)> {
            /// Setter for the [`hull` field](Box#structfield.hull).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn hull<T10>(self, value: T10) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
            where
                T10: ::planus::WriteAsOptional<::planus::Offset<self::Hull>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9) = self.0;
                BoxBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, value))
            }

            /// Sets the [`hull` field](Box#structfield.hull) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn hull_as_null(self) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, ())> {
                self.hull(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)> {
            /// Setter for the [`role` field](Box#structfield.role).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn role<T11>(self, value: T11) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
            where
                T11: ::planus::WriteAsDefault<self::Role, self::Role>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10) = self.0;
                BoxBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, value))
            }

            /// Sets the [`role` field](Box#structfield.role) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn role_as_default(
                self,
            ) -> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, ::planus::DefaultValue)> {
                self.role(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Box].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Box>
            where
                Self: ::planus::WriteAsOffset<Box>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsDefault<self::Shape, self::Shape>,
            T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            T3: ::planus::WriteAs<self::Vec3>,
            T4: ::planus::WriteAs<self::Vec3>,
            T5: ::planus::WriteAs<self::Quat>,
            T6: ::planus::WriteAsDefault<u32, u32>,
            T7: ::planus::WriteAsDefault<u32, u32>,
            T8: ::planus::WriteAsDefault<f32, f32>,
            T9: ::planus::WriteAsOptional<f32>,
            T10: ::planus::WriteAsOptional<::planus::Offset<self::Hull>>,
            T11: ::planus::WriteAsDefault<self::Role, self::Role>,
        > ::planus::WriteAs<::planus::Offset<Box>> for BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
        {
            type Prepared = ::planus::Offset<Box>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Box> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsDefault<self::Shape, self::Shape>,
            T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            T3: ::planus::WriteAs<self::Vec3>,
            T4: ::planus::WriteAs<self::Vec3>,
            T5: ::planus::WriteAs<self::Quat>,
            T6: ::planus::WriteAsDefault<u32, u32>,
            T7: ::planus::WriteAsDefault<u32, u32>,
            T8: ::planus::WriteAsDefault<f32, f32>,
            T9: ::planus::WriteAsOptional<f32>,
            T10: ::planus::WriteAsOptional<::planus::Offset<self::Hull>>,
            T11: ::planus::WriteAsDefault<self::Role, self::Role>,
        > ::planus::WriteAsOptional<::planus::Offset<Box>>
            for BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
        {
            type Prepared = ::planus::Offset<Box>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Box>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsDefault<self::Shape, self::Shape>,
            T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            T3: ::planus::WriteAs<self::Vec3>,
            T4: ::planus::WriteAs<self::Vec3>,
            T5: ::planus::WriteAs<self::Quat>,
            T6: ::planus::WriteAsDefault<u32, u32>,
            T7: ::planus::WriteAsDefault<u32, u32>,
            T8: ::planus::WriteAsDefault<f32, f32>,
            T9: ::planus::WriteAsOptional<f32>,
            T10: ::planus::WriteAsOptional<::planus::Offset<self::Hull>>,
            T11: ::planus::WriteAsDefault<self::Role, self::Role>,
        > ::planus::WriteAsOffset<Box> for BoxBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Box> {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11) = &self.0;
                Box::create(builder, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11)
            }
        }

        /// Reference to a deserialized [Box].
        #[derive(Copy, Clone)]
        pub struct BoxRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> BoxRef<'a> {
            /// Getter for the [`joint` field](Box#structfield.joint).
            #[inline]
            pub fn joint(&self) -> ::planus::Result<u16> {
                ::core::result::Result::Ok(self.0.access(0, "Box", "joint")?.unwrap_or(0))
            }

            /// Getter for the [`shape` field](Box#structfield.shape).
            #[inline]
            pub fn shape(&self) -> ::planus::Result<self::Shape> {
                ::core::result::Result::Ok(self.0.access(1, "Box", "shape")?.unwrap_or(self::Shape::Box))
            }

            /// Getter for the [`tags` field](Box#structfield.tags).
            #[inline]
            pub fn tags(
                &self,
            ) -> ::planus::Result<
                ::core::option::Option<::planus::Vector<'a, ::planus::Result<&'a ::core::primitive::str>>>,
            > {
                self.0.access(2, "Box", "tags")
            }

            /// Getter for the [`center` field](Box#structfield.center).
            #[inline]
            pub fn center(&self) -> ::planus::Result<self::Vec3Ref<'a>> {
                self.0.access_required(3, "Box", "center")
            }

            /// Getter for the [`half_extents` field](Box#structfield.half_extents).
            #[inline]
            pub fn half_extents(&self) -> ::planus::Result<self::Vec3Ref<'a>> {
                self.0.access_required(4, "Box", "half_extents")
            }

            /// Getter for the [`orientation` field](Box#structfield.orientation).
            #[inline]
            pub fn orientation(&self) -> ::planus::Result<self::QuatRef<'a>> {
                self.0.access_required(5, "Box", "orientation")
            }

            /// Getter for the [`vertices` field](Box#structfield.vertices).
            #[inline]
            pub fn vertices(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(6, "Box", "vertices")?.unwrap_or(0))
            }

            /// Getter for the [`hull_vertices` field](Box#structfield.hull_vertices).
            #[inline]
            pub fn hull_vertices(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(7, "Box", "hull_vertices")?.unwrap_or(0))
            }

            /// Getter for the [`hull_volume` field](Box#structfield.hull_volume).
            #[inline]
            pub fn hull_volume(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(8, "Box", "hull_volume")?.unwrap_or(0.0))
            }

            /// Getter for the [`min_volume` field](Box#structfield.min_volume).
            #[inline]
            pub fn min_volume(&self) -> ::planus::Result<::core::option::Option<f32>> {
                self.0.access(9, "Box", "min_volume")
            }

            /// Getter for the [`hull` field](Box#structfield.hull).
            #[inline]
            pub fn hull(&self) -> ::planus::Result<::core::option::Option<self::HullRef<'a>>> {
                self.0.access(10, "Box", "hull")
            }

            /// Getter for the [`role` field](Box#structfield.role).
            #[inline]
            pub fn role(&self) -> ::planus::Result<self::Role> {
                ::core::result::Result::Ok(self.0.access(11, "Box", "role")?.unwrap_or(self::Role::Hurt))
            }
        }

        impl<'a> ::core::fmt::Debug for BoxRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("BoxRef");
                f.field("joint", &self.joint());
                f.field("shape", &self.shape());
                if let ::core::option::Option::Some(field_tags) = self.tags().transpose() {
                    f.field("tags", &field_tags);
                }
                f.field("center", &self.center());
                f.field("half_extents", &self.half_extents());
                f.field("orientation", &self.orientation());
                f.field("vertices", &self.vertices());
                f.field("hull_vertices", &self.hull_vertices());
                f.field("hull_volume", &self.hull_volume());
                if let ::core::option::Option::Some(field_min_volume) = self.min_volume().transpose() {
                    f.field("min_volume", &field_min_volume);
                }
                if let ::core::option::Option::Some(field_hull) = self.hull().transpose() {
                    f.field("hull", &field_hull);
                }
                f.field("role", &self.role());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<BoxRef<'a>> for Box {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: BoxRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    joint: ::core::convert::TryInto::try_into(value.joint()?)?,
                    shape: ::core::convert::TryInto::try_into(value.shape()?)?,
                    tags: if let ::core::option::Option::Some(tags) = value.tags()? {
                        ::core::option::Option::Some(tags.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    center: ::core::convert::Into::into(value.center()?),
                    half_extents: ::core::convert::Into::into(value.half_extents()?),
                    orientation: ::core::convert::Into::into(value.orientation()?),
                    vertices: ::core::convert::TryInto::try_into(value.vertices()?)?,
                    hull_vertices: ::core::convert::TryInto::try_into(value.hull_vertices()?)?,
                    hull_volume: ::core::convert::TryInto::try_into(value.hull_volume()?)?,
                    min_volume: if let ::core::option::Option::Some(min_volume) = value.min_volume()? {
                        ::core::option::Option::Some(::core::convert::TryInto::try_into(min_volume)?)
                    } else {
                        ::core::option::Option::None
                    },
                    hull: if let ::core::option::Option::Some(hull) = value.hull()? {
                        ::core::option::Option::Some(::planus::alloc::boxed::Box::new(
                            ::core::convert::TryInto::try_into(hull)?,
                        ))
                    } else {
                        ::core::option::Option::None
                    },
                    role: ::core::convert::TryInto::try_into(value.role()?)?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for BoxRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for BoxRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset)
                    .map_err(|error_kind| error_kind.with_error_location("[BoxRef]", "get", buffer.offset_from_start))
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Box>> for Box {
            type Value = ::planus::Offset<Box>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Box>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for BoxRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[BoxRef]", "read_as_root", 0))
            }
        }

        ///  Key times in seconds, strictly increasing, at least one.
        ///
        /// Generated from these locations:
        /// * Table `Timeline` in the file `bonebox.fbs:204`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Timeline {
            /// The field `times` in the table `Timeline`
            pub times: ::planus::alloc::vec::Vec<f32>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Timeline {
            fn default() -> Self {
                Self { times: ::core::default::Default::default() }
            }
        }

        impl Timeline {
            /// Creates a [TimelineBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> TimelineBuilder<()> {
                TimelineBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_times: impl ::planus::WriteAs<::planus::Offset<[f32]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_times = field_times.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<6> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<[f32]>>(0);

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_times);
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Timeline>> for Timeline {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Timeline> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Timeline>> for Timeline {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Timeline>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Timeline> for Timeline {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Timeline> {
                Timeline::create(builder, &self.times)
            }
        }

        /// Builder for serializing an instance of the [Timeline] type.
        ///
        /// Can be created using the [Timeline::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct TimelineBuilder<State>(State);

        impl TimelineBuilder<()> {
            /// Setter for the [`times` field](Timeline#structfield.times).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn times<T0>(self, value: T0) -> TimelineBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<[f32]>>,
            {
                TimelineBuilder((value,))
            }
        }

        impl<T0> TimelineBuilder<(T0,)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Timeline].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Timeline>
            where
                Self: ::planus::WriteAsOffset<Timeline>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<[f32]>>> ::planus::WriteAs<::planus::Offset<Timeline>>
            for TimelineBuilder<(T0,)>
        {
            type Prepared = ::planus::Offset<Timeline>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Timeline> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<[f32]>>> ::planus::WriteAsOptional<::planus::Offset<Timeline>>
            for TimelineBuilder<(T0,)>
        {
            type Prepared = ::planus::Offset<Timeline>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Timeline>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<T0: ::planus::WriteAs<::planus::Offset<[f32]>>> ::planus::WriteAsOffset<Timeline> for TimelineBuilder<(T0,)> {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Timeline> {
                let (v0,) = &self.0;
                Timeline::create(builder, v0)
            }
        }

        /// Reference to a deserialized [Timeline].
        #[derive(Copy, Clone)]
        pub struct TimelineRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> TimelineRef<'a> {
            /// Getter for the [`times` field](Timeline#structfield.times).
            #[inline]
            pub fn times(&self) -> ::planus::Result<::planus::Vector<'a, f32>> {
                self.0.access_required(0, "Timeline", "times")
            }
        }

        impl<'a> ::core::fmt::Debug for TimelineRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("TimelineRef");
                f.field("times", &self.times());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<TimelineRef<'a>> for Timeline {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: TimelineRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self { times: value.times()?.to_vec()? })
            }
        }

        impl<'a> ::planus::TableRead<'a> for TimelineRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for TimelineRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[TimelineRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Timeline>> for Timeline {
            type Value = ::planus::Offset<Timeline>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Timeline>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for TimelineRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[TimelineRef]", "read_as_root", 0))
            }
        }

        ///  One animation.
        ///
        /// Generated from these locations:
        /// * Table `Clip` in the file `bonebox.fbs:209`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Clip {
            ///  Unique, not empty.
            pub name: ::planus::alloc::string::String,
            /// The field `timelines` in the table `Clip`
            pub timelines: ::core::option::Option<::planus::alloc::vec::Vec<self::Timeline>>,
            ///  The number of channels. A channel is one property of one joint over time.
            pub channels: u32,
            ///  The channels, sorted by joint and property, no pair twice. FORMAT.md describes this stream of bytes.
            pub channel_data: ::core::option::Option<::planus::alloc::vec::Vec<u8>>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Clip {
            fn default() -> Self {
                Self {
                    name: ::core::default::Default::default(),
                    timelines: ::core::default::Default::default(),
                    channels: 0,
                    channel_data: ::core::default::Default::default(),
                }
            }
        }

        impl Clip {
            /// Creates a [ClipBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> ClipBuilder<()> {
                ClipBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_timelines: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Timeline>]>>,
                field_channels: impl ::planus::WriteAsDefault<u32, u32>,
                field_channel_data: impl ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_name = field_name.prepare(builder);
                let prepared_timelines = field_timelines.prepare(builder);
                let prepared_channels = field_channels.prepare(builder, &0);
                let prepared_channel_data = field_channel_data.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<12> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                if prepared_timelines.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Timeline>]>>(1);
                }
                if prepared_channels.is_some() {
                    table_writer.write_entry::<u32>(2);
                }
                if prepared_channel_data.is_some() {
                    table_writer.write_entry::<::planus::Offset<[u8]>>(3);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_name);
                        if let ::core::option::Option::Some(prepared_timelines) = prepared_timelines {
                            object_writer.write::<_, _, 4>(&prepared_timelines);
                        }
                        if let ::core::option::Option::Some(prepared_channels) = prepared_channels {
                            object_writer.write::<_, _, 4>(&prepared_channels);
                        }
                        if let ::core::option::Option::Some(prepared_channel_data) = prepared_channel_data {
                            object_writer.write::<_, _, 4>(&prepared_channel_data);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Clip>> for Clip {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Clip> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Clip>> for Clip {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Clip>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Clip> for Clip {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Clip> {
                Clip::create(builder, &self.name, &self.timelines, self.channels, &self.channel_data)
            }
        }

        /// Builder for serializing an instance of the [Clip] type.
        ///
        /// Can be created using the [Clip::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct ClipBuilder<State>(State);

        impl ClipBuilder<()> {
            /// Setter for the [`name` field](Clip#structfield.name).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn name<T0>(self, value: T0) -> ClipBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                ClipBuilder((value,))
            }
        }

        impl<T0> ClipBuilder<(T0,)> {
            /// Setter for the [`timelines` field](Clip#structfield.timelines).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn timelines<T1>(self, value: T1) -> ClipBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Timeline>]>>,
            {
                let (v0,) = self.0;
                ClipBuilder((v0, value))
            }

            /// Sets the [`timelines` field](Clip#structfield.timelines) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn timelines_as_null(self) -> ClipBuilder<(T0, ())> {
                self.timelines(())
            }
        }

        impl<T0, T1> ClipBuilder<(T0, T1)> {
            /// Setter for the [`channels` field](Clip#structfield.channels).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn channels<T2>(self, value: T2) -> ClipBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0, v1) = self.0;
                ClipBuilder((v0, v1, value))
            }

            /// Sets the [`channels` field](Clip#structfield.channels) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn channels_as_default(self) -> ClipBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.channels(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> ClipBuilder<(T0, T1, T2)> {
            /// Setter for the [`channel_data` field](Clip#structfield.channel_data).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn channel_data<T3>(self, value: T3) -> ClipBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            {
                let (v0, v1, v2) = self.0;
                ClipBuilder((v0, v1, v2, value))
            }

            /// Sets the [`channel_data` field](Clip#structfield.channel_data) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn channel_data_as_null(self) -> ClipBuilder<(T0, T1, T2, ())> {
                self.channel_data(())
            }
        }

        impl<T0, T1, T2, T3> ClipBuilder<(T0, T1, T2, T3)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Clip].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Clip>
            where
                Self: ::planus::WriteAsOffset<Clip>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Timeline>]>>,
            T2: ::planus::WriteAsDefault<u32, u32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
        > ::planus::WriteAs<::planus::Offset<Clip>> for ClipBuilder<(T0, T1, T2, T3)>
        {
            type Prepared = ::planus::Offset<Clip>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Clip> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Timeline>]>>,
            T2: ::planus::WriteAsDefault<u32, u32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Clip>> for ClipBuilder<(T0, T1, T2, T3)>
        {
            type Prepared = ::planus::Offset<Clip>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Clip>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Timeline>]>>,
            T2: ::planus::WriteAsDefault<u32, u32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
        > ::planus::WriteAsOffset<Clip> for ClipBuilder<(T0, T1, T2, T3)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Clip> {
                let (v0, v1, v2, v3) = &self.0;
                Clip::create(builder, v0, v1, v2, v3)
            }
        }

        /// Reference to a deserialized [Clip].
        #[derive(Copy, Clone)]
        pub struct ClipRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> ClipRef<'a> {
            /// Getter for the [`name` field](Clip#structfield.name).
            #[inline]
            pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "Clip", "name")
            }

            /// Getter for the [`timelines` field](Clip#structfield.timelines).
            #[inline]
            pub fn timelines(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::TimelineRef<'a>>>>>
            {
                self.0.access(1, "Clip", "timelines")
            }

            /// Getter for the [`channels` field](Clip#structfield.channels).
            #[inline]
            pub fn channels(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(2, "Clip", "channels")?.unwrap_or(0))
            }

            /// Getter for the [`channel_data` field](Clip#structfield.channel_data).
            #[inline]
            pub fn channel_data(&self) -> ::planus::Result<::core::option::Option<&'a [u8]>> {
                self.0.access(3, "Clip", "channel_data")
            }
        }

        impl<'a> ::core::fmt::Debug for ClipRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("ClipRef");
                f.field("name", &self.name());
                if let ::core::option::Option::Some(field_timelines) = self.timelines().transpose() {
                    f.field("timelines", &field_timelines);
                }
                f.field("channels", &self.channels());
                if let ::core::option::Option::Some(field_channel_data) = self.channel_data().transpose() {
                    f.field("channel_data", &field_channel_data);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<ClipRef<'a>> for Clip {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: ClipRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    name: ::core::convert::Into::into(value.name()?),
                    timelines: if let ::core::option::Option::Some(timelines) = value.timelines()? {
                        ::core::option::Option::Some(timelines.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    channels: ::core::convert::TryInto::try_into(value.channels()?)?,
                    channel_data: value.channel_data()?.map(|v| v.to_vec()),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for ClipRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for ClipRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset)
                    .map_err(|error_kind| error_kind.with_error_location("[ClipRef]", "get", buffer.offset_from_start))
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Clip>> for Clip {
            type Value = ::planus::Offset<Clip>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Clip>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for ClipRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[ClipRef]", "read_as_root", 0))
            }
        }

        ///  The joint and the time at which the surface is farthest from every box.
        ///
        /// Generated from these locations:
        /// * Table `WorstEscape` in the file `bonebox.fbs:220`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct WorstEscape {
            /// The field `joint` in the table `WorstEscape`
            pub joint: u16,
            ///  Index into Character.clips; none in the rest pose.
            pub clip: ::core::option::Option<u32>,
            ///  In seconds.
            pub time: f32,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for WorstEscape {
            fn default() -> Self {
                Self { joint: 0, clip: ::core::default::Default::default(), time: 0.0 }
            }
        }

        impl WorstEscape {
            /// Creates a [WorstEscapeBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> WorstEscapeBuilder<()> {
                WorstEscapeBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_joint: impl ::planus::WriteAsDefault<u16, u16>,
                field_clip: impl ::planus::WriteAsOptional<u32>,
                field_time: impl ::planus::WriteAsDefault<f32, f32>,
            ) -> ::planus::Offset<Self> {
                let prepared_joint = field_joint.prepare(builder, &0);
                let prepared_clip = field_clip.prepare(builder);
                let prepared_time = field_time.prepare(builder, &0.0);

                let mut table_writer: ::planus::table_writer::TableWriter<10> = ::core::default::Default::default();
                if prepared_clip.is_some() {
                    table_writer.write_entry::<u32>(1);
                }
                if prepared_time.is_some() {
                    table_writer.write_entry::<f32>(2);
                }
                if prepared_joint.is_some() {
                    table_writer.write_entry::<u16>(0);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        if let ::core::option::Option::Some(prepared_clip) = prepared_clip {
                            object_writer.write::<_, _, 4>(&prepared_clip);
                        }
                        if let ::core::option::Option::Some(prepared_time) = prepared_time {
                            object_writer.write::<_, _, 4>(&prepared_time);
                        }
                        if let ::core::option::Option::Some(prepared_joint) = prepared_joint {
                            object_writer.write::<_, _, 2>(&prepared_joint);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<WorstEscape>> for WorstEscape {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<WorstEscape> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<WorstEscape>> for WorstEscape {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<WorstEscape>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<WorstEscape> for WorstEscape {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<WorstEscape> {
                WorstEscape::create(builder, self.joint, self.clip, self.time)
            }
        }

        /// Builder for serializing an instance of the [WorstEscape] type.
        ///
        /// Can be created using the [WorstEscape::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct WorstEscapeBuilder<State>(State);

        impl WorstEscapeBuilder<()> {
            /// Setter for the [`joint` field](WorstEscape#structfield.joint).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint<T0>(self, value: T0) -> WorstEscapeBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<u16, u16>,
            {
                WorstEscapeBuilder((value,))
            }

            /// Sets the [`joint` field](WorstEscape#structfield.joint) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint_as_default(self) -> WorstEscapeBuilder<(::planus::DefaultValue,)> {
                self.joint(::planus::DefaultValue)
            }
        }

        impl<T0> WorstEscapeBuilder<(T0,)> {
            /// Setter for the [`clip` field](WorstEscape#structfield.clip).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clip<T1>(self, value: T1) -> WorstEscapeBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsOptional<u32>,
            {
                let (v0,) = self.0;
                WorstEscapeBuilder((v0, value))
            }

            /// Sets the [`clip` field](WorstEscape#structfield.clip) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clip_as_null(self) -> WorstEscapeBuilder<(T0, ())> {
                self.clip(())
            }
        }

        impl<T0, T1> WorstEscapeBuilder<(T0, T1)> {
            /// Setter for the [`time` field](WorstEscape#structfield.time).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn time<T2>(self, value: T2) -> WorstEscapeBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1) = self.0;
                WorstEscapeBuilder((v0, v1, value))
            }

            /// Sets the [`time` field](WorstEscape#structfield.time) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn time_as_default(self) -> WorstEscapeBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.time(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> WorstEscapeBuilder<(T0, T1, T2)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [WorstEscape].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<WorstEscape>
            where
                Self: ::planus::WriteAsOffset<WorstEscape>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsOptional<u32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
        > ::planus::WriteAs<::planus::Offset<WorstEscape>> for WorstEscapeBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<WorstEscape>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<WorstEscape> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsOptional<u32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
        > ::planus::WriteAsOptional<::planus::Offset<WorstEscape>> for WorstEscapeBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<WorstEscape>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<WorstEscape>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsOptional<u32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
        > ::planus::WriteAsOffset<WorstEscape> for WorstEscapeBuilder<(T0, T1, T2)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<WorstEscape> {
                let (v0, v1, v2) = &self.0;
                WorstEscape::create(builder, v0, v1, v2)
            }
        }

        /// Reference to a deserialized [WorstEscape].
        #[derive(Copy, Clone)]
        pub struct WorstEscapeRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> WorstEscapeRef<'a> {
            /// Getter for the [`joint` field](WorstEscape#structfield.joint).
            #[inline]
            pub fn joint(&self) -> ::planus::Result<u16> {
                ::core::result::Result::Ok(self.0.access(0, "WorstEscape", "joint")?.unwrap_or(0))
            }

            /// Getter for the [`clip` field](WorstEscape#structfield.clip).
            #[inline]
            pub fn clip(&self) -> ::planus::Result<::core::option::Option<u32>> {
                self.0.access(1, "WorstEscape", "clip")
            }

            /// Getter for the [`time` field](WorstEscape#structfield.time).
            #[inline]
            pub fn time(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(2, "WorstEscape", "time")?.unwrap_or(0.0))
            }
        }

        impl<'a> ::core::fmt::Debug for WorstEscapeRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("WorstEscapeRef");
                f.field("joint", &self.joint());
                if let ::core::option::Option::Some(field_clip) = self.clip().transpose() {
                    f.field("clip", &field_clip);
                }
                f.field("time", &self.time());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<WorstEscapeRef<'a>> for WorstEscape {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: WorstEscapeRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    joint: ::core::convert::TryInto::try_into(value.joint()?)?,
                    clip: if let ::core::option::Option::Some(clip) = value.clip()? {
                        ::core::option::Option::Some(::core::convert::TryInto::try_into(clip)?)
                    } else {
                        ::core::option::Option::None
                    },
                    time: ::core::convert::TryInto::try_into(value.time()?)?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for WorstEscapeRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for WorstEscapeRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[WorstEscapeRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<WorstEscape>> for WorstEscape {
            type Value = ::planus::Offset<WorstEscape>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<WorstEscape>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for WorstEscapeRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[WorstEscapeRef]", "read_as_root", 0))
            }
        }

        ///  The part of the surface that the boxes hold.
        ///
        /// Generated from these locations:
        /// * Table `Coverage` in the file `bonebox.fbs:229`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Coverage {
            ///  Share of the surface's area inside any box at rest, 0 to 1.
            pub surface_rest: f32,
            ///  The average of that share over poses that are evenly spread over all clips.
            pub surface_clips: f32,
            ///  The largest distance of any part of the surface from the nearest box, as a share of the character's height: in the rest
            ///  pose, at the sample rate, and at every key of all clips.
            pub max_escape: f32,
            /// The field `worst` in the table `Coverage`
            pub worst: ::core::option::Option<::planus::alloc::boxed::Box<self::WorstEscape>>,
            ///  Share of the surface's area inside a box of its own joint at rest, 0 to 1.
            pub own_rest: f32,
            ///  The average of that share over the same poses as surface_clips.
            pub own_clips: f32,
            ///  False if the clips have too many sample times to look at each. Then max_escape is the least that the escape can be.
            pub every_sample_time: bool,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Coverage {
            fn default() -> Self {
                Self {
                    surface_rest: 0.0,
                    surface_clips: 0.0,
                    max_escape: 0.0,
                    worst: ::core::default::Default::default(),
                    own_rest: 0.0,
                    own_clips: 0.0,
                    every_sample_time: true,
                }
            }
        }

        impl Coverage {
            /// Creates a [CoverageBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> CoverageBuilder<()> {
                CoverageBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_surface_rest: impl ::planus::WriteAsDefault<f32, f32>,
                field_surface_clips: impl ::planus::WriteAsDefault<f32, f32>,
                field_max_escape: impl ::planus::WriteAsDefault<f32, f32>,
                field_worst: impl ::planus::WriteAsOptional<::planus::Offset<self::WorstEscape>>,
                field_own_rest: impl ::planus::WriteAsDefault<f32, f32>,
                field_own_clips: impl ::planus::WriteAsDefault<f32, f32>,
                field_every_sample_time: impl ::planus::WriteAsDefault<bool, bool>,
            ) -> ::planus::Offset<Self> {
                let prepared_surface_rest = field_surface_rest.prepare(builder, &0.0);
                let prepared_surface_clips = field_surface_clips.prepare(builder, &0.0);
                let prepared_max_escape = field_max_escape.prepare(builder, &0.0);
                let prepared_worst = field_worst.prepare(builder);
                let prepared_own_rest = field_own_rest.prepare(builder, &0.0);
                let prepared_own_clips = field_own_clips.prepare(builder, &0.0);
                let prepared_every_sample_time = field_every_sample_time.prepare(builder, &true);

                let mut table_writer: ::planus::table_writer::TableWriter<18> = ::core::default::Default::default();
                if prepared_surface_rest.is_some() {
                    table_writer.write_entry::<f32>(0);
                }
                if prepared_surface_clips.is_some() {
                    table_writer.write_entry::<f32>(1);
                }
                if prepared_max_escape.is_some() {
                    table_writer.write_entry::<f32>(2);
                }
                if prepared_worst.is_some() {
                    table_writer.write_entry::<::planus::Offset<self::WorstEscape>>(3);
                }
                if prepared_own_rest.is_some() {
                    table_writer.write_entry::<f32>(4);
                }
                if prepared_own_clips.is_some() {
                    table_writer.write_entry::<f32>(5);
                }
                if prepared_every_sample_time.is_some() {
                    table_writer.write_entry::<bool>(6);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        if let ::core::option::Option::Some(prepared_surface_rest) = prepared_surface_rest {
                            object_writer.write::<_, _, 4>(&prepared_surface_rest);
                        }
                        if let ::core::option::Option::Some(prepared_surface_clips) = prepared_surface_clips {
                            object_writer.write::<_, _, 4>(&prepared_surface_clips);
                        }
                        if let ::core::option::Option::Some(prepared_max_escape) = prepared_max_escape {
                            object_writer.write::<_, _, 4>(&prepared_max_escape);
                        }
                        if let ::core::option::Option::Some(prepared_worst) = prepared_worst {
                            object_writer.write::<_, _, 4>(&prepared_worst);
                        }
                        if let ::core::option::Option::Some(prepared_own_rest) = prepared_own_rest {
                            object_writer.write::<_, _, 4>(&prepared_own_rest);
                        }
                        if let ::core::option::Option::Some(prepared_own_clips) = prepared_own_clips {
                            object_writer.write::<_, _, 4>(&prepared_own_clips);
                        }
                        if let ::core::option::Option::Some(prepared_every_sample_time) = prepared_every_sample_time {
                            object_writer.write::<_, _, 1>(&prepared_every_sample_time);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Coverage>> for Coverage {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Coverage> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Coverage>> for Coverage {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Coverage>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Coverage> for Coverage {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Coverage> {
                Coverage::create(
                    builder,
                    self.surface_rest,
                    self.surface_clips,
                    self.max_escape,
                    &self.worst,
                    self.own_rest,
                    self.own_clips,
                    self.every_sample_time,
                )
            }
        }

        /// Builder for serializing an instance of the [Coverage] type.
        ///
        /// Can be created using the [Coverage::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct CoverageBuilder<State>(State);

        impl CoverageBuilder<()> {
            /// Setter for the [`surface_rest` field](Coverage#structfield.surface_rest).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn surface_rest<T0>(self, value: T0) -> CoverageBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<f32, f32>,
            {
                CoverageBuilder((value,))
            }

            /// Sets the [`surface_rest` field](Coverage#structfield.surface_rest) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn surface_rest_as_default(self) -> CoverageBuilder<(::planus::DefaultValue,)> {
                self.surface_rest(::planus::DefaultValue)
            }
        }

        impl<T0> CoverageBuilder<(T0,)> {
            /// Setter for the [`surface_clips` field](Coverage#structfield.surface_clips).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn surface_clips<T1>(self, value: T1) -> CoverageBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0,) = self.0;
                CoverageBuilder((v0, value))
            }

            /// Sets the [`surface_clips` field](Coverage#structfield.surface_clips) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn surface_clips_as_default(self) -> CoverageBuilder<(T0, ::planus::DefaultValue)> {
                self.surface_clips(::planus::DefaultValue)
            }
        }

        impl<T0, T1> CoverageBuilder<(T0, T1)> {
            /// Setter for the [`max_escape` field](Coverage#structfield.max_escape).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn max_escape<T2>(self, value: T2) -> CoverageBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1) = self.0;
                CoverageBuilder((v0, v1, value))
            }

            /// Sets the [`max_escape` field](Coverage#structfield.max_escape) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn max_escape_as_default(self) -> CoverageBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.max_escape(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> CoverageBuilder<(T0, T1, T2)> {
            /// Setter for the [`worst` field](Coverage#structfield.worst).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn worst<T3>(self, value: T3) -> CoverageBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAsOptional<::planus::Offset<self::WorstEscape>>,
            {
                let (v0, v1, v2) = self.0;
                CoverageBuilder((v0, v1, v2, value))
            }

            /// Sets the [`worst` field](Coverage#structfield.worst) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn worst_as_null(self) -> CoverageBuilder<(T0, T1, T2, ())> {
                self.worst(())
            }
        }

        impl<T0, T1, T2, T3> CoverageBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`own_rest` field](Coverage#structfield.own_rest).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn own_rest<T4>(self, value: T4) -> CoverageBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2, v3) = self.0;
                CoverageBuilder((v0, v1, v2, v3, value))
            }

            /// Sets the [`own_rest` field](Coverage#structfield.own_rest) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn own_rest_as_default(self) -> CoverageBuilder<(T0, T1, T2, T3, ::planus::DefaultValue)> {
                self.own_rest(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4> CoverageBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`own_clips` field](Coverage#structfield.own_clips).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn own_clips<T5>(self, value: T5) -> CoverageBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                CoverageBuilder((v0, v1, v2, v3, v4, value))
            }

            /// Sets the [`own_clips` field](Coverage#structfield.own_clips) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn own_clips_as_default(self) -> CoverageBuilder<(T0, T1, T2, T3, T4, ::planus::DefaultValue)> {
                self.own_clips(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5> CoverageBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Setter for the [`every_sample_time` field](Coverage#structfield.every_sample_time).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn every_sample_time<T6>(self, value: T6) -> CoverageBuilder<(T0, T1, T2, T3, T4, T5, T6)>
            where
                T6: ::planus::WriteAsDefault<bool, bool>,
            {
                let (v0, v1, v2, v3, v4, v5) = self.0;
                CoverageBuilder((v0, v1, v2, v3, v4, v5, value))
            }

            /// Sets the [`every_sample_time` field](Coverage#structfield.every_sample_time) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn every_sample_time_as_default(
                self,
            ) -> CoverageBuilder<(T0, T1, T2, T3, T4, T5, ::planus::DefaultValue)> {
                self.every_sample_time(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6> CoverageBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Coverage].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Coverage>
            where
                Self: ::planus::WriteAsOffset<Coverage>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<f32, f32>,
            T1: ::planus::WriteAsDefault<f32, f32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<self::WorstEscape>>,
            T4: ::planus::WriteAsDefault<f32, f32>,
            T5: ::planus::WriteAsDefault<f32, f32>,
            T6: ::planus::WriteAsDefault<bool, bool>,
        > ::planus::WriteAs<::planus::Offset<Coverage>> for CoverageBuilder<(T0, T1, T2, T3, T4, T5, T6)>
        {
            type Prepared = ::planus::Offset<Coverage>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Coverage> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<f32, f32>,
            T1: ::planus::WriteAsDefault<f32, f32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<self::WorstEscape>>,
            T4: ::planus::WriteAsDefault<f32, f32>,
            T5: ::planus::WriteAsDefault<f32, f32>,
            T6: ::planus::WriteAsDefault<bool, bool>,
        > ::planus::WriteAsOptional<::planus::Offset<Coverage>> for CoverageBuilder<(T0, T1, T2, T3, T4, T5, T6)>
        {
            type Prepared = ::planus::Offset<Coverage>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Coverage>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<f32, f32>,
            T1: ::planus::WriteAsDefault<f32, f32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<self::WorstEscape>>,
            T4: ::planus::WriteAsDefault<f32, f32>,
            T5: ::planus::WriteAsDefault<f32, f32>,
            T6: ::planus::WriteAsDefault<bool, bool>,
        > ::planus::WriteAsOffset<Coverage> for CoverageBuilder<(T0, T1, T2, T3, T4, T5, T6)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Coverage> {
                let (v0, v1, v2, v3, v4, v5, v6) = &self.0;
                Coverage::create(builder, v0, v1, v2, v3, v4, v5, v6)
            }
        }

        /// Reference to a deserialized [Coverage].
        #[derive(Copy, Clone)]
        pub struct CoverageRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> CoverageRef<'a> {
            /// Getter for the [`surface_rest` field](Coverage#structfield.surface_rest).
            #[inline]
            pub fn surface_rest(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(0, "Coverage", "surface_rest")?.unwrap_or(0.0))
            }

            /// Getter for the [`surface_clips` field](Coverage#structfield.surface_clips).
            #[inline]
            pub fn surface_clips(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(1, "Coverage", "surface_clips")?.unwrap_or(0.0))
            }

            /// Getter for the [`max_escape` field](Coverage#structfield.max_escape).
            #[inline]
            pub fn max_escape(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(2, "Coverage", "max_escape")?.unwrap_or(0.0))
            }

            /// Getter for the [`worst` field](Coverage#structfield.worst).
            #[inline]
            pub fn worst(&self) -> ::planus::Result<::core::option::Option<self::WorstEscapeRef<'a>>> {
                self.0.access(3, "Coverage", "worst")
            }

            /// Getter for the [`own_rest` field](Coverage#structfield.own_rest).
            #[inline]
            pub fn own_rest(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(4, "Coverage", "own_rest")?.unwrap_or(0.0))
            }

            /// Getter for the [`own_clips` field](Coverage#structfield.own_clips).
            #[inline]
            pub fn own_clips(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(5, "Coverage", "own_clips")?.unwrap_or(0.0))
            }

            /// Getter for the [`every_sample_time` field](Coverage#structfield.every_sample_time).
            #[inline]
            pub fn every_sample_time(&self) -> ::planus::Result<bool> {
                ::core::result::Result::Ok(self.0.access(6, "Coverage", "every_sample_time")?.unwrap_or(true))
            }
        }

        impl<'a> ::core::fmt::Debug for CoverageRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("CoverageRef");
                f.field("surface_rest", &self.surface_rest());
                f.field("surface_clips", &self.surface_clips());
                f.field("max_escape", &self.max_escape());
                if let ::core::option::Option::Some(field_worst) = self.worst().transpose() {
                    f.field("worst", &field_worst);
                }
                f.field("own_rest", &self.own_rest());
                f.field("own_clips", &self.own_clips());
                f.field("every_sample_time", &self.every_sample_time());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<CoverageRef<'a>> for Coverage {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: CoverageRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    surface_rest: ::core::convert::TryInto::try_into(value.surface_rest()?)?,
                    surface_clips: ::core::convert::TryInto::try_into(value.surface_clips()?)?,
                    max_escape: ::core::convert::TryInto::try_into(value.max_escape()?)?,
                    worst: if let ::core::option::Option::Some(worst) = value.worst()? {
                        ::core::option::Option::Some(::planus::alloc::boxed::Box::new(
                            ::core::convert::TryInto::try_into(worst)?,
                        ))
                    } else {
                        ::core::option::Option::None
                    },
                    own_rest: ::core::convert::TryInto::try_into(value.own_rest()?)?,
                    own_clips: ::core::convert::TryInto::try_into(value.own_clips()?)?,
                    every_sample_time: ::core::convert::TryInto::try_into(value.every_sample_time()?)?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for CoverageRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for CoverageRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[CoverageRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Coverage>> for Coverage {
            type Value = ::planus::Offset<Coverage>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Coverage>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for CoverageRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[CoverageRef]", "read_as_root", 0))
            }
        }

        ///  A problem that did not stop the bake.
        ///
        /// Generated from these locations:
        /// * Table `BakeWarning` in the file `bonebox.fbs:247`
        #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)]
        pub struct BakeWarning {
            ///  The kind of the warning, for programs: lower-case words joined by hyphens.
            pub code: ::planus::alloc::string::String,
            ///  The name of the joint that the warning is about.
            pub joint: ::core::option::Option<::planus::alloc::string::String>,
            ///  The warning as a sentence, for people.
            pub text: ::planus::alloc::string::String,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for BakeWarning {
            fn default() -> Self {
                Self {
                    code: ::core::default::Default::default(),
                    joint: ::core::default::Default::default(),
                    text: ::core::default::Default::default(),
                }
            }
        }

        impl BakeWarning {
            /// Creates a [BakeWarningBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> BakeWarningBuilder<()> {
                BakeWarningBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_code: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_joint: impl ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
                field_text: impl ::planus::WriteAs<::planus::Offset<str>>,
            ) -> ::planus::Offset<Self> {
                let prepared_code = field_code.prepare(builder);
                let prepared_joint = field_joint.prepare(builder);
                let prepared_text = field_text.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<10> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                if prepared_joint.is_some() {
                    table_writer.write_entry::<::planus::Offset<str>>(1);
                }
                table_writer.write_entry::<::planus::Offset<str>>(2);

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_code);
                        if let ::core::option::Option::Some(prepared_joint) = prepared_joint {
                            object_writer.write::<_, _, 4>(&prepared_joint);
                        }
                        object_writer.write::<_, _, 4>(&prepared_text);
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<BakeWarning>> for BakeWarning {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeWarning> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<BakeWarning>> for BakeWarning {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<BakeWarning>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<BakeWarning> for BakeWarning {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeWarning> {
                BakeWarning::create(builder, &self.code, &self.joint, &self.text)
            }
        }

        /// Builder for serializing an instance of the [BakeWarning] type.
        ///
        /// Can be created using the [BakeWarning::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct BakeWarningBuilder<State>(State);

        impl BakeWarningBuilder<()> {
            /// Setter for the [`code` field](BakeWarning#structfield.code).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn code<T0>(self, value: T0) -> BakeWarningBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                BakeWarningBuilder((value,))
            }
        }

        impl<T0> BakeWarningBuilder<(T0,)> {
            /// Setter for the [`joint` field](BakeWarning#structfield.joint).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint<T1>(self, value: T1) -> BakeWarningBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            {
                let (v0,) = self.0;
                BakeWarningBuilder((v0, value))
            }

            /// Sets the [`joint` field](BakeWarning#structfield.joint) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint_as_null(self) -> BakeWarningBuilder<(T0, ())> {
                self.joint(())
            }
        }

        impl<T0, T1> BakeWarningBuilder<(T0, T1)> {
            /// Setter for the [`text` field](BakeWarning#structfield.text).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn text<T2>(self, value: T2) -> BakeWarningBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAs<::planus::Offset<str>>,
            {
                let (v0, v1) = self.0;
                BakeWarningBuilder((v0, v1, value))
            }
        }

        impl<T0, T1, T2> BakeWarningBuilder<(T0, T1, T2)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [BakeWarning].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeWarning>
            where
                Self: ::planus::WriteAsOffset<BakeWarning>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAs<::planus::Offset<BakeWarning>> for BakeWarningBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<BakeWarning>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeWarning> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOptional<::planus::Offset<BakeWarning>> for BakeWarningBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<BakeWarning>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<BakeWarning>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOffset<BakeWarning> for BakeWarningBuilder<(T0, T1, T2)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BakeWarning> {
                let (v0, v1, v2) = &self.0;
                BakeWarning::create(builder, v0, v1, v2)
            }
        }

        /// Reference to a deserialized [BakeWarning].
        #[derive(Copy, Clone)]
        pub struct BakeWarningRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> BakeWarningRef<'a> {
            /// Getter for the [`code` field](BakeWarning#structfield.code).
            #[inline]
            pub fn code(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "BakeWarning", "code")
            }

            /// Getter for the [`joint` field](BakeWarning#structfield.joint).
            #[inline]
            pub fn joint(&self) -> ::planus::Result<::core::option::Option<&'a ::core::primitive::str>> {
                self.0.access(1, "BakeWarning", "joint")
            }

            /// Getter for the [`text` field](BakeWarning#structfield.text).
            #[inline]
            pub fn text(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(2, "BakeWarning", "text")
            }
        }

        impl<'a> ::core::fmt::Debug for BakeWarningRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("BakeWarningRef");
                f.field("code", &self.code());
                if let ::core::option::Option::Some(field_joint) = self.joint().transpose() {
                    f.field("joint", &field_joint);
                }
                f.field("text", &self.text());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<BakeWarningRef<'a>> for BakeWarning {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: BakeWarningRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    code: ::core::convert::Into::into(value.code()?),
                    joint: value.joint()?.map(::core::convert::Into::into),
                    text: ::core::convert::Into::into(value.text()?),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for BakeWarningRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for BakeWarningRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[BakeWarningRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<BakeWarning>> for BakeWarning {
            type Value = ::planus::Offset<BakeWarning>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<BakeWarning>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for BakeWarningRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[BakeWarningRef]", "read_as_root", 0))
            }
        }

        ///  The joints that stand for VRM's standard bones.
        ///
        /// Generated from these locations:
        /// * Table `Humanoid` in the file `bonebox.fbs:257`
        #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)]
        pub struct Humanoid {
            /// The field `source` in the table `Humanoid`
            pub source: self::HumanoidSource,
            ///  Sorted by bone; no bone and no joint twice; all bones that VRM 1.0 requires.
            pub bones: ::planus::alloc::vec::Vec<self::BoneJoint>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Humanoid {
            fn default() -> Self {
                Self { source: self::HumanoidSource::Vrm, bones: ::core::default::Default::default() }
            }
        }

        impl Humanoid {
            /// Creates a [HumanoidBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> HumanoidBuilder<()> {
                HumanoidBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_source: impl ::planus::WriteAsDefault<self::HumanoidSource, self::HumanoidSource>,
                field_bones: impl ::planus::WriteAs<::planus::Offset<[self::BoneJoint]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_source = field_source.prepare(builder, &self::HumanoidSource::Vrm);
                let prepared_bones = field_bones.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<[self::BoneJoint]>>(1);
                if prepared_source.is_some() {
                    table_writer.write_entry::<self::HumanoidSource>(0);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_bones);
                        if let ::core::option::Option::Some(prepared_source) = prepared_source {
                            object_writer.write::<_, _, 1>(&prepared_source);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Humanoid>> for Humanoid {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Humanoid> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Humanoid>> for Humanoid {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Humanoid>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Humanoid> for Humanoid {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Humanoid> {
                Humanoid::create(builder, self.source, &self.bones)
            }
        }

        /// Builder for serializing an instance of the [Humanoid] type.
        ///
        /// Can be created using the [Humanoid::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct HumanoidBuilder<State>(State);

        impl HumanoidBuilder<()> {
            /// Setter for the [`source` field](Humanoid#structfield.source).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn source<T0>(self, value: T0) -> HumanoidBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<self::HumanoidSource, self::HumanoidSource>,
            {
                HumanoidBuilder((value,))
            }

            /// Sets the [`source` field](Humanoid#structfield.source) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn source_as_default(self) -> HumanoidBuilder<(::planus::DefaultValue,)> {
                self.source(::planus::DefaultValue)
            }
        }

        impl<T0> HumanoidBuilder<(T0,)> {
            /// Setter for the [`bones` field](Humanoid#structfield.bones).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn bones<T1>(self, value: T1) -> HumanoidBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAs<::planus::Offset<[self::BoneJoint]>>,
            {
                let (v0,) = self.0;
                HumanoidBuilder((v0, value))
            }
        }

        impl<T0, T1> HumanoidBuilder<(T0, T1)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Humanoid].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Humanoid>
            where
                Self: ::planus::WriteAsOffset<Humanoid>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<self::HumanoidSource, self::HumanoidSource>,
            T1: ::planus::WriteAs<::planus::Offset<[self::BoneJoint]>>,
        > ::planus::WriteAs<::planus::Offset<Humanoid>> for HumanoidBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<Humanoid>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Humanoid> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<self::HumanoidSource, self::HumanoidSource>,
            T1: ::planus::WriteAs<::planus::Offset<[self::BoneJoint]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Humanoid>> for HumanoidBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<Humanoid>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Humanoid>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<self::HumanoidSource, self::HumanoidSource>,
            T1: ::planus::WriteAs<::planus::Offset<[self::BoneJoint]>>,
        > ::planus::WriteAsOffset<Humanoid> for HumanoidBuilder<(T0, T1)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Humanoid> {
                let (v0, v1) = &self.0;
                Humanoid::create(builder, v0, v1)
            }
        }

        /// Reference to a deserialized [Humanoid].
        #[derive(Copy, Clone)]
        pub struct HumanoidRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> HumanoidRef<'a> {
            /// Getter for the [`source` field](Humanoid#structfield.source).
            #[inline]
            pub fn source(&self) -> ::planus::Result<self::HumanoidSource> {
                ::core::result::Result::Ok(self.0.access(0, "Humanoid", "source")?.unwrap_or(self::HumanoidSource::Vrm))
            }

            /// Getter for the [`bones` field](Humanoid#structfield.bones).
            #[inline]
            pub fn bones(&self) -> ::planus::Result<::planus::Vector<'a, self::BoneJointRef<'a>>> {
                self.0.access_required(1, "Humanoid", "bones")
            }
        }

        impl<'a> ::core::fmt::Debug for HumanoidRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("HumanoidRef");
                f.field("source", &self.source());
                f.field("bones", &self.bones());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<HumanoidRef<'a>> for Humanoid {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: HumanoidRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    source: ::core::convert::TryInto::try_into(value.source()?)?,
                    bones: value.bones()?.to_vec()?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for HumanoidRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for HumanoidRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[HumanoidRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Humanoid>> for Humanoid {
            type Value = ::planus::Offset<Humanoid>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Humanoid>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for HumanoidRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[HumanoidRef]", "read_as_root", 0))
            }
        }

        ///  For one box: another joint that moves some of the box's surface, and the transform from the box to that joint in the bind
        ///  pose.
        ///
        /// Generated from these locations:
        /// * Struct `Mover` in the file `bonebox.fbs:265`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Default)]
        pub struct Mover {
            ///  `mover_from_box` takes a point `p` along the box's axes to `orientation * (scale * p) + center`.
            pub orientation: self::Quat,

            /// The field `center` in the struct `Mover`
            pub center: self::Vec3,

            ///  Below 0 if one of the two spaces is a mirror image of the other.
            pub scale: f32,

            ///  A bound of the rounding error, as a length in the mover's joint space; not negative.
            pub slack: f32,

            /// The field `joint` in the struct `Mover`
            pub joint: u16,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Mover {
            const ALIGNMENT: usize = 4;
            const SIZE: usize = 40;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Mover> for Mover {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<16, 24>();
                self.orientation.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<12, 12>();
                self.center.write(cur, buffer_position - 16);
                let (cur, cursor) = cursor.split::<4, 8>();
                self.scale.write(cur, buffer_position - 28);
                let (cur, cursor) = cursor.split::<4, 4>();
                self.slack.write(cur, buffer_position - 32);
                let (cur, cursor) = cursor.split::<2, 2>();
                self.joint.write(cur, buffer_position - 36);
                let cursor = cursor.write::<2, 0>([0; 2]);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Mover> for Mover {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Mover> {
                unsafe {
                    builder.write_with(40, 3, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 40])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Mover> for Mover {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Mover> for Mover {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Mover].
        #[derive(Copy, Clone)]
        pub struct MoverRef<'a>(::planus::ArrayWithStartOffset<'a, 40>);

        impl<'a> MoverRef<'a> {
            /// Getter for the [`orientation` field](Mover#structfield.orientation).
            pub fn orientation(&self) -> self::QuatRef<'a> {
                let buffer = self.0.advance_as_array::<16>(0).unwrap();

                ::core::convert::From::from(buffer)
            }

            /// Getter for the [`center` field](Mover#structfield.center).
            pub fn center(&self) -> self::Vec3Ref<'a> {
                let buffer = self.0.advance_as_array::<12>(16).unwrap();

                ::core::convert::From::from(buffer)
            }

            /// Getter for the [`scale` field](Mover#structfield.scale).
            pub fn scale(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(28).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`slack` field](Mover#structfield.slack).
            pub fn slack(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(32).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`joint` field](Mover#structfield.joint).
            pub fn joint(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(36).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for MoverRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("MoverRef");
                f.field("orientation", &self.orientation());
                f.field("center", &self.center());
                f.field("scale", &self.scale());
                f.field("slack", &self.slack());
                f.field("joint", &self.joint());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 40>> for MoverRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 40>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<MoverRef<'a>> for Mover {
            #[allow(unreachable_code)]
            fn from(value: MoverRef<'a>) -> Self {
                Self {
                    orientation: ::core::convert::From::from(value.orientation()),
                    center: ::core::convert::From::from(value.center()),
                    scale: value.scale(),
                    slack: value.slack(),
                    joint: value.joint(),
                }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<MoverRef<'a>> for MoverRef<'b> {
            fn eq(&self, other: &MoverRef<'_>) -> bool {
                self.orientation() == other.orientation()
                    && self.center() == other.center()
                    && self.scale() == other.scale()
                    && self.slack() == other.slack()
                    && self.joint() == other.joint()
            }
        }

        impl<'a, 'b> ::core::cmp::PartialOrd<MoverRef<'a>> for MoverRef<'b> {
            fn partial_cmp(&self, other: &MoverRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                match self.orientation().partial_cmp(&other.orientation()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.center().partial_cmp(&other.center()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.scale().partial_cmp(&other.scale()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.slack().partial_cmp(&other.slack()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                self.joint().partial_cmp(&other.joint())
            }
        }

        impl<'a> ::planus::TableRead<'a> for MoverRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<40>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for MoverRef<'a> {
            const STRIDE: usize = 40;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Mover> for Mover {
            const STRIDE: usize = 40;

            type Value = Mover;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Mover], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 40];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (40 * i) as u32,
                    );
                }
            }
        }

        ///  Corners of a box's surface that are bounded together.
        ///
        /// Generated from these locations:
        /// * Struct `Cluster` in the file `bonebox.fbs:277`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, Default)]
        pub struct Cluster {
            ///  Bounds of the corners along the box's axes, from the box's center, in units of the envelope's `place_step`.
            pub low_x: i16,

            /// The field `low_y` in the struct `Cluster`
            pub low_y: i16,

            /// The field `low_z` in the struct `Cluster`
            pub low_z: i16,

            /// The field `high_x` in the struct `Cluster`
            pub high_x: i16,

            /// The field `high_y` in the struct `Cluster`
            pub high_y: i16,

            /// The field `high_z` in the struct `Cluster`
            pub high_z: i16,

            ///  The number of the envelope's motions that belong to this cluster.
            pub motions: u16,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Cluster {
            const ALIGNMENT: usize = 2;
            const SIZE: usize = 14;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Cluster> for Cluster {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<2, 12>();
                self.low_x.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<2, 10>();
                self.low_y.write(cur, buffer_position - 2);
                let (cur, cursor) = cursor.split::<2, 8>();
                self.low_z.write(cur, buffer_position - 4);
                let (cur, cursor) = cursor.split::<2, 6>();
                self.high_x.write(cur, buffer_position - 6);
                let (cur, cursor) = cursor.split::<2, 4>();
                self.high_y.write(cur, buffer_position - 8);
                let (cur, cursor) = cursor.split::<2, 2>();
                self.high_z.write(cur, buffer_position - 10);
                let (cur, cursor) = cursor.split::<2, 0>();
                self.motions.write(cur, buffer_position - 12);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Cluster> for Cluster {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Cluster> {
                unsafe {
                    builder.write_with(14, 1, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 14])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Cluster> for Cluster {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Cluster> for Cluster {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Cluster].
        #[derive(Copy, Clone)]
        pub struct ClusterRef<'a>(::planus::ArrayWithStartOffset<'a, 14>);

        impl<'a> ClusterRef<'a> {
            /// Getter for the [`low_x` field](Cluster#structfield.low_x).
            pub fn low_x(&self) -> i16 {
                let buffer = self.0.advance_as_array::<2>(0).unwrap();

                i16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`low_y` field](Cluster#structfield.low_y).
            pub fn low_y(&self) -> i16 {
                let buffer = self.0.advance_as_array::<2>(2).unwrap();

                i16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`low_z` field](Cluster#structfield.low_z).
            pub fn low_z(&self) -> i16 {
                let buffer = self.0.advance_as_array::<2>(4).unwrap();

                i16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`high_x` field](Cluster#structfield.high_x).
            pub fn high_x(&self) -> i16 {
                let buffer = self.0.advance_as_array::<2>(6).unwrap();

                i16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`high_y` field](Cluster#structfield.high_y).
            pub fn high_y(&self) -> i16 {
                let buffer = self.0.advance_as_array::<2>(8).unwrap();

                i16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`high_z` field](Cluster#structfield.high_z).
            pub fn high_z(&self) -> i16 {
                let buffer = self.0.advance_as_array::<2>(10).unwrap();

                i16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`motions` field](Cluster#structfield.motions).
            pub fn motions(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(12).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for ClusterRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("ClusterRef");
                f.field("low_x", &self.low_x());
                f.field("low_y", &self.low_y());
                f.field("low_z", &self.low_z());
                f.field("high_x", &self.high_x());
                f.field("high_y", &self.high_y());
                f.field("high_z", &self.high_z());
                f.field("motions", &self.motions());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 14>> for ClusterRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 14>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<ClusterRef<'a>> for Cluster {
            #[allow(unreachable_code)]
            fn from(value: ClusterRef<'a>) -> Self {
                Self {
                    low_x: value.low_x(),
                    low_y: value.low_y(),
                    low_z: value.low_z(),
                    high_x: value.high_x(),
                    high_y: value.high_y(),
                    high_z: value.high_z(),
                    motions: value.motions(),
                }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<ClusterRef<'a>> for ClusterRef<'b> {
            fn eq(&self, other: &ClusterRef<'_>) -> bool {
                self.low_x() == other.low_x()
                    && self.low_y() == other.low_y()
                    && self.low_z() == other.low_z()
                    && self.high_x() == other.high_x()
                    && self.high_y() == other.high_y()
                    && self.high_z() == other.high_z()
                    && self.motions() == other.motions()
            }
        }

        impl<'a> ::core::cmp::Eq for ClusterRef<'a> {}
        impl<'a, 'b> ::core::cmp::PartialOrd<ClusterRef<'a>> for ClusterRef<'b> {
            fn partial_cmp(&self, other: &ClusterRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl<'a> ::core::cmp::Ord for ClusterRef<'a> {
            fn cmp(&self, other: &ClusterRef<'_>) -> ::core::cmp::Ordering {
                self.low_x()
                    .cmp(&other.low_x())
                    .then_with(|| self.low_y().cmp(&other.low_y()))
                    .then_with(|| self.low_z().cmp(&other.low_z()))
                    .then_with(|| self.high_x().cmp(&other.high_x()))
                    .then_with(|| self.high_y().cmp(&other.high_y()))
                    .then_with(|| self.high_z().cmp(&other.high_z()))
                    .then_with(|| self.motions().cmp(&other.motions()))
            }
        }

        impl<'a> ::core::hash::Hash for ClusterRef<'a> {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                self.low_x().hash(state);
                self.low_y().hash(state);
                self.low_z().hash(state);
                self.high_x().hash(state);
                self.high_y().hash(state);
                self.high_z().hash(state);
                self.motions().hash(state);
            }
        }

        impl<'a> ::planus::TableRead<'a> for ClusterRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<14>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for ClusterRef<'a> {
            const STRIDE: usize = 14;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Cluster> for Cluster {
            const STRIDE: usize = 14;

            type Value = Cluster;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Cluster], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 14];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (14 * i) as u32,
                    );
                }
            }
        }

        ///  The share of one mover in the motion of one cluster's corners.
        ///
        /// Generated from these locations:
        /// * Struct `Motion` in the file `bonebox.fbs:290`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, Default)]
        pub struct Motion {
            ///  Index into the envelope's movers.
            pub mover: u16,

            ///  Bounds of the weight, in units of 1 / 65535.
            pub low_weight: u16,

            /// The field `high_weight` in the struct `Motion`
            pub high_weight: u16,

            ///  Bounds of the corners' remainders along the box's axes, in units of the envelope's `rest_step`. A corner's remainder is
            ///  its weighted place minus the weight times its place: `e_k` in docs/any-pose.md.
            pub low_x: i8,

            /// The field `low_y` in the struct `Motion`
            pub low_y: i8,

            /// The field `low_z` in the struct `Motion`
            pub low_z: i8,

            /// The field `high_x` in the struct `Motion`
            pub high_x: i8,

            /// The field `high_y` in the struct `Motion`
            pub high_y: i8,

            /// The field `high_z` in the struct `Motion`
            pub high_z: i8,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Motion {
            const ALIGNMENT: usize = 2;
            const SIZE: usize = 12;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Motion> for Motion {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<2, 10>();
                self.mover.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<2, 8>();
                self.low_weight.write(cur, buffer_position - 2);
                let (cur, cursor) = cursor.split::<2, 6>();
                self.high_weight.write(cur, buffer_position - 4);
                let (cur, cursor) = cursor.split::<1, 5>();
                self.low_x.write(cur, buffer_position - 6);
                let (cur, cursor) = cursor.split::<1, 4>();
                self.low_y.write(cur, buffer_position - 7);
                let (cur, cursor) = cursor.split::<1, 3>();
                self.low_z.write(cur, buffer_position - 8);
                let (cur, cursor) = cursor.split::<1, 2>();
                self.high_x.write(cur, buffer_position - 9);
                let (cur, cursor) = cursor.split::<1, 1>();
                self.high_y.write(cur, buffer_position - 10);
                let (cur, cursor) = cursor.split::<1, 0>();
                self.high_z.write(cur, buffer_position - 11);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Motion> for Motion {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Motion> {
                unsafe {
                    builder.write_with(12, 1, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 12])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Motion> for Motion {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Motion> for Motion {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Motion].
        #[derive(Copy, Clone)]
        pub struct MotionRef<'a>(::planus::ArrayWithStartOffset<'a, 12>);

        impl<'a> MotionRef<'a> {
            /// Getter for the [`mover` field](Motion#structfield.mover).
            pub fn mover(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(0).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`low_weight` field](Motion#structfield.low_weight).
            pub fn low_weight(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(2).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`high_weight` field](Motion#structfield.high_weight).
            pub fn high_weight(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(4).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`low_x` field](Motion#structfield.low_x).
            pub fn low_x(&self) -> i8 {
                let buffer = self.0.advance_as_array::<1>(6).unwrap();

                i8::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`low_y` field](Motion#structfield.low_y).
            pub fn low_y(&self) -> i8 {
                let buffer = self.0.advance_as_array::<1>(7).unwrap();

                i8::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`low_z` field](Motion#structfield.low_z).
            pub fn low_z(&self) -> i8 {
                let buffer = self.0.advance_as_array::<1>(8).unwrap();

                i8::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`high_x` field](Motion#structfield.high_x).
            pub fn high_x(&self) -> i8 {
                let buffer = self.0.advance_as_array::<1>(9).unwrap();

                i8::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`high_y` field](Motion#structfield.high_y).
            pub fn high_y(&self) -> i8 {
                let buffer = self.0.advance_as_array::<1>(10).unwrap();

                i8::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`high_z` field](Motion#structfield.high_z).
            pub fn high_z(&self) -> i8 {
                let buffer = self.0.advance_as_array::<1>(11).unwrap();

                i8::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for MotionRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("MotionRef");
                f.field("mover", &self.mover());
                f.field("low_weight", &self.low_weight());
                f.field("high_weight", &self.high_weight());
                f.field("low_x", &self.low_x());
                f.field("low_y", &self.low_y());
                f.field("low_z", &self.low_z());
                f.field("high_x", &self.high_x());
                f.field("high_y", &self.high_y());
                f.field("high_z", &self.high_z());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 12>> for MotionRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 12>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<MotionRef<'a>> for Motion {
            #[allow(unreachable_code)]
            fn from(value: MotionRef<'a>) -> Self {
                Self {
                    mover: value.mover(),
                    low_weight: value.low_weight(),
                    high_weight: value.high_weight(),
                    low_x: value.low_x(),
                    low_y: value.low_y(),
                    low_z: value.low_z(),
                    high_x: value.high_x(),
                    high_y: value.high_y(),
                    high_z: value.high_z(),
                }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<MotionRef<'a>> for MotionRef<'b> {
            fn eq(&self, other: &MotionRef<'_>) -> bool {
                self.mover() == other.mover()
                    && self.low_weight() == other.low_weight()
                    && self.high_weight() == other.high_weight()
                    && self.low_x() == other.low_x()
                    && self.low_y() == other.low_y()
                    && self.low_z() == other.low_z()
                    && self.high_x() == other.high_x()
                    && self.high_y() == other.high_y()
                    && self.high_z() == other.high_z()
            }
        }

        impl<'a> ::core::cmp::Eq for MotionRef<'a> {}
        impl<'a, 'b> ::core::cmp::PartialOrd<MotionRef<'a>> for MotionRef<'b> {
            fn partial_cmp(&self, other: &MotionRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl<'a> ::core::cmp::Ord for MotionRef<'a> {
            fn cmp(&self, other: &MotionRef<'_>) -> ::core::cmp::Ordering {
                self.mover()
                    .cmp(&other.mover())
                    .then_with(|| self.low_weight().cmp(&other.low_weight()))
                    .then_with(|| self.high_weight().cmp(&other.high_weight()))
                    .then_with(|| self.low_x().cmp(&other.low_x()))
                    .then_with(|| self.low_y().cmp(&other.low_y()))
                    .then_with(|| self.low_z().cmp(&other.low_z()))
                    .then_with(|| self.high_x().cmp(&other.high_x()))
                    .then_with(|| self.high_y().cmp(&other.high_y()))
                    .then_with(|| self.high_z().cmp(&other.high_z()))
            }
        }

        impl<'a> ::core::hash::Hash for MotionRef<'a> {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                self.mover().hash(state);
                self.low_weight().hash(state);
                self.high_weight().hash(state);
                self.low_x().hash(state);
                self.low_y().hash(state);
                self.low_z().hash(state);
                self.high_x().hash(state);
                self.high_y().hash(state);
                self.high_z().hash(state);
            }
        }

        impl<'a> ::planus::TableRead<'a> for MotionRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<12>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for MotionRef<'a> {
            const STRIDE: usize = 12;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Motion> for Motion {
            const STRIDE: usize = 12;

            type Value = Motion;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Motion], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 12];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (12 * i) as u32,
                    );
                }
            }
        }

        ///  Bounds of the surface of one box in any pose.
        ///
        /// Generated from these locations:
        /// * Table `Envelope` in the file `bonebox.fbs:307`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Envelope {
            ///  A bound of the rounding error, as a length in the joint's space; not negative.
            pub slack: f32,
            ///  The units of the clusters' and of the motions' bounds, as lengths in the joint's space; not negative.
            pub place_step: f32,
            /// The field `rest_step` in the table `Envelope`
            pub rest_step: f32,
            ///  Sorted by joint, no joint twice, and without the box's own joint.
            pub movers: ::core::option::Option<::planus::alloc::vec::Vec<self::Mover>>,
            ///  Empty if the box does not change its shape, for example a manual box.
            pub clusters: ::core::option::Option<::planus::alloc::vec::Vec<self::Cluster>>,
            ///  The motions of the first cluster, then of the second, and so on. The motions of a cluster are sorted by mover, no mover
            ///  twice.
            pub motions: ::core::option::Option<::planus::alloc::vec::Vec<self::Motion>>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Envelope {
            fn default() -> Self {
                Self {
                    slack: 0.0,
                    place_step: 0.0,
                    rest_step: 0.0,
                    movers: ::core::default::Default::default(),
                    clusters: ::core::default::Default::default(),
                    motions: ::core::default::Default::default(),
                }
            }
        }

        impl Envelope {
            /// Creates a [EnvelopeBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> EnvelopeBuilder<()> {
                EnvelopeBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_slack: impl ::planus::WriteAsDefault<f32, f32>,
                field_place_step: impl ::planus::WriteAsDefault<f32, f32>,
                field_rest_step: impl ::planus::WriteAsDefault<f32, f32>,
                field_movers: impl ::planus::WriteAsOptional<::planus::Offset<[self::Mover]>>,
                field_clusters: impl ::planus::WriteAsOptional<::planus::Offset<[self::Cluster]>>,
                field_motions: impl ::planus::WriteAsOptional<::planus::Offset<[self::Motion]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_slack = field_slack.prepare(builder, &0.0);
                let prepared_place_step = field_place_step.prepare(builder, &0.0);
                let prepared_rest_step = field_rest_step.prepare(builder, &0.0);
                let prepared_movers = field_movers.prepare(builder);
                let prepared_clusters = field_clusters.prepare(builder);
                let prepared_motions = field_motions.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<16> = ::core::default::Default::default();
                if prepared_slack.is_some() {
                    table_writer.write_entry::<f32>(0);
                }
                if prepared_place_step.is_some() {
                    table_writer.write_entry::<f32>(1);
                }
                if prepared_rest_step.is_some() {
                    table_writer.write_entry::<f32>(2);
                }
                if prepared_movers.is_some() {
                    table_writer.write_entry::<::planus::Offset<[self::Mover]>>(3);
                }
                if prepared_clusters.is_some() {
                    table_writer.write_entry::<::planus::Offset<[self::Cluster]>>(4);
                }
                if prepared_motions.is_some() {
                    table_writer.write_entry::<::planus::Offset<[self::Motion]>>(5);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        if let ::core::option::Option::Some(prepared_slack) = prepared_slack {
                            object_writer.write::<_, _, 4>(&prepared_slack);
                        }
                        if let ::core::option::Option::Some(prepared_place_step) = prepared_place_step {
                            object_writer.write::<_, _, 4>(&prepared_place_step);
                        }
                        if let ::core::option::Option::Some(prepared_rest_step) = prepared_rest_step {
                            object_writer.write::<_, _, 4>(&prepared_rest_step);
                        }
                        if let ::core::option::Option::Some(prepared_movers) = prepared_movers {
                            object_writer.write::<_, _, 4>(&prepared_movers);
                        }
                        if let ::core::option::Option::Some(prepared_clusters) = prepared_clusters {
                            object_writer.write::<_, _, 4>(&prepared_clusters);
                        }
                        if let ::core::option::Option::Some(prepared_motions) = prepared_motions {
                            object_writer.write::<_, _, 4>(&prepared_motions);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Envelope>> for Envelope {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Envelope> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Envelope>> for Envelope {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Envelope>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Envelope> for Envelope {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Envelope> {
                Envelope::create(
                    builder,
                    self.slack,
                    self.place_step,
                    self.rest_step,
                    &self.movers,
                    &self.clusters,
                    &self.motions,
                )
            }
        }

        /// Builder for serializing an instance of the [Envelope] type.
        ///
        /// Can be created using the [Envelope::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct EnvelopeBuilder<State>(State);

        impl EnvelopeBuilder<()> {
            /// Setter for the [`slack` field](Envelope#structfield.slack).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn slack<T0>(self, value: T0) -> EnvelopeBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<f32, f32>,
            {
                EnvelopeBuilder((value,))
            }

            /// Sets the [`slack` field](Envelope#structfield.slack) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn slack_as_default(self) -> EnvelopeBuilder<(::planus::DefaultValue,)> {
                self.slack(::planus::DefaultValue)
            }
        }

        impl<T0> EnvelopeBuilder<(T0,)> {
            /// Setter for the [`place_step` field](Envelope#structfield.place_step).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn place_step<T1>(self, value: T1) -> EnvelopeBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0,) = self.0;
                EnvelopeBuilder((v0, value))
            }

            /// Sets the [`place_step` field](Envelope#structfield.place_step) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn place_step_as_default(self) -> EnvelopeBuilder<(T0, ::planus::DefaultValue)> {
                self.place_step(::planus::DefaultValue)
            }
        }

        impl<T0, T1> EnvelopeBuilder<(T0, T1)> {
            /// Setter for the [`rest_step` field](Envelope#structfield.rest_step).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn rest_step<T2>(self, value: T2) -> EnvelopeBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1) = self.0;
                EnvelopeBuilder((v0, v1, value))
            }

            /// Sets the [`rest_step` field](Envelope#structfield.rest_step) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn rest_step_as_default(self) -> EnvelopeBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.rest_step(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> EnvelopeBuilder<(T0, T1, T2)> {
            /// Setter for the [`movers` field](Envelope#structfield.movers).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn movers<T3>(self, value: T3) -> EnvelopeBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAsOptional<::planus::Offset<[self::Mover]>>,
            {
                let (v0, v1, v2) = self.0;
                EnvelopeBuilder((v0, v1, v2, value))
            }

            /// Sets the [`movers` field](Envelope#structfield.movers) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn movers_as_null(self) -> EnvelopeBuilder<(T0, T1, T2, ())> {
                self.movers(())
            }
        }

        impl<T0, T1, T2, T3> EnvelopeBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`clusters` field](Envelope#structfield.clusters).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clusters<T4>(self, value: T4) -> EnvelopeBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAsOptional<::planus::Offset<[self::Cluster]>>,
            {
                let (v0, v1, v2, v3) = self.0;
                EnvelopeBuilder((v0, v1, v2, v3, value))
            }

            /// Sets the [`clusters` field](Envelope#structfield.clusters) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clusters_as_null(self) -> EnvelopeBuilder<(T0, T1, T2, T3, ())> {
                self.clusters(())
            }
        }

        impl<T0, T1, T2, T3, T4> EnvelopeBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`motions` field](Envelope#structfield.motions).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn motions<T5>(self, value: T5) -> EnvelopeBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAsOptional<::planus::Offset<[self::Motion]>>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                EnvelopeBuilder((v0, v1, v2, v3, v4, value))
            }

            /// Sets the [`motions` field](Envelope#structfield.motions) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn motions_as_null(self) -> EnvelopeBuilder<(T0, T1, T2, T3, T4, ())> {
                self.motions(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5> EnvelopeBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Envelope].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Envelope>
            where
                Self: ::planus::WriteAsOffset<Envelope>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<f32, f32>,
            T1: ::planus::WriteAsDefault<f32, f32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[self::Mover]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[self::Cluster]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[self::Motion]>>,
        > ::planus::WriteAs<::planus::Offset<Envelope>> for EnvelopeBuilder<(T0, T1, T2, T3, T4, T5)>
        {
            type Prepared = ::planus::Offset<Envelope>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Envelope> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<f32, f32>,
            T1: ::planus::WriteAsDefault<f32, f32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[self::Mover]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[self::Cluster]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[self::Motion]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Envelope>> for EnvelopeBuilder<(T0, T1, T2, T3, T4, T5)>
        {
            type Prepared = ::planus::Offset<Envelope>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Envelope>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<f32, f32>,
            T1: ::planus::WriteAsDefault<f32, f32>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[self::Mover]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[self::Cluster]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[self::Motion]>>,
        > ::planus::WriteAsOffset<Envelope> for EnvelopeBuilder<(T0, T1, T2, T3, T4, T5)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Envelope> {
                let (v0, v1, v2, v3, v4, v5) = &self.0;
                Envelope::create(builder, v0, v1, v2, v3, v4, v5)
            }
        }

        /// Reference to a deserialized [Envelope].
        #[derive(Copy, Clone)]
        pub struct EnvelopeRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> EnvelopeRef<'a> {
            /// Getter for the [`slack` field](Envelope#structfield.slack).
            #[inline]
            pub fn slack(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(0, "Envelope", "slack")?.unwrap_or(0.0))
            }

            /// Getter for the [`place_step` field](Envelope#structfield.place_step).
            #[inline]
            pub fn place_step(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(1, "Envelope", "place_step")?.unwrap_or(0.0))
            }

            /// Getter for the [`rest_step` field](Envelope#structfield.rest_step).
            #[inline]
            pub fn rest_step(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(2, "Envelope", "rest_step")?.unwrap_or(0.0))
            }

            /// Getter for the [`movers` field](Envelope#structfield.movers).
            #[inline]
            pub fn movers(&self) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, self::MoverRef<'a>>>> {
                self.0.access(3, "Envelope", "movers")
            }

            /// Getter for the [`clusters` field](Envelope#structfield.clusters).
            #[inline]
            pub fn clusters(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, self::ClusterRef<'a>>>> {
                self.0.access(4, "Envelope", "clusters")
            }

            /// Getter for the [`motions` field](Envelope#structfield.motions).
            #[inline]
            pub fn motions(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, self::MotionRef<'a>>>> {
                self.0.access(5, "Envelope", "motions")
            }
        }

        impl<'a> ::core::fmt::Debug for EnvelopeRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("EnvelopeRef");
                f.field("slack", &self.slack());
                f.field("place_step", &self.place_step());
                f.field("rest_step", &self.rest_step());
                if let ::core::option::Option::Some(field_movers) = self.movers().transpose() {
                    f.field("movers", &field_movers);
                }
                if let ::core::option::Option::Some(field_clusters) = self.clusters().transpose() {
                    f.field("clusters", &field_clusters);
                }
                if let ::core::option::Option::Some(field_motions) = self.motions().transpose() {
                    f.field("motions", &field_motions);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<EnvelopeRef<'a>> for Envelope {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: EnvelopeRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    slack: ::core::convert::TryInto::try_into(value.slack()?)?,
                    place_step: ::core::convert::TryInto::try_into(value.place_step()?)?,
                    rest_step: ::core::convert::TryInto::try_into(value.rest_step()?)?,
                    movers: if let ::core::option::Option::Some(movers) = value.movers()? {
                        ::core::option::Option::Some(movers.to_vec()?)
                    } else {
                        ::core::option::Option::None
                    },
                    clusters: if let ::core::option::Option::Some(clusters) = value.clusters()? {
                        ::core::option::Option::Some(clusters.to_vec()?)
                    } else {
                        ::core::option::Option::None
                    },
                    motions: if let ::core::option::Option::Some(motions) = value.motions()? {
                        ::core::option::Option::Some(motions.to_vec()?)
                    } else {
                        ::core::option::Option::None
                    },
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for EnvelopeRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for EnvelopeRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[EnvelopeRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Envelope>> for Envelope {
            type Value = ::planus::Offset<Envelope>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Envelope>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for EnvelopeRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[EnvelopeRef]", "read_as_root", 0))
            }
        }

        ///  The form in which the numbers of a skin are stored.
        ///
        /// Generated from these locations:
        /// * Enum `SkinEncoding` in the file `bonebox.fbs:323`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum SkinEncoding {
            /// The variant `Lossless` in the enum `SkinEncoding`
            Lossless = 0,

            /// The variant `Compact` in the enum `SkinEncoding`
            Compact = 1,
        }

        impl SkinEncoding {
            /// Array containing all valid variants of SkinEncoding
            pub const ENUM_VALUES: [Self; 2] = [Self::Lossless, Self::Compact];
        }

        impl ::core::convert::TryFrom<u8> for SkinEncoding {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(SkinEncoding::Lossless),
                    1 => ::core::result::Result::Ok(SkinEncoding::Compact),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<SkinEncoding> for u8 {
            #[inline]
            fn from(value: SkinEncoding) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for SkinEncoding {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<SkinEncoding> for SkinEncoding {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<SkinEncoding> for SkinEncoding {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> SkinEncoding {
                *self
            }
        }

        impl ::planus::WriteAsDefault<SkinEncoding, SkinEncoding> for SkinEncoding {
            type Prepared = Self;

            #[inline]
            fn prepare(
                &self,
                _builder: &mut ::planus::Builder,
                default: &SkinEncoding,
            ) -> ::core::option::Option<SkinEncoding> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<SkinEncoding> for SkinEncoding {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<SkinEncoding> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for SkinEncoding {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for SkinEncoding {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location("SkinEncoding", "VectorRead::from_buffer", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<SkinEncoding> for SkinEncoding {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  A mesh that the skin comes from.
        ///
        /// Generated from these locations:
        /// * Table `SkinMesh` in the file `bonebox.fbs:329`
        #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)]
        pub struct SkinMesh {
            /// The field `name` in the table `SkinMesh`
            pub name: ::planus::alloc::string::String,
            ///  The first glTF node that shows the mesh.
            pub node: u32,
            /// The field `triangles` in the table `SkinMesh`
            pub triangles: u32,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for SkinMesh {
            fn default() -> Self {
                Self { name: ::core::default::Default::default(), node: 0, triangles: 0 }
            }
        }

        impl SkinMesh {
            /// Creates a [SkinMeshBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> SkinMeshBuilder<()> {
                SkinMeshBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_node: impl ::planus::WriteAsDefault<u32, u32>,
                field_triangles: impl ::planus::WriteAsDefault<u32, u32>,
            ) -> ::planus::Offset<Self> {
                let prepared_name = field_name.prepare(builder);
                let prepared_node = field_node.prepare(builder, &0);
                let prepared_triangles = field_triangles.prepare(builder, &0);

                let mut table_writer: ::planus::table_writer::TableWriter<10> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                if prepared_node.is_some() {
                    table_writer.write_entry::<u32>(1);
                }
                if prepared_triangles.is_some() {
                    table_writer.write_entry::<u32>(2);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_name);
                        if let ::core::option::Option::Some(prepared_node) = prepared_node {
                            object_writer.write::<_, _, 4>(&prepared_node);
                        }
                        if let ::core::option::Option::Some(prepared_triangles) = prepared_triangles {
                            object_writer.write::<_, _, 4>(&prepared_triangles);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<SkinMesh>> for SkinMesh {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<SkinMesh> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<SkinMesh>> for SkinMesh {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<SkinMesh>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<SkinMesh> for SkinMesh {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<SkinMesh> {
                SkinMesh::create(builder, &self.name, self.node, self.triangles)
            }
        }

        /// Builder for serializing an instance of the [SkinMesh] type.
        ///
        /// Can be created using the [SkinMesh::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct SkinMeshBuilder<State>(State);

        impl SkinMeshBuilder<()> {
            /// Setter for the [`name` field](SkinMesh#structfield.name).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn name<T0>(self, value: T0) -> SkinMeshBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                SkinMeshBuilder((value,))
            }
        }

        impl<T0> SkinMeshBuilder<(T0,)> {
            /// Setter for the [`node` field](SkinMesh#structfield.node).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn node<T1>(self, value: T1) -> SkinMeshBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0,) = self.0;
                SkinMeshBuilder((v0, value))
            }

            /// Sets the [`node` field](SkinMesh#structfield.node) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn node_as_default(self) -> SkinMeshBuilder<(T0, ::planus::DefaultValue)> {
                self.node(::planus::DefaultValue)
            }
        }

        impl<T0, T1> SkinMeshBuilder<(T0, T1)> {
            /// Setter for the [`triangles` field](SkinMesh#structfield.triangles).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn triangles<T2>(self, value: T2) -> SkinMeshBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0, v1) = self.0;
                SkinMeshBuilder((v0, v1, value))
            }

            /// Sets the [`triangles` field](SkinMesh#structfield.triangles) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn triangles_as_default(self) -> SkinMeshBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.triangles(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> SkinMeshBuilder<(T0, T1, T2)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [SkinMesh].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<SkinMesh>
            where
                Self: ::planus::WriteAsOffset<SkinMesh>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<u32, u32>,
        > ::planus::WriteAs<::planus::Offset<SkinMesh>> for SkinMeshBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<SkinMesh>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<SkinMesh> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<u32, u32>,
        > ::planus::WriteAsOptional<::planus::Offset<SkinMesh>> for SkinMeshBuilder<(T0, T1, T2)>
        {
            type Prepared = ::planus::Offset<SkinMesh>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<SkinMesh>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<u32, u32>,
        > ::planus::WriteAsOffset<SkinMesh> for SkinMeshBuilder<(T0, T1, T2)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<SkinMesh> {
                let (v0, v1, v2) = &self.0;
                SkinMesh::create(builder, v0, v1, v2)
            }
        }

        /// Reference to a deserialized [SkinMesh].
        #[derive(Copy, Clone)]
        pub struct SkinMeshRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> SkinMeshRef<'a> {
            /// Getter for the [`name` field](SkinMesh#structfield.name).
            #[inline]
            pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "SkinMesh", "name")
            }

            /// Getter for the [`node` field](SkinMesh#structfield.node).
            #[inline]
            pub fn node(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(1, "SkinMesh", "node")?.unwrap_or(0))
            }

            /// Getter for the [`triangles` field](SkinMesh#structfield.triangles).
            #[inline]
            pub fn triangles(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(2, "SkinMesh", "triangles")?.unwrap_or(0))
            }
        }

        impl<'a> ::core::fmt::Debug for SkinMeshRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("SkinMeshRef");
                f.field("name", &self.name());
                f.field("node", &self.node());
                f.field("triangles", &self.triangles());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<SkinMeshRef<'a>> for SkinMesh {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: SkinMeshRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    name: ::core::convert::Into::into(value.name()?),
                    node: ::core::convert::TryInto::try_into(value.node()?)?,
                    triangles: ::core::convert::TryInto::try_into(value.triangles()?)?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for SkinMeshRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for SkinMeshRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[SkinMeshRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<SkinMesh>> for SkinMesh {
            type Value = ::planus::Offset<SkinMesh>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<SkinMesh>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for SkinMeshRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[SkinMeshRef]", "read_as_root", 0))
            }
        }

        ///  A joint that moves vertices, and the place of their mesh in the joint's space.
        ///
        /// Generated from these locations:
        /// * Struct `SkinBinding` in the file `bonebox.fbs:337`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, Default)]
        pub struct SkinBinding {
            /// The field `joint` in the struct `SkinBinding`
            pub joint: u16,

            ///  Index into the skin's matrices.
            pub matrix: u16,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for SkinBinding {
            const ALIGNMENT: usize = 2;
            const SIZE: usize = 4;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<SkinBinding> for SkinBinding {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<2, 2>();
                self.joint.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<2, 0>();
                self.matrix.write(cur, buffer_position - 2);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<SkinBinding> for SkinBinding {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<SkinBinding> {
                unsafe {
                    builder.write_with(4, 1, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 4])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<SkinBinding> for SkinBinding {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<SkinBinding> for SkinBinding {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [SkinBinding].
        #[derive(Copy, Clone)]
        pub struct SkinBindingRef<'a>(::planus::ArrayWithStartOffset<'a, 4>);

        impl<'a> SkinBindingRef<'a> {
            /// Getter for the [`joint` field](SkinBinding#structfield.joint).
            pub fn joint(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(0).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`matrix` field](SkinBinding#structfield.matrix).
            pub fn matrix(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(2).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for SkinBindingRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("SkinBindingRef");
                f.field("joint", &self.joint());
                f.field("matrix", &self.matrix());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 4>> for SkinBindingRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 4>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<SkinBindingRef<'a>> for SkinBinding {
            #[allow(unreachable_code)]
            fn from(value: SkinBindingRef<'a>) -> Self {
                Self { joint: value.joint(), matrix: value.matrix() }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<SkinBindingRef<'a>> for SkinBindingRef<'b> {
            fn eq(&self, other: &SkinBindingRef<'_>) -> bool {
                self.joint() == other.joint() && self.matrix() == other.matrix()
            }
        }

        impl<'a> ::core::cmp::Eq for SkinBindingRef<'a> {}
        impl<'a, 'b> ::core::cmp::PartialOrd<SkinBindingRef<'a>> for SkinBindingRef<'b> {
            fn partial_cmp(&self, other: &SkinBindingRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl<'a> ::core::cmp::Ord for SkinBindingRef<'a> {
            fn cmp(&self, other: &SkinBindingRef<'_>) -> ::core::cmp::Ordering {
                self.joint().cmp(&other.joint()).then_with(|| self.matrix().cmp(&other.matrix()))
            }
        }

        impl<'a> ::core::hash::Hash for SkinBindingRef<'a> {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                self.joint().hash(state);
                self.matrix().hash(state);
            }
        }

        impl<'a> ::planus::TableRead<'a> for SkinBindingRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<4>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for SkinBindingRef<'a> {
            const STRIDE: usize = 4;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<SkinBinding> for SkinBinding {
            const STRIDE: usize = 4;

            type Value = SkinBinding;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(
                values: &[SkinBinding],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (4 * i) as u32,
                    );
                }
            }
        }

        ///  One of the other shapes of a mesh, which adds to the positions of the mesh's vertices.
        ///
        /// Generated from these locations:
        /// * Table `MorphTarget` in the file `bonebox.fbs:344`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct MorphTarget {
            ///  Not empty, not unique.
            pub name: ::planus::alloc::string::String,
            ///  Index into the skin's meshes.
            pub mesh: u32,
            ///  The number of the target among those of its mesh in the source.
            pub number: u32,
            ///  The largest distance that the target's rounding adds to the skin's `max_error` at the weight 1, as a share of the
            ///  character's height.
            pub max_error: f32,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for MorphTarget {
            fn default() -> Self {
                Self { name: ::core::default::Default::default(), mesh: 0, number: 0, max_error: 0.0 }
            }
        }

        impl MorphTarget {
            /// Creates a [MorphTargetBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> MorphTargetBuilder<()> {
                MorphTargetBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_mesh: impl ::planus::WriteAsDefault<u32, u32>,
                field_number: impl ::planus::WriteAsDefault<u32, u32>,
                field_max_error: impl ::planus::WriteAsDefault<f32, f32>,
            ) -> ::planus::Offset<Self> {
                let prepared_name = field_name.prepare(builder);
                let prepared_mesh = field_mesh.prepare(builder, &0);
                let prepared_number = field_number.prepare(builder, &0);
                let prepared_max_error = field_max_error.prepare(builder, &0.0);

                let mut table_writer: ::planus::table_writer::TableWriter<12> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                if prepared_mesh.is_some() {
                    table_writer.write_entry::<u32>(1);
                }
                if prepared_number.is_some() {
                    table_writer.write_entry::<u32>(2);
                }
                if prepared_max_error.is_some() {
                    table_writer.write_entry::<f32>(3);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_name);
                        if let ::core::option::Option::Some(prepared_mesh) = prepared_mesh {
                            object_writer.write::<_, _, 4>(&prepared_mesh);
                        }
                        if let ::core::option::Option::Some(prepared_number) = prepared_number {
                            object_writer.write::<_, _, 4>(&prepared_number);
                        }
                        if let ::core::option::Option::Some(prepared_max_error) = prepared_max_error {
                            object_writer.write::<_, _, 4>(&prepared_max_error);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<MorphTarget>> for MorphTarget {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<MorphTarget> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<MorphTarget>> for MorphTarget {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<MorphTarget>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<MorphTarget> for MorphTarget {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<MorphTarget> {
                MorphTarget::create(builder, &self.name, self.mesh, self.number, self.max_error)
            }
        }

        /// Builder for serializing an instance of the [MorphTarget] type.
        ///
        /// Can be created using the [MorphTarget::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct MorphTargetBuilder<State>(State);

        impl MorphTargetBuilder<()> {
            /// Setter for the [`name` field](MorphTarget#structfield.name).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn name<T0>(self, value: T0) -> MorphTargetBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                MorphTargetBuilder((value,))
            }
        }

        impl<T0> MorphTargetBuilder<(T0,)> {
            /// Setter for the [`mesh` field](MorphTarget#structfield.mesh).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn mesh<T1>(self, value: T1) -> MorphTargetBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0,) = self.0;
                MorphTargetBuilder((v0, value))
            }

            /// Sets the [`mesh` field](MorphTarget#structfield.mesh) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn mesh_as_default(self) -> MorphTargetBuilder<(T0, ::planus::DefaultValue)> {
                self.mesh(::planus::DefaultValue)
            }
        }

        impl<T0, T1> MorphTargetBuilder<(T0, T1)> {
            /// Setter for the [`number` field](MorphTarget#structfield.number).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn number<T2>(self, value: T2) -> MorphTargetBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0, v1) = self.0;
                MorphTargetBuilder((v0, v1, value))
            }

            /// Sets the [`number` field](MorphTarget#structfield.number) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn number_as_default(self) -> MorphTargetBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.number(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> MorphTargetBuilder<(T0, T1, T2)> {
            /// Setter for the [`max_error` field](MorphTarget#structfield.max_error).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn max_error<T3>(self, value: T3) -> MorphTargetBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2) = self.0;
                MorphTargetBuilder((v0, v1, v2, value))
            }

            /// Sets the [`max_error` field](MorphTarget#structfield.max_error) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn max_error_as_default(self) -> MorphTargetBuilder<(T0, T1, T2, ::planus::DefaultValue)> {
                self.max_error(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3> MorphTargetBuilder<(T0, T1, T2, T3)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [MorphTarget].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<MorphTarget>
            where
                Self: ::planus::WriteAsOffset<MorphTarget>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<u32, u32>,
            T3: ::planus::WriteAsDefault<f32, f32>,
        > ::planus::WriteAs<::planus::Offset<MorphTarget>> for MorphTargetBuilder<(T0, T1, T2, T3)>
        {
            type Prepared = ::planus::Offset<MorphTarget>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<MorphTarget> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<u32, u32>,
            T3: ::planus::WriteAsDefault<f32, f32>,
        > ::planus::WriteAsOptional<::planus::Offset<MorphTarget>> for MorphTargetBuilder<(T0, T1, T2, T3)>
        {
            type Prepared = ::planus::Offset<MorphTarget>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<MorphTarget>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<u32, u32>,
            T3: ::planus::WriteAsDefault<f32, f32>,
        > ::planus::WriteAsOffset<MorphTarget> for MorphTargetBuilder<(T0, T1, T2, T3)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<MorphTarget> {
                let (v0, v1, v2, v3) = &self.0;
                MorphTarget::create(builder, v0, v1, v2, v3)
            }
        }

        /// Reference to a deserialized [MorphTarget].
        #[derive(Copy, Clone)]
        pub struct MorphTargetRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> MorphTargetRef<'a> {
            /// Getter for the [`name` field](MorphTarget#structfield.name).
            #[inline]
            pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "MorphTarget", "name")
            }

            /// Getter for the [`mesh` field](MorphTarget#structfield.mesh).
            #[inline]
            pub fn mesh(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(1, "MorphTarget", "mesh")?.unwrap_or(0))
            }

            /// Getter for the [`number` field](MorphTarget#structfield.number).
            #[inline]
            pub fn number(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(2, "MorphTarget", "number")?.unwrap_or(0))
            }

            /// Getter for the [`max_error` field](MorphTarget#structfield.max_error).
            #[inline]
            pub fn max_error(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(3, "MorphTarget", "max_error")?.unwrap_or(0.0))
            }
        }

        impl<'a> ::core::fmt::Debug for MorphTargetRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("MorphTargetRef");
                f.field("name", &self.name());
                f.field("mesh", &self.mesh());
                f.field("number", &self.number());
                f.field("max_error", &self.max_error());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<MorphTargetRef<'a>> for MorphTarget {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: MorphTargetRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    name: ::core::convert::Into::into(value.name()?),
                    mesh: ::core::convert::TryInto::try_into(value.mesh()?)?,
                    number: ::core::convert::TryInto::try_into(value.number()?)?,
                    max_error: ::core::convert::TryInto::try_into(value.max_error()?)?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for MorphTargetRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for MorphTargetRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[MorphTargetRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<MorphTarget>> for MorphTarget {
            type Value = ::planus::Offset<MorphTarget>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<MorphTarget>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for MorphTargetRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[MorphTargetRef]", "read_as_root", 0))
            }
        }

        ///  The skinned surface of the character.
        ///
        /// Generated from these locations:
        /// * Table `Skin` in the file `bonebox.fbs:357`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Skin {
            /// The field `encoding` in the table `Skin`
            pub encoding: self::SkinEncoding,
            ///  With Compact: positions are multiples of 2 to the power of this number, which is -100 to 100.
            pub step_exponent: i8,
            ///  The largest distance of the stored surface from the exact surface, as a share of the character's height.
            pub max_error: f32,
            ///  Source triangles are numbered mesh by mesh.
            pub meshes: ::core::option::Option<::planus::alloc::vec::Vec<self::SkinMesh>>,
            ///  glTF's inverse bind matrices, and the places of attachments on their joints.
            pub matrices: ::core::option::Option<::planus::alloc::vec::Vec<self::Affine>>,
            ///  No pair of a joint and a matrix occurs twice.
            pub bindings: ::core::option::Option<::planus::alloc::vec::Vec<self::SkinBinding>>,
            ///  The number of pieces. A piece is the surface of one joint.
            pub pieces: u32,
            ///  The pieces, sorted by joint, no joint twice. FORMAT.md describes this stream of bytes.
            pub piece_data: ::core::option::Option<::planus::alloc::vec::Vec<u8>>,
            ///  Since version 1.3. Sorted by mesh and number, no pair twice.
            pub morph_targets: ::core::option::Option<::planus::alloc::vec::Vec<self::MorphTarget>>,
            ///  Since version 1.3. How far each target moves the vertices of the pieces. FORMAT.md describes this stream of bytes.
            pub morph_data: ::core::option::Option<::planus::alloc::vec::Vec<u8>>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Skin {
            fn default() -> Self {
                Self {
                    encoding: self::SkinEncoding::Lossless,
                    step_exponent: 0,
                    max_error: 0.0,
                    meshes: ::core::default::Default::default(),
                    matrices: ::core::default::Default::default(),
                    bindings: ::core::default::Default::default(),
                    pieces: 0,
                    piece_data: ::core::default::Default::default(),
                    morph_targets: ::core::default::Default::default(),
                    morph_data: ::core::default::Default::default(),
                }
            }
        }

        impl Skin {
            /// Creates a [SkinBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> SkinBuilder<()> {
                SkinBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_encoding: impl ::planus::WriteAsDefault<self::SkinEncoding, self::SkinEncoding>,
                field_step_exponent: impl ::planus::WriteAsDefault<i8, i8>,
                field_max_error: impl ::planus::WriteAsDefault<f32, f32>,
                field_meshes: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::SkinMesh>]>>,
                field_matrices: impl ::planus::WriteAsOptional<::planus::Offset<[self::Affine]>>,
                field_bindings: impl ::planus::WriteAsOptional<::planus::Offset<[self::SkinBinding]>>,
                field_pieces: impl ::planus::WriteAsDefault<u32, u32>,
                field_piece_data: impl ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
                field_morph_targets: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::MorphTarget>]>>,
                field_morph_data: impl ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_encoding = field_encoding.prepare(builder, &self::SkinEncoding::Lossless);
                let prepared_step_exponent = field_step_exponent.prepare(builder, &0);
                let prepared_max_error = field_max_error.prepare(builder, &0.0);
                let prepared_meshes = field_meshes.prepare(builder);
                let prepared_matrices = field_matrices.prepare(builder);
                let prepared_bindings = field_bindings.prepare(builder);
                let prepared_pieces = field_pieces.prepare(builder, &0);
                let prepared_piece_data = field_piece_data.prepare(builder);
                let prepared_morph_targets = field_morph_targets.prepare(builder);
                let prepared_morph_data = field_morph_data.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<24> = ::core::default::Default::default();
                if prepared_max_error.is_some() {
                    table_writer.write_entry::<f32>(2);
                }
                if prepared_meshes.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::SkinMesh>]>>(3);
                }
                if prepared_matrices.is_some() {
                    table_writer.write_entry::<::planus::Offset<[self::Affine]>>(4);
                }
                if prepared_bindings.is_some() {
                    table_writer.write_entry::<::planus::Offset<[self::SkinBinding]>>(5);
                }
                if prepared_pieces.is_some() {
                    table_writer.write_entry::<u32>(6);
                }
                if prepared_piece_data.is_some() {
                    table_writer.write_entry::<::planus::Offset<[u8]>>(7);
                }
                if prepared_morph_targets.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::MorphTarget>]>>(8);
                }
                if prepared_morph_data.is_some() {
                    table_writer.write_entry::<::planus::Offset<[u8]>>(9);
                }
                if prepared_encoding.is_some() {
                    table_writer.write_entry::<self::SkinEncoding>(0);
                }
                if prepared_step_exponent.is_some() {
                    table_writer.write_entry::<i8>(1);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        if let ::core::option::Option::Some(prepared_max_error) = prepared_max_error {
                            object_writer.write::<_, _, 4>(&prepared_max_error);
                        }
                        if let ::core::option::Option::Some(prepared_meshes) = prepared_meshes {
                            object_writer.write::<_, _, 4>(&prepared_meshes);
                        }
                        if let ::core::option::Option::Some(prepared_matrices) = prepared_matrices {
                            object_writer.write::<_, _, 4>(&prepared_matrices);
                        }
                        if let ::core::option::Option::Some(prepared_bindings) = prepared_bindings {
                            object_writer.write::<_, _, 4>(&prepared_bindings);
                        }
                        if let ::core::option::Option::Some(prepared_pieces) = prepared_pieces {
                            object_writer.write::<_, _, 4>(&prepared_pieces);
                        }
                        if let ::core::option::Option::Some(prepared_piece_data) = prepared_piece_data {
                            object_writer.write::<_, _, 4>(&prepared_piece_data);
                        }
                        if let ::core::option::Option::Some(prepared_morph_targets) = prepared_morph_targets {
                            object_writer.write::<_, _, 4>(&prepared_morph_targets);
                        }
                        if let ::core::option::Option::Some(prepared_morph_data) = prepared_morph_data {
                            object_writer.write::<_, _, 4>(&prepared_morph_data);
                        }
                        if let ::core::option::Option::Some(prepared_encoding) = prepared_encoding {
                            object_writer.write::<_, _, 1>(&prepared_encoding);
                        }
                        if let ::core::option::Option::Some(prepared_step_exponent) = prepared_step_exponent {
                            object_writer.write::<_, _, 1>(&prepared_step_exponent);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Skin>> for Skin {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Skin> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Skin>> for Skin {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Skin>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Skin> for Skin {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Skin> {
                Skin::create(
                    builder,
                    self.encoding,
                    self.step_exponent,
                    self.max_error,
                    &self.meshes,
                    &self.matrices,
                    &self.bindings,
                    self.pieces,
                    &self.piece_data,
                    &self.morph_targets,
                    &self.morph_data,
                )
            }
        }

        /// Builder for serializing an instance of the [Skin] type.
        ///
        /// Can be created using the [Skin::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct SkinBuilder<State>(State);

        impl SkinBuilder<()> {
            /// Setter for the [`encoding` field](Skin#structfield.encoding).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn encoding<T0>(self, value: T0) -> SkinBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<self::SkinEncoding, self::SkinEncoding>,
            {
                SkinBuilder((value,))
            }

            /// Sets the [`encoding` field](Skin#structfield.encoding) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn encoding_as_default(self) -> SkinBuilder<(::planus::DefaultValue,)> {
                self.encoding(::planus::DefaultValue)
            }
        }

        impl<T0> SkinBuilder<(T0,)> {
            /// Setter for the [`step_exponent` field](Skin#structfield.step_exponent).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn step_exponent<T1>(self, value: T1) -> SkinBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<i8, i8>,
            {
                let (v0,) = self.0;
                SkinBuilder((v0, value))
            }

            /// Sets the [`step_exponent` field](Skin#structfield.step_exponent) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn step_exponent_as_default(self) -> SkinBuilder<(T0, ::planus::DefaultValue)> {
                self.step_exponent(::planus::DefaultValue)
            }
        }

        impl<T0, T1> SkinBuilder<(T0, T1)> {
            /// Setter for the [`max_error` field](Skin#structfield.max_error).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn max_error<T2>(self, value: T2) -> SkinBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1) = self.0;
                SkinBuilder((v0, v1, value))
            }

            /// Sets the [`max_error` field](Skin#structfield.max_error) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn max_error_as_default(self) -> SkinBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.max_error(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> SkinBuilder<(T0, T1, T2)> {
            /// Setter for the [`meshes` field](Skin#structfield.meshes).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn meshes<T3>(self, value: T3) -> SkinBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::SkinMesh>]>>,
            {
                let (v0, v1, v2) = self.0;
                SkinBuilder((v0, v1, v2, value))
            }

            /// Sets the [`meshes` field](Skin#structfield.meshes) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn meshes_as_null(self) -> SkinBuilder<(T0, T1, T2, ())> {
                self.meshes(())
            }
        }

        impl<T0, T1, T2, T3> SkinBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`matrices` field](Skin#structfield.matrices).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn matrices<T4>(self, value: T4) -> SkinBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAsOptional<::planus::Offset<[self::Affine]>>,
            {
                let (v0, v1, v2, v3) = self.0;
                SkinBuilder((v0, v1, v2, v3, value))
            }

            /// Sets the [`matrices` field](Skin#structfield.matrices) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn matrices_as_null(self) -> SkinBuilder<(T0, T1, T2, T3, ())> {
                self.matrices(())
            }
        }

        impl<T0, T1, T2, T3, T4> SkinBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`bindings` field](Skin#structfield.bindings).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn bindings<T5>(self, value: T5) -> SkinBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAsOptional<::planus::Offset<[self::SkinBinding]>>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                SkinBuilder((v0, v1, v2, v3, v4, value))
            }

            /// Sets the [`bindings` field](Skin#structfield.bindings) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn bindings_as_null(self) -> SkinBuilder<(T0, T1, T2, T3, T4, ())> {
                self.bindings(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5> SkinBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Setter for the [`pieces` field](Skin#structfield.pieces).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn pieces<T6>(self, value: T6) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6)>
            where
                T6: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0, v1, v2, v3, v4, v5) = self.0;
                SkinBuilder((v0, v1, v2, v3, v4, v5, value))
            }

            /// Sets the [`pieces` field](Skin#structfield.pieces) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn pieces_as_default(self) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, ::planus::DefaultValue)> {
                self.pieces(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
            /// Setter for the [`piece_data` field](Skin#structfield.piece_data).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn piece_data<T7>(self, value: T7) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
            where
                T7: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6) = self.0;
                SkinBuilder((v0, v1, v2, v3, v4, v5, v6, value))
            }

            /// Sets the [`piece_data` field](Skin#structfield.piece_data) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn piece_data_as_null(self) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, ())> {
                self.piece_data(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
            /// Setter for the [`morph_targets` field](Skin#structfield.morph_targets).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn morph_targets<T8>(self, value: T8) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
            where
                T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::MorphTarget>]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7) = self.0;
                SkinBuilder((v0, v1, v2, v3, v4, v5, v6, v7, value))
            }

            /// Sets the [`morph_targets` field](Skin#structfield.morph_targets) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn morph_targets_as_null(self) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, ())> {
                self.morph_targets(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)> {
            /// Setter for the [`morph_data` field](Skin#structfield.morph_data).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn morph_data<T9>(self, value: T9) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
            where
                T9: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8) = self.0;
                SkinBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, value))
            }

            /// Sets the [`morph_data` field](Skin#structfield.morph_data) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn morph_data_as_null(self) -> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, ())> {
                self.morph_data(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9> SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Skin].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Skin>
            where
                Self: ::planus::WriteAsOffset<Skin>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<self::SkinEncoding, self::SkinEncoding>,
            T1: ::planus::WriteAsDefault<i8, i8>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::SkinMesh>]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[self::Affine]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[self::SkinBinding]>>,
            T6: ::planus::WriteAsDefault<u32, u32>,
            T7: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::MorphTarget>]>>,
            T9: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
        > ::planus::WriteAs<::planus::Offset<Skin>> for SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
        {
            type Prepared = ::planus::Offset<Skin>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Skin> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<self::SkinEncoding, self::SkinEncoding>,
            T1: ::planus::WriteAsDefault<i8, i8>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::SkinMesh>]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[self::Affine]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[self::SkinBinding]>>,
            T6: ::planus::WriteAsDefault<u32, u32>,
            T7: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::MorphTarget>]>>,
            T9: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Skin>> for SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
        {
            type Prepared = ::planus::Offset<Skin>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Skin>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<self::SkinEncoding, self::SkinEncoding>,
            T1: ::planus::WriteAsDefault<i8, i8>,
            T2: ::planus::WriteAsDefault<f32, f32>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::SkinMesh>]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[self::Affine]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[self::SkinBinding]>>,
            T6: ::planus::WriteAsDefault<u32, u32>,
            T7: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
            T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::MorphTarget>]>>,
            T9: ::planus::WriteAsOptional<::planus::Offset<[u8]>>,
        > ::planus::WriteAsOffset<Skin> for SkinBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Skin> {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9) = &self.0;
                Skin::create(builder, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9)
            }
        }

        /// Reference to a deserialized [Skin].
        #[derive(Copy, Clone)]
        pub struct SkinRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> SkinRef<'a> {
            /// Getter for the [`encoding` field](Skin#structfield.encoding).
            #[inline]
            pub fn encoding(&self) -> ::planus::Result<self::SkinEncoding> {
                ::core::result::Result::Ok(
                    self.0.access(0, "Skin", "encoding")?.unwrap_or(self::SkinEncoding::Lossless),
                )
            }

            /// Getter for the [`step_exponent` field](Skin#structfield.step_exponent).
            #[inline]
            pub fn step_exponent(&self) -> ::planus::Result<i8> {
                ::core::result::Result::Ok(self.0.access(1, "Skin", "step_exponent")?.unwrap_or(0))
            }

            /// Getter for the [`max_error` field](Skin#structfield.max_error).
            #[inline]
            pub fn max_error(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(2, "Skin", "max_error")?.unwrap_or(0.0))
            }

            /// Getter for the [`meshes` field](Skin#structfield.meshes).
            #[inline]
            pub fn meshes(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::SkinMeshRef<'a>>>>>
            {
                self.0.access(3, "Skin", "meshes")
            }

            /// Getter for the [`matrices` field](Skin#structfield.matrices).
            #[inline]
            pub fn matrices(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, self::AffineRef<'a>>>> {
                self.0.access(4, "Skin", "matrices")
            }

            /// Getter for the [`bindings` field](Skin#structfield.bindings).
            #[inline]
            pub fn bindings(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, self::SkinBindingRef<'a>>>> {
                self.0.access(5, "Skin", "bindings")
            }

            /// Getter for the [`pieces` field](Skin#structfield.pieces).
            #[inline]
            pub fn pieces(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(6, "Skin", "pieces")?.unwrap_or(0))
            }

            /// Getter for the [`piece_data` field](Skin#structfield.piece_data).
            #[inline]
            pub fn piece_data(&self) -> ::planus::Result<::core::option::Option<&'a [u8]>> {
                self.0.access(7, "Skin", "piece_data")
            }

            /// Getter for the [`morph_targets` field](Skin#structfield.morph_targets).
            #[inline]
            pub fn morph_targets(
                &self,
            ) -> ::planus::Result<
                ::core::option::Option<::planus::Vector<'a, ::planus::Result<self::MorphTargetRef<'a>>>>,
            > {
                self.0.access(8, "Skin", "morph_targets")
            }

            /// Getter for the [`morph_data` field](Skin#structfield.morph_data).
            #[inline]
            pub fn morph_data(&self) -> ::planus::Result<::core::option::Option<&'a [u8]>> {
                self.0.access(9, "Skin", "morph_data")
            }
        }

        impl<'a> ::core::fmt::Debug for SkinRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("SkinRef");
                f.field("encoding", &self.encoding());
                f.field("step_exponent", &self.step_exponent());
                f.field("max_error", &self.max_error());
                if let ::core::option::Option::Some(field_meshes) = self.meshes().transpose() {
                    f.field("meshes", &field_meshes);
                }
                if let ::core::option::Option::Some(field_matrices) = self.matrices().transpose() {
                    f.field("matrices", &field_matrices);
                }
                if let ::core::option::Option::Some(field_bindings) = self.bindings().transpose() {
                    f.field("bindings", &field_bindings);
                }
                f.field("pieces", &self.pieces());
                if let ::core::option::Option::Some(field_piece_data) = self.piece_data().transpose() {
                    f.field("piece_data", &field_piece_data);
                }
                if let ::core::option::Option::Some(field_morph_targets) = self.morph_targets().transpose() {
                    f.field("morph_targets", &field_morph_targets);
                }
                if let ::core::option::Option::Some(field_morph_data) = self.morph_data().transpose() {
                    f.field("morph_data", &field_morph_data);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<SkinRef<'a>> for Skin {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: SkinRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    encoding: ::core::convert::TryInto::try_into(value.encoding()?)?,
                    step_exponent: ::core::convert::TryInto::try_into(value.step_exponent()?)?,
                    max_error: ::core::convert::TryInto::try_into(value.max_error()?)?,
                    meshes: if let ::core::option::Option::Some(meshes) = value.meshes()? {
                        ::core::option::Option::Some(meshes.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    matrices: if let ::core::option::Option::Some(matrices) = value.matrices()? {
                        ::core::option::Option::Some(matrices.to_vec()?)
                    } else {
                        ::core::option::Option::None
                    },
                    bindings: if let ::core::option::Option::Some(bindings) = value.bindings()? {
                        ::core::option::Option::Some(bindings.to_vec()?)
                    } else {
                        ::core::option::Option::None
                    },
                    pieces: ::core::convert::TryInto::try_into(value.pieces()?)?,
                    piece_data: value.piece_data()?.map(|v| v.to_vec()),
                    morph_targets: if let ::core::option::Option::Some(morph_targets) = value.morph_targets()? {
                        ::core::option::Option::Some(morph_targets.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    morph_data: value.morph_data()?.map(|v| v.to_vec()),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for SkinRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for SkinRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset)
                    .map_err(|error_kind| error_kind.with_error_location("[SkinRef]", "get", buffer.offset_from_start))
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Skin>> for Skin {
            type Value = ::planus::Offset<Skin>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Skin>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for SkinRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[SkinRef]", "read_as_root", 0))
            }
        }

        ///  A part of a clip: seconds on the clip's own clock.
        ///
        /// Generated from these locations:
        /// * Struct `Window` in the file `bonebox.fbs:380`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Default)]
        pub struct Window {
            /// The field `start` in the struct `Window`
            pub start: f32,

            /// The field `end` in the struct `Window`
            pub end: f32,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Window {
            const ALIGNMENT: usize = 4;
            const SIZE: usize = 8;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Window> for Window {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<4, 4>();
                self.start.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<4, 0>();
                self.end.write(cur, buffer_position - 4);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Window> for Window {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Window> {
                unsafe {
                    builder.write_with(8, 3, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 8])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Window> for Window {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Window> for Window {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Window].
        #[derive(Copy, Clone)]
        pub struct WindowRef<'a>(::planus::ArrayWithStartOffset<'a, 8>);

        impl<'a> WindowRef<'a> {
            /// Getter for the [`start` field](Window#structfield.start).
            pub fn start(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(0).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`end` field](Window#structfield.end).
            pub fn end(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(4).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for WindowRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("WindowRef");
                f.field("start", &self.start());
                f.field("end", &self.end());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 8>> for WindowRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 8>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<WindowRef<'a>> for Window {
            #[allow(unreachable_code)]
            fn from(value: WindowRef<'a>) -> Self {
                Self { start: value.start(), end: value.end() }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<WindowRef<'a>> for WindowRef<'b> {
            fn eq(&self, other: &WindowRef<'_>) -> bool {
                self.start() == other.start() && self.end() == other.end()
            }
        }

        impl<'a, 'b> ::core::cmp::PartialOrd<WindowRef<'a>> for WindowRef<'b> {
            fn partial_cmp(&self, other: &WindowRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                match self.start().partial_cmp(&other.start()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                self.end().partial_cmp(&other.end())
            }
        }

        impl<'a> ::planus::TableRead<'a> for WindowRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<8>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for WindowRef<'a> {
            const STRIDE: usize = 8;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Window> for Window {
            const STRIDE: usize = 8;

            type Value = Window;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Window], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 8];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (8 * i) as u32,
                    );
                }
            }
        }

        ///  What an attack does when it meets a hitbox.
        ///
        /// Generated from these locations:
        /// * Enum `AttackKind` in the file `bonebox.fbs:386`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum AttackKind {
            /// The variant `Strike` in the enum `AttackKind`
            Strike = 0,

            /// The variant `Grab` in the enum `AttackKind`
            Grab = 1,

            /// The variant `Throw` in the enum `AttackKind`
            Throw = 2,
        }

        impl AttackKind {
            /// Array containing all valid variants of AttackKind
            pub const ENUM_VALUES: [Self; 3] = [Self::Strike, Self::Grab, Self::Throw];
        }

        impl ::core::convert::TryFrom<u8> for AttackKind {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(AttackKind::Strike),
                    1 => ::core::result::Result::Ok(AttackKind::Grab),
                    2 => ::core::result::Result::Ok(AttackKind::Throw),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<AttackKind> for u8 {
            #[inline]
            fn from(value: AttackKind) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for AttackKind {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<AttackKind> for AttackKind {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<AttackKind> for AttackKind {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> AttackKind {
                *self
            }
        }

        impl ::planus::WriteAsDefault<AttackKind, AttackKind> for AttackKind {
            type Prepared = Self;

            #[inline]
            fn prepare(
                &self,
                _builder: &mut ::planus::Builder,
                default: &AttackKind,
            ) -> ::core::option::Option<AttackKind> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<AttackKind> for AttackKind {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<AttackKind> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for AttackKind {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for AttackKind {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location("AttackKind", "VectorRead::from_buffer", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<AttackKind> for AttackKind {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  Hitboxes that attack during parts of a clip.
        ///
        /// Generated from these locations:
        /// * Table `Attack` in the file `bonebox.fbs:393`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Attack {
            ///  Unique among the attacks of the clip, not empty.
            pub name: ::planus::alloc::string::String,
            ///  Index into Character.clips.
            pub clip: u32,
            /// The field `kind` in the table `Attack`
            pub kind: self::AttackKind,
            ///  The hitboxes that attack: indices into Character.boxes, sorted, none twice, at least one.
            pub boxes: ::planus::alloc::vec::Vec<u16>,
            ///  Sorted, at least one. A window begins after the one before has ended.
            pub active: ::planus::alloc::vec::Vec<self::Window>,
            ///  All attacks of a swing with the same group strike a target once. Not empty.
            pub group: ::planus::alloc::string::String,
            ///  The attack with the lowest rank strikes if several attacks of a group meet a target at once.
            pub rank: u16,
            ///  Seconds after which the group can strike the same target again; none if it strikes once.
            pub rehit: ::core::option::Option<f32>,
            ///  The attack meets hitboxes with one of these tags; empty for all hitboxes. Sorted by bytes, no tag twice.
            pub against: ::core::option::Option<::planus::alloc::vec::Vec<::planus::alloc::string::String>>,
            ///  Attacks whose strength is above 0 clash with each other. Not negative.
            pub strength: f32,
            ///  A JSON object that the game defines.
            pub data: ::core::option::Option<::planus::alloc::string::String>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Attack {
            fn default() -> Self {
                Self {
                    name: ::core::default::Default::default(),
                    clip: 0,
                    kind: self::AttackKind::Strike,
                    boxes: ::core::default::Default::default(),
                    active: ::core::default::Default::default(),
                    group: ::core::default::Default::default(),
                    rank: 0,
                    rehit: ::core::default::Default::default(),
                    against: ::core::default::Default::default(),
                    strength: 0.0,
                    data: ::core::default::Default::default(),
                }
            }
        }

        impl Attack {
            /// Creates a [AttackBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> AttackBuilder<()> {
                AttackBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_clip: impl ::planus::WriteAsDefault<u32, u32>,
                field_kind: impl ::planus::WriteAsDefault<self::AttackKind, self::AttackKind>,
                field_boxes: impl ::planus::WriteAs<::planus::Offset<[u16]>>,
                field_active: impl ::planus::WriteAs<::planus::Offset<[self::Window]>>,
                field_group: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_rank: impl ::planus::WriteAsDefault<u16, u16>,
                field_rehit: impl ::planus::WriteAsOptional<f32>,
                field_against: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
                field_strength: impl ::planus::WriteAsDefault<f32, f32>,
                field_data: impl ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            ) -> ::planus::Offset<Self> {
                let prepared_name = field_name.prepare(builder);
                let prepared_clip = field_clip.prepare(builder, &0);
                let prepared_kind = field_kind.prepare(builder, &self::AttackKind::Strike);
                let prepared_boxes = field_boxes.prepare(builder);
                let prepared_active = field_active.prepare(builder);
                let prepared_group = field_group.prepare(builder);
                let prepared_rank = field_rank.prepare(builder, &0);
                let prepared_rehit = field_rehit.prepare(builder);
                let prepared_against = field_against.prepare(builder);
                let prepared_strength = field_strength.prepare(builder, &0.0);
                let prepared_data = field_data.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<26> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                if prepared_clip.is_some() {
                    table_writer.write_entry::<u32>(1);
                }
                table_writer.write_entry::<::planus::Offset<[u16]>>(3);
                table_writer.write_entry::<::planus::Offset<[self::Window]>>(4);
                table_writer.write_entry::<::planus::Offset<str>>(5);
                if prepared_rehit.is_some() {
                    table_writer.write_entry::<f32>(7);
                }
                if prepared_against.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<str>]>>(8);
                }
                if prepared_strength.is_some() {
                    table_writer.write_entry::<f32>(9);
                }
                if prepared_data.is_some() {
                    table_writer.write_entry::<::planus::Offset<str>>(10);
                }
                if prepared_rank.is_some() {
                    table_writer.write_entry::<u16>(6);
                }
                if prepared_kind.is_some() {
                    table_writer.write_entry::<self::AttackKind>(2);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_name);
                        if let ::core::option::Option::Some(prepared_clip) = prepared_clip {
                            object_writer.write::<_, _, 4>(&prepared_clip);
                        }
                        object_writer.write::<_, _, 4>(&prepared_boxes);
                        object_writer.write::<_, _, 4>(&prepared_active);
                        object_writer.write::<_, _, 4>(&prepared_group);
                        if let ::core::option::Option::Some(prepared_rehit) = prepared_rehit {
                            object_writer.write::<_, _, 4>(&prepared_rehit);
                        }
                        if let ::core::option::Option::Some(prepared_against) = prepared_against {
                            object_writer.write::<_, _, 4>(&prepared_against);
                        }
                        if let ::core::option::Option::Some(prepared_strength) = prepared_strength {
                            object_writer.write::<_, _, 4>(&prepared_strength);
                        }
                        if let ::core::option::Option::Some(prepared_data) = prepared_data {
                            object_writer.write::<_, _, 4>(&prepared_data);
                        }
                        if let ::core::option::Option::Some(prepared_rank) = prepared_rank {
                            object_writer.write::<_, _, 2>(&prepared_rank);
                        }
                        if let ::core::option::Option::Some(prepared_kind) = prepared_kind {
                            object_writer.write::<_, _, 1>(&prepared_kind);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Attack>> for Attack {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Attack> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Attack>> for Attack {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Attack>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Attack> for Attack {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Attack> {
                Attack::create(
                    builder,
                    &self.name,
                    self.clip,
                    self.kind,
                    &self.boxes,
                    &self.active,
                    &self.group,
                    self.rank,
                    self.rehit,
                    &self.against,
                    self.strength,
                    &self.data,
                )
            }
        }

        /// Builder for serializing an instance of the [Attack] type.
        ///
        /// Can be created using the [Attack::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct AttackBuilder<State>(State);

        impl AttackBuilder<()> {
            /// Setter for the [`name` field](Attack#structfield.name).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn name<T0>(self, value: T0) -> AttackBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                AttackBuilder((value,))
            }
        }

        impl<T0> AttackBuilder<(T0,)> {
            /// Setter for the [`clip` field](Attack#structfield.clip).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clip<T1>(self, value: T1) -> AttackBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0,) = self.0;
                AttackBuilder((v0, value))
            }

            /// Sets the [`clip` field](Attack#structfield.clip) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clip_as_default(self) -> AttackBuilder<(T0, ::planus::DefaultValue)> {
                self.clip(::planus::DefaultValue)
            }
        }

        impl<T0, T1> AttackBuilder<(T0, T1)> {
            /// Setter for the [`kind` field](Attack#structfield.kind).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn kind<T2>(self, value: T2) -> AttackBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsDefault<self::AttackKind, self::AttackKind>,
            {
                let (v0, v1) = self.0;
                AttackBuilder((v0, v1, value))
            }

            /// Sets the [`kind` field](Attack#structfield.kind) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn kind_as_default(self) -> AttackBuilder<(T0, T1, ::planus::DefaultValue)> {
                self.kind(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2> AttackBuilder<(T0, T1, T2)> {
            /// Setter for the [`boxes` field](Attack#structfield.boxes).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn boxes<T3>(self, value: T3) -> AttackBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            {
                let (v0, v1, v2) = self.0;
                AttackBuilder((v0, v1, v2, value))
            }
        }

        impl<T0, T1, T2, T3> AttackBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`active` field](Attack#structfield.active).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn active<T4>(self, value: T4) -> AttackBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
            {
                let (v0, v1, v2, v3) = self.0;
                AttackBuilder((v0, v1, v2, v3, value))
            }
        }

        impl<T0, T1, T2, T3, T4> AttackBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`group` field](Attack#structfield.group).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn group<T5>(self, value: T5) -> AttackBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAs<::planus::Offset<str>>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                AttackBuilder((v0, v1, v2, v3, v4, value))
            }
        }

        impl<T0, T1, T2, T3, T4, T5> AttackBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Setter for the [`rank` field](Attack#structfield.rank).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn rank<T6>(self, value: T6) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6)>
            where
                T6: ::planus::WriteAsDefault<u16, u16>,
            {
                let (v0, v1, v2, v3, v4, v5) = self.0;
                AttackBuilder((v0, v1, v2, v3, v4, v5, value))
            }

            /// Sets the [`rank` field](Attack#structfield.rank) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn rank_as_default(self) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, ::planus::DefaultValue)> {
                self.rank(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
            /// Setter for the [`rehit` field](Attack#structfield.rehit).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn rehit<T7>(self, value: T7) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
            where
                T7: ::planus::WriteAsOptional<f32>,
            {
                let (v0, v1, v2, v3, v4, v5, v6) = self.0;
                AttackBuilder((v0, v1, v2, v3, v4, v5, v6, value))
            }

            /// Sets the [`rehit` field](Attack#structfield.rehit) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn rehit_as_null(self) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, ())> {
                self.rehit(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
            /// Setter for the [`against` field](Attack#structfield.against).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn against<T8>(self, value: T8) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
            where
                T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7) = self.0;
                AttackBuilder((v0, v1, v2, v3, v4, v5, v6, v7, value))
            }

            /// Sets the [`against` field](Attack#structfield.against) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn against_as_null(self) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, ())> {
                self.against(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)> {
            /// Setter for the [`strength` field](Attack#structfield.strength).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn strength<T9>(self, value: T9) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
            where
                T9: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8) = self.0;
                AttackBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, value))
            }

            /// Sets the [`strength` field](Attack#structfield.strength) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn strength_as_default(
                self,
            ) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, ::planus::DefaultValue)> {
                self.strength(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)> {
            /// Setter for the [`data` field](Attack#structfield.data).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn data<T10>(self, value: T10) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
            where
                T10: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9) = self.0;
                AttackBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, value))
            }

            /// Sets the [`data` field](Attack#structfield.data) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn data_as_null(self) -> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, ())> {
                self.data(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Attack].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Attack>
            where
                Self: ::planus::WriteAsOffset<Attack>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<self::AttackKind, self::AttackKind>,
            T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T4: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
            T5: ::planus::WriteAs<::planus::Offset<str>>,
            T6: ::planus::WriteAsDefault<u16, u16>,
            T7: ::planus::WriteAsOptional<f32>,
            T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            T9: ::planus::WriteAsDefault<f32, f32>,
            T10: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
        > ::planus::WriteAs<::planus::Offset<Attack>> for AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
        {
            type Prepared = ::planus::Offset<Attack>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Attack> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<self::AttackKind, self::AttackKind>,
            T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T4: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
            T5: ::planus::WriteAs<::planus::Offset<str>>,
            T6: ::planus::WriteAsDefault<u16, u16>,
            T7: ::planus::WriteAsOptional<f32>,
            T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            T9: ::planus::WriteAsDefault<f32, f32>,
            T10: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
        > ::planus::WriteAsOptional<::planus::Offset<Attack>>
            for AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
        {
            type Prepared = ::planus::Offset<Attack>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Attack>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<u32, u32>,
            T2: ::planus::WriteAsDefault<self::AttackKind, self::AttackKind>,
            T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T4: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
            T5: ::planus::WriteAs<::planus::Offset<str>>,
            T6: ::planus::WriteAsDefault<u16, u16>,
            T7: ::planus::WriteAsOptional<f32>,
            T8: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<str>]>>,
            T9: ::planus::WriteAsDefault<f32, f32>,
            T10: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
        > ::planus::WriteAsOffset<Attack> for AttackBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Attack> {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10) = &self.0;
                Attack::create(builder, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10)
            }
        }

        /// Reference to a deserialized [Attack].
        #[derive(Copy, Clone)]
        pub struct AttackRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> AttackRef<'a> {
            /// Getter for the [`name` field](Attack#structfield.name).
            #[inline]
            pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "Attack", "name")
            }

            /// Getter for the [`clip` field](Attack#structfield.clip).
            #[inline]
            pub fn clip(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(1, "Attack", "clip")?.unwrap_or(0))
            }

            /// Getter for the [`kind` field](Attack#structfield.kind).
            #[inline]
            pub fn kind(&self) -> ::planus::Result<self::AttackKind> {
                ::core::result::Result::Ok(self.0.access(2, "Attack", "kind")?.unwrap_or(self::AttackKind::Strike))
            }

            /// Getter for the [`boxes` field](Attack#structfield.boxes).
            #[inline]
            pub fn boxes(&self) -> ::planus::Result<::planus::Vector<'a, u16>> {
                self.0.access_required(3, "Attack", "boxes")
            }

            /// Getter for the [`active` field](Attack#structfield.active).
            #[inline]
            pub fn active(&self) -> ::planus::Result<::planus::Vector<'a, self::WindowRef<'a>>> {
                self.0.access_required(4, "Attack", "active")
            }

            /// Getter for the [`group` field](Attack#structfield.group).
            #[inline]
            pub fn group(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(5, "Attack", "group")
            }

            /// Getter for the [`rank` field](Attack#structfield.rank).
            #[inline]
            pub fn rank(&self) -> ::planus::Result<u16> {
                ::core::result::Result::Ok(self.0.access(6, "Attack", "rank")?.unwrap_or(0))
            }

            /// Getter for the [`rehit` field](Attack#structfield.rehit).
            #[inline]
            pub fn rehit(&self) -> ::planus::Result<::core::option::Option<f32>> {
                self.0.access(7, "Attack", "rehit")
            }

            /// Getter for the [`against` field](Attack#structfield.against).
            #[inline]
            pub fn against(
                &self,
            ) -> ::planus::Result<
                ::core::option::Option<::planus::Vector<'a, ::planus::Result<&'a ::core::primitive::str>>>,
            > {
                self.0.access(8, "Attack", "against")
            }

            /// Getter for the [`strength` field](Attack#structfield.strength).
            #[inline]
            pub fn strength(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(9, "Attack", "strength")?.unwrap_or(0.0))
            }

            /// Getter for the [`data` field](Attack#structfield.data).
            #[inline]
            pub fn data(&self) -> ::planus::Result<::core::option::Option<&'a ::core::primitive::str>> {
                self.0.access(10, "Attack", "data")
            }
        }

        impl<'a> ::core::fmt::Debug for AttackRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("AttackRef");
                f.field("name", &self.name());
                f.field("clip", &self.clip());
                f.field("kind", &self.kind());
                f.field("boxes", &self.boxes());
                f.field("active", &self.active());
                f.field("group", &self.group());
                f.field("rank", &self.rank());
                if let ::core::option::Option::Some(field_rehit) = self.rehit().transpose() {
                    f.field("rehit", &field_rehit);
                }
                if let ::core::option::Option::Some(field_against) = self.against().transpose() {
                    f.field("against", &field_against);
                }
                f.field("strength", &self.strength());
                if let ::core::option::Option::Some(field_data) = self.data().transpose() {
                    f.field("data", &field_data);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<AttackRef<'a>> for Attack {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: AttackRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    name: ::core::convert::Into::into(value.name()?),
                    clip: ::core::convert::TryInto::try_into(value.clip()?)?,
                    kind: ::core::convert::TryInto::try_into(value.kind()?)?,
                    boxes: value.boxes()?.to_vec()?,
                    active: value.active()?.to_vec()?,
                    group: ::core::convert::Into::into(value.group()?),
                    rank: ::core::convert::TryInto::try_into(value.rank()?)?,
                    rehit: if let ::core::option::Option::Some(rehit) = value.rehit()? {
                        ::core::option::Option::Some(::core::convert::TryInto::try_into(rehit)?)
                    } else {
                        ::core::option::Option::None
                    },
                    against: if let ::core::option::Option::Some(against) = value.against()? {
                        ::core::option::Option::Some(against.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    strength: ::core::convert::TryInto::try_into(value.strength()?)?,
                    data: value.data()?.map(::core::convert::Into::into),
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for AttackRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for AttackRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[AttackRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Attack>> for Attack {
            type Value = ::planus::Offset<Attack>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Attack>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for AttackRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[AttackRef]", "read_as_root", 0))
            }
        }

        ///  What hitboxes are during parts of a clip.
        ///
        /// Generated from these locations:
        /// * Enum `StateKind` in the file `bonebox.fbs:418`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum StateKind {
            /// The variant `Invulnerable` in the enum `StateKind`
            Invulnerable = 0,

            /// The variant `Guard` in the enum `StateKind`
            Guard = 1,

            /// The variant `Armor` in the enum `StateKind`
            Armor = 2,

            /// The variant `Grabbable` in the enum `StateKind`
            Grabbable = 3,
        }

        impl StateKind {
            /// Array containing all valid variants of StateKind
            pub const ENUM_VALUES: [Self; 4] = [Self::Invulnerable, Self::Guard, Self::Armor, Self::Grabbable];
        }

        impl ::core::convert::TryFrom<u8> for StateKind {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(StateKind::Invulnerable),
                    1 => ::core::result::Result::Ok(StateKind::Guard),
                    2 => ::core::result::Result::Ok(StateKind::Armor),
                    3 => ::core::result::Result::Ok(StateKind::Grabbable),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<StateKind> for u8 {
            #[inline]
            fn from(value: StateKind) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for StateKind {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<StateKind> for StateKind {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<StateKind> for StateKind {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> StateKind {
                *self
            }
        }

        impl ::planus::WriteAsDefault<StateKind, StateKind> for StateKind {
            type Prepared = Self;

            #[inline]
            fn prepare(
                &self,
                _builder: &mut ::planus::Builder,
                default: &StateKind,
            ) -> ::core::option::Option<StateKind> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<StateKind> for StateKind {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<StateKind> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for StateKind {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for StateKind {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location("StateKind", "VectorRead::from_buffer", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<StateKind> for StateKind {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  Hitboxes that are in a state during parts of a clip.
        ///
        /// Generated from these locations:
        /// * Table `ClipState` in the file `bonebox.fbs:426`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct ClipState {
            ///  Index into Character.clips.
            pub clip: u32,
            /// The field `kind` in the table `ClipState`
            pub kind: self::StateKind,
            ///  Indices into Character.boxes, sorted, none twice, at least one.
            pub boxes: ::planus::alloc::vec::Vec<u16>,
            ///  Sorted, at least one. A window begins after the one before has ended.
            pub active: ::planus::alloc::vec::Vec<self::Window>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for ClipState {
            fn default() -> Self {
                Self {
                    clip: 0,
                    kind: self::StateKind::Invulnerable,
                    boxes: ::core::default::Default::default(),
                    active: ::core::default::Default::default(),
                }
            }
        }

        impl ClipState {
            /// Creates a [ClipStateBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> ClipStateBuilder<()> {
                ClipStateBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_clip: impl ::planus::WriteAsDefault<u32, u32>,
                field_kind: impl ::planus::WriteAsDefault<self::StateKind, self::StateKind>,
                field_boxes: impl ::planus::WriteAs<::planus::Offset<[u16]>>,
                field_active: impl ::planus::WriteAs<::planus::Offset<[self::Window]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_clip = field_clip.prepare(builder, &0);
                let prepared_kind = field_kind.prepare(builder, &self::StateKind::Invulnerable);
                let prepared_boxes = field_boxes.prepare(builder);
                let prepared_active = field_active.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<12> = ::core::default::Default::default();
                if prepared_clip.is_some() {
                    table_writer.write_entry::<u32>(0);
                }
                table_writer.write_entry::<::planus::Offset<[u16]>>(2);
                table_writer.write_entry::<::planus::Offset<[self::Window]>>(3);
                if prepared_kind.is_some() {
                    table_writer.write_entry::<self::StateKind>(1);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        if let ::core::option::Option::Some(prepared_clip) = prepared_clip {
                            object_writer.write::<_, _, 4>(&prepared_clip);
                        }
                        object_writer.write::<_, _, 4>(&prepared_boxes);
                        object_writer.write::<_, _, 4>(&prepared_active);
                        if let ::core::option::Option::Some(prepared_kind) = prepared_kind {
                            object_writer.write::<_, _, 1>(&prepared_kind);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<ClipState>> for ClipState {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<ClipState> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<ClipState>> for ClipState {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<ClipState>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<ClipState> for ClipState {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<ClipState> {
                ClipState::create(builder, self.clip, self.kind, &self.boxes, &self.active)
            }
        }

        /// Builder for serializing an instance of the [ClipState] type.
        ///
        /// Can be created using the [ClipState::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct ClipStateBuilder<State>(State);

        impl ClipStateBuilder<()> {
            /// Setter for the [`clip` field](ClipState#structfield.clip).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clip<T0>(self, value: T0) -> ClipStateBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<u32, u32>,
            {
                ClipStateBuilder((value,))
            }

            /// Sets the [`clip` field](ClipState#structfield.clip) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clip_as_default(self) -> ClipStateBuilder<(::planus::DefaultValue,)> {
                self.clip(::planus::DefaultValue)
            }
        }

        impl<T0> ClipStateBuilder<(T0,)> {
            /// Setter for the [`kind` field](ClipState#structfield.kind).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn kind<T1>(self, value: T1) -> ClipStateBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<self::StateKind, self::StateKind>,
            {
                let (v0,) = self.0;
                ClipStateBuilder((v0, value))
            }

            /// Sets the [`kind` field](ClipState#structfield.kind) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn kind_as_default(self) -> ClipStateBuilder<(T0, ::planus::DefaultValue)> {
                self.kind(::planus::DefaultValue)
            }
        }

        impl<T0, T1> ClipStateBuilder<(T0, T1)> {
            /// Setter for the [`boxes` field](ClipState#structfield.boxes).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn boxes<T2>(self, value: T2) -> ClipStateBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAs<::planus::Offset<[u16]>>,
            {
                let (v0, v1) = self.0;
                ClipStateBuilder((v0, v1, value))
            }
        }

        impl<T0, T1, T2> ClipStateBuilder<(T0, T1, T2)> {
            /// Setter for the [`active` field](ClipState#structfield.active).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn active<T3>(self, value: T3) -> ClipStateBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
            {
                let (v0, v1, v2) = self.0;
                ClipStateBuilder((v0, v1, v2, value))
            }
        }

        impl<T0, T1, T2, T3> ClipStateBuilder<(T0, T1, T2, T3)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [ClipState].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<ClipState>
            where
                Self: ::planus::WriteAsOffset<ClipState>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u32, u32>,
            T1: ::planus::WriteAsDefault<self::StateKind, self::StateKind>,
            T2: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T3: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
        > ::planus::WriteAs<::planus::Offset<ClipState>> for ClipStateBuilder<(T0, T1, T2, T3)>
        {
            type Prepared = ::planus::Offset<ClipState>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<ClipState> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u32, u32>,
            T1: ::planus::WriteAsDefault<self::StateKind, self::StateKind>,
            T2: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T3: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
        > ::planus::WriteAsOptional<::planus::Offset<ClipState>> for ClipStateBuilder<(T0, T1, T2, T3)>
        {
            type Prepared = ::planus::Offset<ClipState>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<ClipState>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u32, u32>,
            T1: ::planus::WriteAsDefault<self::StateKind, self::StateKind>,
            T2: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T3: ::planus::WriteAs<::planus::Offset<[self::Window]>>,
        > ::planus::WriteAsOffset<ClipState> for ClipStateBuilder<(T0, T1, T2, T3)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<ClipState> {
                let (v0, v1, v2, v3) = &self.0;
                ClipState::create(builder, v0, v1, v2, v3)
            }
        }

        /// Reference to a deserialized [ClipState].
        #[derive(Copy, Clone)]
        pub struct ClipStateRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> ClipStateRef<'a> {
            /// Getter for the [`clip` field](ClipState#structfield.clip).
            #[inline]
            pub fn clip(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(0, "ClipState", "clip")?.unwrap_or(0))
            }

            /// Getter for the [`kind` field](ClipState#structfield.kind).
            #[inline]
            pub fn kind(&self) -> ::planus::Result<self::StateKind> {
                ::core::result::Result::Ok(
                    self.0.access(1, "ClipState", "kind")?.unwrap_or(self::StateKind::Invulnerable),
                )
            }

            /// Getter for the [`boxes` field](ClipState#structfield.boxes).
            #[inline]
            pub fn boxes(&self) -> ::planus::Result<::planus::Vector<'a, u16>> {
                self.0.access_required(2, "ClipState", "boxes")
            }

            /// Getter for the [`active` field](ClipState#structfield.active).
            #[inline]
            pub fn active(&self) -> ::planus::Result<::planus::Vector<'a, self::WindowRef<'a>>> {
                self.0.access_required(3, "ClipState", "active")
            }
        }

        impl<'a> ::core::fmt::Debug for ClipStateRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("ClipStateRef");
                f.field("clip", &self.clip());
                f.field("kind", &self.kind());
                f.field("boxes", &self.boxes());
                f.field("active", &self.active());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<ClipStateRef<'a>> for ClipState {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: ClipStateRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    clip: ::core::convert::TryInto::try_into(value.clip()?)?,
                    kind: ::core::convert::TryInto::try_into(value.kind()?)?,
                    boxes: value.boxes()?.to_vec()?,
                    active: value.active()?.to_vec()?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for ClipStateRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for ClipStateRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[ClipStateRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<ClipState>> for ClipState {
            type Value = ::planus::Offset<ClipState>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<ClipState>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for ClipStateRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[ClipStateRef]", "read_as_root", 0))
            }
        }

        ///  A symmetric tensor, in kg m².
        ///
        /// Generated from these locations:
        /// * Struct `Inertia` in the file `bonebox.fbs:437`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Default)]
        pub struct Inertia {
            /// The field `xx` in the struct `Inertia`
            pub xx: f32,

            /// The field `yy` in the struct `Inertia`
            pub yy: f32,

            /// The field `zz` in the struct `Inertia`
            pub zz: f32,

            /// The field `xy` in the struct `Inertia`
            pub xy: f32,

            /// The field `xz` in the struct `Inertia`
            pub xz: f32,

            /// The field `yz` in the struct `Inertia`
            pub yz: f32,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for Inertia {
            const ALIGNMENT: usize = 4;
            const SIZE: usize = 24;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<Inertia> for Inertia {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<4, 20>();
                self.xx.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<4, 16>();
                self.yy.write(cur, buffer_position - 4);
                let (cur, cursor) = cursor.split::<4, 12>();
                self.zz.write(cur, buffer_position - 8);
                let (cur, cursor) = cursor.split::<4, 8>();
                self.xy.write(cur, buffer_position - 12);
                let (cur, cursor) = cursor.split::<4, 4>();
                self.xz.write(cur, buffer_position - 16);
                let (cur, cursor) = cursor.split::<4, 0>();
                self.yz.write(cur, buffer_position - 20);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<Inertia> for Inertia {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Inertia> {
                unsafe {
                    builder.write_with(24, 3, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 24])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<Inertia> for Inertia {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<Inertia> for Inertia {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [Inertia].
        #[derive(Copy, Clone)]
        pub struct InertiaRef<'a>(::planus::ArrayWithStartOffset<'a, 24>);

        impl<'a> InertiaRef<'a> {
            /// Getter for the [`xx` field](Inertia#structfield.xx).
            pub fn xx(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(0).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`yy` field](Inertia#structfield.yy).
            pub fn yy(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(4).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`zz` field](Inertia#structfield.zz).
            pub fn zz(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(8).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`xy` field](Inertia#structfield.xy).
            pub fn xy(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(12).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`xz` field](Inertia#structfield.xz).
            pub fn xz(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(16).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`yz` field](Inertia#structfield.yz).
            pub fn yz(&self) -> f32 {
                let buffer = self.0.advance_as_array::<4>(20).unwrap();

                f32::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for InertiaRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("InertiaRef");
                f.field("xx", &self.xx());
                f.field("yy", &self.yy());
                f.field("zz", &self.zz());
                f.field("xy", &self.xy());
                f.field("xz", &self.xz());
                f.field("yz", &self.yz());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 24>> for InertiaRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 24>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<InertiaRef<'a>> for Inertia {
            #[allow(unreachable_code)]
            fn from(value: InertiaRef<'a>) -> Self {
                Self { xx: value.xx(), yy: value.yy(), zz: value.zz(), xy: value.xy(), xz: value.xz(), yz: value.yz() }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<InertiaRef<'a>> for InertiaRef<'b> {
            fn eq(&self, other: &InertiaRef<'_>) -> bool {
                self.xx() == other.xx()
                    && self.yy() == other.yy()
                    && self.zz() == other.zz()
                    && self.xy() == other.xy()
                    && self.xz() == other.xz()
                    && self.yz() == other.yz()
            }
        }

        impl<'a, 'b> ::core::cmp::PartialOrd<InertiaRef<'a>> for InertiaRef<'b> {
            fn partial_cmp(&self, other: &InertiaRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                match self.xx().partial_cmp(&other.xx()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.yy().partial_cmp(&other.yy()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.zz().partial_cmp(&other.zz()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.xy().partial_cmp(&other.xy()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                match self.xz().partial_cmp(&other.xz()) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => (),
                    o => return o,
                }

                self.yz().partial_cmp(&other.yz())
            }
        }

        impl<'a> ::planus::TableRead<'a> for InertiaRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<24>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for InertiaRef<'a> {
            const STRIDE: usize = 24;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<Inertia> for Inertia {
            const STRIDE: usize = 24;

            type Value = Inertia;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Inertia], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 24];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (24 * i) as u32,
                    );
                }
            }
        }

        ///  The axes that a constraint leaves free.
        ///
        /// Generated from these locations:
        /// * Enum `ConstraintKind` in the file `bonebox.fbs:447`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum ConstraintKind {
            /// The variant `Ball` in the enum `ConstraintKind`
            Ball = 0,

            /// The variant `Hinge` in the enum `ConstraintKind`
            Hinge = 1,
        }

        impl ConstraintKind {
            /// Array containing all valid variants of ConstraintKind
            pub const ENUM_VALUES: [Self; 2] = [Self::Ball, Self::Hinge];
        }

        impl ::core::convert::TryFrom<u8> for ConstraintKind {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(ConstraintKind::Ball),
                    1 => ::core::result::Result::Ok(ConstraintKind::Hinge),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<ConstraintKind> for u8 {
            #[inline]
            fn from(value: ConstraintKind) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for ConstraintKind {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<ConstraintKind> for ConstraintKind {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<ConstraintKind> for ConstraintKind {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ConstraintKind {
                *self
            }
        }

        impl ::planus::WriteAsDefault<ConstraintKind, ConstraintKind> for ConstraintKind {
            type Prepared = Self;

            #[inline]
            fn prepare(
                &self,
                _builder: &mut ::planus::Builder,
                default: &ConstraintKind,
            ) -> ::core::option::Option<ConstraintKind> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<ConstraintKind> for ConstraintKind {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<ConstraintKind> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for ConstraintKind {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for ConstraintKind {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location(
                        "ConstraintKind",
                        "VectorRead::from_buffer",
                        buffer.offset_from_start,
                    )
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<ConstraintKind> for ConstraintKind {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  Where the limits of a constraint come from.
        ///
        /// Generated from these locations:
        /// * Enum `LimitSource` in the file `bonebox.fbs:453`
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum LimitSource {
            /// The variant `Clips` in the enum `LimitSource`
            Clips = 0,

            /// The variant `HumanRange` in the enum `LimitSource`
            HumanRange = 1,

            /// The variant `Settings` in the enum `LimitSource`
            Settings = 2,

            /// The variant `Unknown` in the enum `LimitSource`
            Unknown = 3,
        }

        impl LimitSource {
            /// Array containing all valid variants of LimitSource
            pub const ENUM_VALUES: [Self; 4] = [Self::Clips, Self::HumanRange, Self::Settings, Self::Unknown];
        }

        impl ::core::convert::TryFrom<u8> for LimitSource {
            type Error = ::planus::errors::UnknownEnumTagKind;
            #[inline]
            fn try_from(value: u8) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTagKind> {
                #[allow(clippy::match_single_binding)]
                match value {
                    0 => ::core::result::Result::Ok(LimitSource::Clips),
                    1 => ::core::result::Result::Ok(LimitSource::HumanRange),
                    2 => ::core::result::Result::Ok(LimitSource::Settings),
                    3 => ::core::result::Result::Ok(LimitSource::Unknown),

                    _ => ::core::result::Result::Err(::planus::errors::UnknownEnumTagKind { tag: value as i128 }),
                }
            }
        }

        impl ::core::convert::From<LimitSource> for u8 {
            #[inline]
            fn from(value: LimitSource) -> Self {
                value as u8
            }
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for LimitSource {
            const ALIGNMENT: usize = 1;
            const SIZE: usize = 1;
        }

        impl ::planus::WriteAsPrimitive<LimitSource> for LimitSource {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                (*self as u8).write(cursor, buffer_position);
            }
        }

        impl ::planus::WriteAs<LimitSource> for LimitSource {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> LimitSource {
                *self
            }
        }

        impl ::planus::WriteAsDefault<LimitSource, LimitSource> for LimitSource {
            type Prepared = Self;

            #[inline]
            fn prepare(
                &self,
                _builder: &mut ::planus::Builder,
                default: &LimitSource,
            ) -> ::core::option::Option<LimitSource> {
                if self == default { ::core::option::Option::None } else { ::core::option::Option::Some(*self) }
            }
        }

        impl ::planus::WriteAsOptional<LimitSource> for LimitSource {
            type Prepared = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<LimitSource> {
                ::core::option::Option::Some(*self)
            }
        }

        impl<'buf> ::planus::TableRead<'buf> for LimitSource {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let n: u8 = ::planus::TableRead::from_buffer(buffer, offset)?;
                ::core::result::Result::Ok(::core::convert::TryInto::try_into(n)?)
            }
        }

        impl<'buf> ::planus::VectorReadInner<'buf> for LimitSource {
            type Error = ::planus::errors::UnknownEnumTag;
            const STRIDE: usize = 1;
            #[inline]
            unsafe fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'buf>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::UnknownEnumTag> {
                let value = unsafe { *buffer.buffer.get_unchecked(offset) };
                let value: ::core::result::Result<Self, _> = ::core::convert::TryInto::try_into(value);
                value.map_err(|error_kind| {
                    error_kind.with_error_location("LimitSource", "VectorRead::from_buffer", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<LimitSource> for LimitSource {
            const STRIDE: usize = 1;

            type Value = Self;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }

            #[inline]
            unsafe fn write_values(values: &[Self], bytes: *mut ::core::mem::MaybeUninit<u8>, buffer_position: u32) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 1];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - i as u32,
                    );
                }
            }
        }

        ///  Holds a body at its parent body: both have the origin of the child's joint in common. With
        ///  `parent_frame_from_child_frame = swing * twist`, the twist turns about the frame's axis x, and the swing about an axis at
        ///  right angles to x. The swing vector is that axis times the angle.
        ///
        /// Generated from these locations:
        /// * Table `Constraint` in the file `bonebox.fbs:463`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Constraint {
            ///  Index into Ragdoll.bodies, below that of the body.
            pub parent: u16,
            /// The field `kind` in the table `Constraint`
            pub kind: self::ConstraintKind,
            ///  The origin of both frames in the space of the parent, in meters.
            pub anchor: self::Vec3,
            ///  The rotations of the frames in the spaces of the parent and of the body, unit quaternions.
            pub parent_from_frame: self::Quat,
            /// The field `body_from_frame` in the table `Constraint`
            pub body_from_frame: self::Quat,
            ///  The largest twist, and the largest y and z of the swing vector, in radians, 0 to pi. A hinge has no swing.
            pub limits: self::Vec3,
            ///  N m for each radian from the middle of the range. Not negative.
            pub stiffness: f32,
            ///  N m for each radian per second. Not negative.
            pub damping: f32,
            /// The field `limits_from` in the table `Constraint`
            pub limits_from: self::LimitSource,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Constraint {
            fn default() -> Self {
                Self {
                    parent: 0,
                    kind: self::ConstraintKind::Ball,
                    anchor: ::core::default::Default::default(),
                    parent_from_frame: ::core::default::Default::default(),
                    body_from_frame: ::core::default::Default::default(),
                    limits: ::core::default::Default::default(),
                    stiffness: 0.0,
                    damping: 0.0,
                    limits_from: self::LimitSource::Clips,
                }
            }
        }

        impl Constraint {
            /// Creates a [ConstraintBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> ConstraintBuilder<()> {
                ConstraintBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_parent: impl ::planus::WriteAsDefault<u16, u16>,
                field_kind: impl ::planus::WriteAsDefault<self::ConstraintKind, self::ConstraintKind>,
                field_anchor: impl ::planus::WriteAs<self::Vec3>,
                field_parent_from_frame: impl ::planus::WriteAs<self::Quat>,
                field_body_from_frame: impl ::planus::WriteAs<self::Quat>,
                field_limits: impl ::planus::WriteAs<self::Vec3>,
                field_stiffness: impl ::planus::WriteAsDefault<f32, f32>,
                field_damping: impl ::planus::WriteAsDefault<f32, f32>,
                field_limits_from: impl ::planus::WriteAsDefault<self::LimitSource, self::LimitSource>,
            ) -> ::planus::Offset<Self> {
                let prepared_parent = field_parent.prepare(builder, &0);
                let prepared_kind = field_kind.prepare(builder, &self::ConstraintKind::Ball);
                let prepared_anchor = field_anchor.prepare(builder);
                let prepared_parent_from_frame = field_parent_from_frame.prepare(builder);
                let prepared_body_from_frame = field_body_from_frame.prepare(builder);
                let prepared_limits = field_limits.prepare(builder);
                let prepared_stiffness = field_stiffness.prepare(builder, &0.0);
                let prepared_damping = field_damping.prepare(builder, &0.0);
                let prepared_limits_from = field_limits_from.prepare(builder, &self::LimitSource::Clips);

                let mut table_writer: ::planus::table_writer::TableWriter<22> = ::core::default::Default::default();
                table_writer.write_entry::<self::Vec3>(2);
                table_writer.write_entry::<self::Quat>(3);
                table_writer.write_entry::<self::Quat>(4);
                table_writer.write_entry::<self::Vec3>(5);
                if prepared_stiffness.is_some() {
                    table_writer.write_entry::<f32>(6);
                }
                if prepared_damping.is_some() {
                    table_writer.write_entry::<f32>(7);
                }
                if prepared_parent.is_some() {
                    table_writer.write_entry::<u16>(0);
                }
                if prepared_kind.is_some() {
                    table_writer.write_entry::<self::ConstraintKind>(1);
                }
                if prepared_limits_from.is_some() {
                    table_writer.write_entry::<self::LimitSource>(8);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 12>(&prepared_anchor);
                        object_writer.write::<_, _, 16>(&prepared_parent_from_frame);
                        object_writer.write::<_, _, 16>(&prepared_body_from_frame);
                        object_writer.write::<_, _, 12>(&prepared_limits);
                        if let ::core::option::Option::Some(prepared_stiffness) = prepared_stiffness {
                            object_writer.write::<_, _, 4>(&prepared_stiffness);
                        }
                        if let ::core::option::Option::Some(prepared_damping) = prepared_damping {
                            object_writer.write::<_, _, 4>(&prepared_damping);
                        }
                        if let ::core::option::Option::Some(prepared_parent) = prepared_parent {
                            object_writer.write::<_, _, 2>(&prepared_parent);
                        }
                        if let ::core::option::Option::Some(prepared_kind) = prepared_kind {
                            object_writer.write::<_, _, 1>(&prepared_kind);
                        }
                        if let ::core::option::Option::Some(prepared_limits_from) = prepared_limits_from {
                            object_writer.write::<_, _, 1>(&prepared_limits_from);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Constraint>> for Constraint {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Constraint> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Constraint>> for Constraint {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Constraint>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Constraint> for Constraint {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Constraint> {
                Constraint::create(
                    builder,
                    self.parent,
                    self.kind,
                    self.anchor,
                    self.parent_from_frame,
                    self.body_from_frame,
                    self.limits,
                    self.stiffness,
                    self.damping,
                    self.limits_from,
                )
            }
        }

        /// Builder for serializing an instance of the [Constraint] type.
        ///
        /// Can be created using the [Constraint::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct ConstraintBuilder<State>(State);

        impl ConstraintBuilder<()> {
            /// Setter for the [`parent` field](Constraint#structfield.parent).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn parent<T0>(self, value: T0) -> ConstraintBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<u16, u16>,
            {
                ConstraintBuilder((value,))
            }

            /// Sets the [`parent` field](Constraint#structfield.parent) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn parent_as_default(self) -> ConstraintBuilder<(::planus::DefaultValue,)> {
                self.parent(::planus::DefaultValue)
            }
        }

        impl<T0> ConstraintBuilder<(T0,)> {
            /// Setter for the [`kind` field](Constraint#structfield.kind).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn kind<T1>(self, value: T1) -> ConstraintBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsDefault<self::ConstraintKind, self::ConstraintKind>,
            {
                let (v0,) = self.0;
                ConstraintBuilder((v0, value))
            }

            /// Sets the [`kind` field](Constraint#structfield.kind) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn kind_as_default(self) -> ConstraintBuilder<(T0, ::planus::DefaultValue)> {
                self.kind(::planus::DefaultValue)
            }
        }

        impl<T0, T1> ConstraintBuilder<(T0, T1)> {
            /// Setter for the [`anchor` field](Constraint#structfield.anchor).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn anchor<T2>(self, value: T2) -> ConstraintBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAs<self::Vec3>,
            {
                let (v0, v1) = self.0;
                ConstraintBuilder((v0, v1, value))
            }
        }

        impl<T0, T1, T2> ConstraintBuilder<(T0, T1, T2)> {
            /// Setter for the [`parent_from_frame` field](Constraint#structfield.parent_from_frame).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn parent_from_frame<T3>(self, value: T3) -> ConstraintBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAs<self::Quat>,
            {
                let (v0, v1, v2) = self.0;
                ConstraintBuilder((v0, v1, v2, value))
            }
        }

        impl<T0, T1, T2, T3> ConstraintBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`body_from_frame` field](Constraint#structfield.body_from_frame).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn body_from_frame<T4>(self, value: T4) -> ConstraintBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAs<self::Quat>,
            {
                let (v0, v1, v2, v3) = self.0;
                ConstraintBuilder((v0, v1, v2, v3, value))
            }
        }

        impl<T0, T1, T2, T3, T4> ConstraintBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`limits` field](Constraint#structfield.limits).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn limits<T5>(self, value: T5) -> ConstraintBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAs<self::Vec3>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                ConstraintBuilder((v0, v1, v2, v3, v4, value))
            }
        }

        impl<T0, T1, T2, T3, T4, T5> ConstraintBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Setter for the [`stiffness` field](Constraint#structfield.stiffness).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn stiffness<T6>(self, value: T6) -> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6)>
            where
                T6: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2, v3, v4, v5) = self.0;
                ConstraintBuilder((v0, v1, v2, v3, v4, v5, value))
            }

            /// Sets the [`stiffness` field](Constraint#structfield.stiffness) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn stiffness_as_default(self) -> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, ::planus::DefaultValue)> {
                self.stiffness(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
            /// Setter for the [`damping` field](Constraint#structfield.damping).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn damping<T7>(self, value: T7) -> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
            where
                T7: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2, v3, v4, v5, v6) = self.0;
                ConstraintBuilder((v0, v1, v2, v3, v4, v5, v6, value))
            }

            /// Sets the [`damping` field](Constraint#structfield.damping) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn damping_as_default(self) -> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, ::planus::DefaultValue)> {
                self.damping(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
            /// Setter for the [`limits_from` field](Constraint#structfield.limits_from).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn limits_from<T8>(self, value: T8) -> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
            where
                T8: ::planus::WriteAsDefault<self::LimitSource, self::LimitSource>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7) = self.0;
                ConstraintBuilder((v0, v1, v2, v3, v4, v5, v6, v7, value))
            }

            /// Sets the [`limits_from` field](Constraint#structfield.limits_from) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn limits_from_as_default(
                self,
            ) -> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, ::planus::DefaultValue)> {
                self.limits_from(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8> ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Constraint].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Constraint>
            where
                Self: ::planus::WriteAsOffset<Constraint>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsDefault<self::ConstraintKind, self::ConstraintKind>,
            T2: ::planus::WriteAs<self::Vec3>,
            T3: ::planus::WriteAs<self::Quat>,
            T4: ::planus::WriteAs<self::Quat>,
            T5: ::planus::WriteAs<self::Vec3>,
            T6: ::planus::WriteAsDefault<f32, f32>,
            T7: ::planus::WriteAsDefault<f32, f32>,
            T8: ::planus::WriteAsDefault<self::LimitSource, self::LimitSource>,
        > ::planus::WriteAs<::planus::Offset<Constraint>> for ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
        {
            type Prepared = ::planus::Offset<Constraint>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Constraint> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsDefault<self::ConstraintKind, self::ConstraintKind>,
            T2: ::planus::WriteAs<self::Vec3>,
            T3: ::planus::WriteAs<self::Quat>,
            T4: ::planus::WriteAs<self::Quat>,
            T5: ::planus::WriteAs<self::Vec3>,
            T6: ::planus::WriteAsDefault<f32, f32>,
            T7: ::planus::WriteAsDefault<f32, f32>,
            T8: ::planus::WriteAsDefault<self::LimitSource, self::LimitSource>,
        > ::planus::WriteAsOptional<::planus::Offset<Constraint>>
            for ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
        {
            type Prepared = ::planus::Offset<Constraint>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Constraint>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAsDefault<self::ConstraintKind, self::ConstraintKind>,
            T2: ::planus::WriteAs<self::Vec3>,
            T3: ::planus::WriteAs<self::Quat>,
            T4: ::planus::WriteAs<self::Quat>,
            T5: ::planus::WriteAs<self::Vec3>,
            T6: ::planus::WriteAsDefault<f32, f32>,
            T7: ::planus::WriteAsDefault<f32, f32>,
            T8: ::planus::WriteAsDefault<self::LimitSource, self::LimitSource>,
        > ::planus::WriteAsOffset<Constraint> for ConstraintBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Constraint> {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8) = &self.0;
                Constraint::create(builder, v0, v1, v2, v3, v4, v5, v6, v7, v8)
            }
        }

        /// Reference to a deserialized [Constraint].
        #[derive(Copy, Clone)]
        pub struct ConstraintRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> ConstraintRef<'a> {
            /// Getter for the [`parent` field](Constraint#structfield.parent).
            #[inline]
            pub fn parent(&self) -> ::planus::Result<u16> {
                ::core::result::Result::Ok(self.0.access(0, "Constraint", "parent")?.unwrap_or(0))
            }

            /// Getter for the [`kind` field](Constraint#structfield.kind).
            #[inline]
            pub fn kind(&self) -> ::planus::Result<self::ConstraintKind> {
                ::core::result::Result::Ok(
                    self.0.access(1, "Constraint", "kind")?.unwrap_or(self::ConstraintKind::Ball),
                )
            }

            /// Getter for the [`anchor` field](Constraint#structfield.anchor).
            #[inline]
            pub fn anchor(&self) -> ::planus::Result<self::Vec3Ref<'a>> {
                self.0.access_required(2, "Constraint", "anchor")
            }

            /// Getter for the [`parent_from_frame` field](Constraint#structfield.parent_from_frame).
            #[inline]
            pub fn parent_from_frame(&self) -> ::planus::Result<self::QuatRef<'a>> {
                self.0.access_required(3, "Constraint", "parent_from_frame")
            }

            /// Getter for the [`body_from_frame` field](Constraint#structfield.body_from_frame).
            #[inline]
            pub fn body_from_frame(&self) -> ::planus::Result<self::QuatRef<'a>> {
                self.0.access_required(4, "Constraint", "body_from_frame")
            }

            /// Getter for the [`limits` field](Constraint#structfield.limits).
            #[inline]
            pub fn limits(&self) -> ::planus::Result<self::Vec3Ref<'a>> {
                self.0.access_required(5, "Constraint", "limits")
            }

            /// Getter for the [`stiffness` field](Constraint#structfield.stiffness).
            #[inline]
            pub fn stiffness(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(6, "Constraint", "stiffness")?.unwrap_or(0.0))
            }

            /// Getter for the [`damping` field](Constraint#structfield.damping).
            #[inline]
            pub fn damping(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(7, "Constraint", "damping")?.unwrap_or(0.0))
            }

            /// Getter for the [`limits_from` field](Constraint#structfield.limits_from).
            #[inline]
            pub fn limits_from(&self) -> ::planus::Result<self::LimitSource> {
                ::core::result::Result::Ok(
                    self.0.access(8, "Constraint", "limits_from")?.unwrap_or(self::LimitSource::Clips),
                )
            }
        }

        impl<'a> ::core::fmt::Debug for ConstraintRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("ConstraintRef");
                f.field("parent", &self.parent());
                f.field("kind", &self.kind());
                f.field("anchor", &self.anchor());
                f.field("parent_from_frame", &self.parent_from_frame());
                f.field("body_from_frame", &self.body_from_frame());
                f.field("limits", &self.limits());
                f.field("stiffness", &self.stiffness());
                f.field("damping", &self.damping());
                f.field("limits_from", &self.limits_from());
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<ConstraintRef<'a>> for Constraint {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: ConstraintRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    parent: ::core::convert::TryInto::try_into(value.parent()?)?,
                    kind: ::core::convert::TryInto::try_into(value.kind()?)?,
                    anchor: ::core::convert::Into::into(value.anchor()?),
                    parent_from_frame: ::core::convert::Into::into(value.parent_from_frame()?),
                    body_from_frame: ::core::convert::Into::into(value.body_from_frame()?),
                    limits: ::core::convert::Into::into(value.limits()?),
                    stiffness: ::core::convert::TryInto::try_into(value.stiffness()?)?,
                    damping: ::core::convert::TryInto::try_into(value.damping()?)?,
                    limits_from: ::core::convert::TryInto::try_into(value.limits_from()?)?,
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for ConstraintRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for ConstraintRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[ConstraintRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Constraint>> for Constraint {
            type Value = ::planus::Offset<Constraint>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Constraint>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for ConstraintRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[ConstraintRef]", "read_as_root", 0))
            }
        }

        ///  A rigid body. Its space is rigid and in meters: the origin is that of the joint, and the axes are those of the joint in the
        ///  rest pose, without scale.
        ///
        /// Generated from these locations:
        /// * Table `RagdollBody` in the file `bonebox.fbs:483`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct RagdollBody {
            ///  Index into Character.joints. No two bodies have the same joint.
            pub joint: u16,
            ///  The place of the body in the rest pose, in model space: `model_from_body`.
            pub position: self::Vec3,
            /// The field `rotation` in the table `RagdollBody`
            pub rotation: self::Quat,
            ///  The hitboxes whose shapes the body has: indices into Character.boxes, sorted, at least one. No box is in two bodies.
            pub boxes: ::planus::alloc::vec::Vec<u16>,
            ///  In kilograms, above 0.
            pub mass: f32,
            ///  In the space of the body, in meters.
            pub center_of_mass: self::Vec3,
            ///  About the center of mass, along the axes of the body. Positive definite.
            pub inertia: self::Inertia,
            ///  Absent for the root of a tree.
            pub constraint: ::core::option::Option<::planus::alloc::boxed::Box<self::Constraint>>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for RagdollBody {
            fn default() -> Self {
                Self {
                    joint: 0,
                    position: ::core::default::Default::default(),
                    rotation: ::core::default::Default::default(),
                    boxes: ::core::default::Default::default(),
                    mass: 0.0,
                    center_of_mass: ::core::default::Default::default(),
                    inertia: ::core::default::Default::default(),
                    constraint: ::core::default::Default::default(),
                }
            }
        }

        impl RagdollBody {
            /// Creates a [RagdollBodyBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> RagdollBodyBuilder<()> {
                RagdollBodyBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_joint: impl ::planus::WriteAsDefault<u16, u16>,
                field_position: impl ::planus::WriteAs<self::Vec3>,
                field_rotation: impl ::planus::WriteAs<self::Quat>,
                field_boxes: impl ::planus::WriteAs<::planus::Offset<[u16]>>,
                field_mass: impl ::planus::WriteAsDefault<f32, f32>,
                field_center_of_mass: impl ::planus::WriteAs<self::Vec3>,
                field_inertia: impl ::planus::WriteAs<self::Inertia>,
                field_constraint: impl ::planus::WriteAsOptional<::planus::Offset<self::Constraint>>,
            ) -> ::planus::Offset<Self> {
                let prepared_joint = field_joint.prepare(builder, &0);
                let prepared_position = field_position.prepare(builder);
                let prepared_rotation = field_rotation.prepare(builder);
                let prepared_boxes = field_boxes.prepare(builder);
                let prepared_mass = field_mass.prepare(builder, &0.0);
                let prepared_center_of_mass = field_center_of_mass.prepare(builder);
                let prepared_inertia = field_inertia.prepare(builder);
                let prepared_constraint = field_constraint.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<20> = ::core::default::Default::default();
                table_writer.write_entry::<self::Vec3>(1);
                table_writer.write_entry::<self::Quat>(2);
                table_writer.write_entry::<::planus::Offset<[u16]>>(3);
                if prepared_mass.is_some() {
                    table_writer.write_entry::<f32>(4);
                }
                table_writer.write_entry::<self::Vec3>(5);
                table_writer.write_entry::<self::Inertia>(6);
                if prepared_constraint.is_some() {
                    table_writer.write_entry::<::planus::Offset<self::Constraint>>(7);
                }
                if prepared_joint.is_some() {
                    table_writer.write_entry::<u16>(0);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 12>(&prepared_position);
                        object_writer.write::<_, _, 16>(&prepared_rotation);
                        object_writer.write::<_, _, 4>(&prepared_boxes);
                        if let ::core::option::Option::Some(prepared_mass) = prepared_mass {
                            object_writer.write::<_, _, 4>(&prepared_mass);
                        }
                        object_writer.write::<_, _, 12>(&prepared_center_of_mass);
                        object_writer.write::<_, _, 24>(&prepared_inertia);
                        if let ::core::option::Option::Some(prepared_constraint) = prepared_constraint {
                            object_writer.write::<_, _, 4>(&prepared_constraint);
                        }
                        if let ::core::option::Option::Some(prepared_joint) = prepared_joint {
                            object_writer.write::<_, _, 2>(&prepared_joint);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<RagdollBody>> for RagdollBody {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<RagdollBody> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<RagdollBody>> for RagdollBody {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<RagdollBody>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<RagdollBody> for RagdollBody {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<RagdollBody> {
                RagdollBody::create(
                    builder,
                    self.joint,
                    self.position,
                    self.rotation,
                    &self.boxes,
                    self.mass,
                    self.center_of_mass,
                    self.inertia,
                    &self.constraint,
                )
            }
        }

        /// Builder for serializing an instance of the [RagdollBody] type.
        ///
        /// Can be created using the [RagdollBody::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct RagdollBodyBuilder<State>(State);

        impl RagdollBodyBuilder<()> {
            /// Setter for the [`joint` field](RagdollBody#structfield.joint).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint<T0>(self, value: T0) -> RagdollBodyBuilder<(T0,)>
            where
                T0: ::planus::WriteAsDefault<u16, u16>,
            {
                RagdollBodyBuilder((value,))
            }

            /// Sets the [`joint` field](RagdollBody#structfield.joint) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joint_as_default(self) -> RagdollBodyBuilder<(::planus::DefaultValue,)> {
                self.joint(::planus::DefaultValue)
            }
        }

        impl<T0> RagdollBodyBuilder<(T0,)> {
            /// Setter for the [`position` field](RagdollBody#structfield.position).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn position<T1>(self, value: T1) -> RagdollBodyBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAs<self::Vec3>,
            {
                let (v0,) = self.0;
                RagdollBodyBuilder((v0, value))
            }
        }

        impl<T0, T1> RagdollBodyBuilder<(T0, T1)> {
            /// Setter for the [`rotation` field](RagdollBody#structfield.rotation).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn rotation<T2>(self, value: T2) -> RagdollBodyBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAs<self::Quat>,
            {
                let (v0, v1) = self.0;
                RagdollBodyBuilder((v0, v1, value))
            }
        }

        impl<T0, T1, T2> RagdollBodyBuilder<(T0, T1, T2)> {
            /// Setter for the [`boxes` field](RagdollBody#structfield.boxes).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn boxes<T3>(self, value: T3) -> RagdollBodyBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            {
                let (v0, v1, v2) = self.0;
                RagdollBodyBuilder((v0, v1, v2, value))
            }
        }

        impl<T0, T1, T2, T3> RagdollBodyBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`mass` field](RagdollBody#structfield.mass).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn mass<T4>(self, value: T4) -> RagdollBodyBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAsDefault<f32, f32>,
            {
                let (v0, v1, v2, v3) = self.0;
                RagdollBodyBuilder((v0, v1, v2, v3, value))
            }

            /// Sets the [`mass` field](RagdollBody#structfield.mass) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn mass_as_default(self) -> RagdollBodyBuilder<(T0, T1, T2, T3, ::planus::DefaultValue)> {
                self.mass(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4> RagdollBodyBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`center_of_mass` field](RagdollBody#structfield.center_of_mass).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn center_of_mass<T5>(self, value: T5) -> RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAs<self::Vec3>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                RagdollBodyBuilder((v0, v1, v2, v3, v4, value))
            }
        }

        impl<T0, T1, T2, T3, T4, T5> RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Setter for the [`inertia` field](RagdollBody#structfield.inertia).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn inertia<T6>(self, value: T6) -> RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6)>
            where
                T6: ::planus::WriteAs<self::Inertia>,
            {
                let (v0, v1, v2, v3, v4, v5) = self.0;
                RagdollBodyBuilder((v0, v1, v2, v3, v4, v5, value))
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6> RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
            /// Setter for the [`constraint` field](RagdollBody#structfield.constraint).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn constraint<T7>(self, value: T7) -> RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
            where
                T7: ::planus::WriteAsOptional<::planus::Offset<self::Constraint>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6) = self.0;
                RagdollBodyBuilder((v0, v1, v2, v3, v4, v5, v6, value))
            }

            /// Sets the [`constraint` field](RagdollBody#structfield.constraint) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn constraint_as_null(self) -> RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6, ())> {
                self.constraint(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7> RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [RagdollBody].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<RagdollBody>
            where
                Self: ::planus::WriteAsOffset<RagdollBody>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAs<self::Vec3>,
            T2: ::planus::WriteAs<self::Quat>,
            T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T4: ::planus::WriteAsDefault<f32, f32>,
            T5: ::planus::WriteAs<self::Vec3>,
            T6: ::planus::WriteAs<self::Inertia>,
            T7: ::planus::WriteAsOptional<::planus::Offset<self::Constraint>>,
        > ::planus::WriteAs<::planus::Offset<RagdollBody>> for RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
        {
            type Prepared = ::planus::Offset<RagdollBody>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<RagdollBody> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAs<self::Vec3>,
            T2: ::planus::WriteAs<self::Quat>,
            T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T4: ::planus::WriteAsDefault<f32, f32>,
            T5: ::planus::WriteAs<self::Vec3>,
            T6: ::planus::WriteAs<self::Inertia>,
            T7: ::planus::WriteAsOptional<::planus::Offset<self::Constraint>>,
        > ::planus::WriteAsOptional<::planus::Offset<RagdollBody>>
            for RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
        {
            type Prepared = ::planus::Offset<RagdollBody>;

            #[inline]
            fn prepare(
                &self,
                builder: &mut ::planus::Builder,
            ) -> ::core::option::Option<::planus::Offset<RagdollBody>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAsDefault<u16, u16>,
            T1: ::planus::WriteAs<self::Vec3>,
            T2: ::planus::WriteAs<self::Quat>,
            T3: ::planus::WriteAs<::planus::Offset<[u16]>>,
            T4: ::planus::WriteAsDefault<f32, f32>,
            T5: ::planus::WriteAs<self::Vec3>,
            T6: ::planus::WriteAs<self::Inertia>,
            T7: ::planus::WriteAsOptional<::planus::Offset<self::Constraint>>,
        > ::planus::WriteAsOffset<RagdollBody> for RagdollBodyBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<RagdollBody> {
                let (v0, v1, v2, v3, v4, v5, v6, v7) = &self.0;
                RagdollBody::create(builder, v0, v1, v2, v3, v4, v5, v6, v7)
            }
        }

        /// Reference to a deserialized [RagdollBody].
        #[derive(Copy, Clone)]
        pub struct RagdollBodyRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> RagdollBodyRef<'a> {
            /// Getter for the [`joint` field](RagdollBody#structfield.joint).
            #[inline]
            pub fn joint(&self) -> ::planus::Result<u16> {
                ::core::result::Result::Ok(self.0.access(0, "RagdollBody", "joint")?.unwrap_or(0))
            }

            /// Getter for the [`position` field](RagdollBody#structfield.position).
            #[inline]
            pub fn position(&self) -> ::planus::Result<self::Vec3Ref<'a>> {
                self.0.access_required(1, "RagdollBody", "position")
            }

            /// Getter for the [`rotation` field](RagdollBody#structfield.rotation).
            #[inline]
            pub fn rotation(&self) -> ::planus::Result<self::QuatRef<'a>> {
                self.0.access_required(2, "RagdollBody", "rotation")
            }

            /// Getter for the [`boxes` field](RagdollBody#structfield.boxes).
            #[inline]
            pub fn boxes(&self) -> ::planus::Result<::planus::Vector<'a, u16>> {
                self.0.access_required(3, "RagdollBody", "boxes")
            }

            /// Getter for the [`mass` field](RagdollBody#structfield.mass).
            #[inline]
            pub fn mass(&self) -> ::planus::Result<f32> {
                ::core::result::Result::Ok(self.0.access(4, "RagdollBody", "mass")?.unwrap_or(0.0))
            }

            /// Getter for the [`center_of_mass` field](RagdollBody#structfield.center_of_mass).
            #[inline]
            pub fn center_of_mass(&self) -> ::planus::Result<self::Vec3Ref<'a>> {
                self.0.access_required(5, "RagdollBody", "center_of_mass")
            }

            /// Getter for the [`inertia` field](RagdollBody#structfield.inertia).
            #[inline]
            pub fn inertia(&self) -> ::planus::Result<self::InertiaRef<'a>> {
                self.0.access_required(6, "RagdollBody", "inertia")
            }

            /// Getter for the [`constraint` field](RagdollBody#structfield.constraint).
            #[inline]
            pub fn constraint(&self) -> ::planus::Result<::core::option::Option<self::ConstraintRef<'a>>> {
                self.0.access(7, "RagdollBody", "constraint")
            }
        }

        impl<'a> ::core::fmt::Debug for RagdollBodyRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("RagdollBodyRef");
                f.field("joint", &self.joint());
                f.field("position", &self.position());
                f.field("rotation", &self.rotation());
                f.field("boxes", &self.boxes());
                f.field("mass", &self.mass());
                f.field("center_of_mass", &self.center_of_mass());
                f.field("inertia", &self.inertia());
                if let ::core::option::Option::Some(field_constraint) = self.constraint().transpose() {
                    f.field("constraint", &field_constraint);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<RagdollBodyRef<'a>> for RagdollBody {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: RagdollBodyRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    joint: ::core::convert::TryInto::try_into(value.joint()?)?,
                    position: ::core::convert::Into::into(value.position()?),
                    rotation: ::core::convert::Into::into(value.rotation()?),
                    boxes: value.boxes()?.to_vec()?,
                    mass: ::core::convert::TryInto::try_into(value.mass()?)?,
                    center_of_mass: ::core::convert::Into::into(value.center_of_mass()?),
                    inertia: ::core::convert::Into::into(value.inertia()?),
                    constraint: if let ::core::option::Option::Some(constraint) = value.constraint()? {
                        ::core::option::Option::Some(::planus::alloc::boxed::Box::new(
                            ::core::convert::TryInto::try_into(constraint)?,
                        ))
                    } else {
                        ::core::option::Option::None
                    },
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for RagdollBodyRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for RagdollBodyRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[RagdollBodyRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<RagdollBody>> for RagdollBody {
            type Value = ::planus::Offset<RagdollBody>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<RagdollBody>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for RagdollBodyRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[RagdollBodyRef]", "read_as_root", 0))
            }
        }

        ///  Two bodies: indices into Ragdoll.bodies, the smaller one first.
        ///
        /// Generated from these locations:
        /// * Struct `BodyPair` in the file `bonebox.fbs:502`
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, Default)]
        pub struct BodyPair {
            /// The field `first` in the struct `BodyPair`
            pub first: u16,

            /// The field `second` in the struct `BodyPair`
            pub second: u16,
        }

        /// # Safety
        /// The Planus compiler correctly calculates `ALIGNMENT` and `SIZE`.
        unsafe impl ::planus::Primitive for BodyPair {
            const ALIGNMENT: usize = 2;
            const SIZE: usize = 4;
        }

        #[allow(clippy::identity_op)]
        impl ::planus::WriteAsPrimitive<BodyPair> for BodyPair {
            #[inline]
            fn write<const N: usize>(&self, cursor: ::planus::Cursor<'_, N>, buffer_position: u32) {
                let (cur, cursor) = cursor.split::<2, 2>();
                self.first.write(cur, buffer_position - 0);
                let (cur, cursor) = cursor.split::<2, 0>();
                self.second.write(cur, buffer_position - 2);
                cursor.finish([]);
            }
        }

        impl ::planus::WriteAsOffset<BodyPair> for BodyPair {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<BodyPair> {
                unsafe {
                    builder.write_with(4, 1, |buffer_position, bytes| {
                        let bytes = bytes.as_mut_ptr();

                        ::planus::WriteAsPrimitive::write(
                            self,
                            ::planus::Cursor::new(&mut *(bytes as *mut [::core::mem::MaybeUninit<u8>; 4])),
                            buffer_position,
                        );
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<BodyPair> for BodyPair {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self {
                *self
            }
        }

        impl ::planus::WriteAsOptional<BodyPair> for BodyPair {
            type Prepared = Self;
            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(*self)
            }
        }

        /// Reference to a deserialized [BodyPair].
        #[derive(Copy, Clone)]
        pub struct BodyPairRef<'a>(::planus::ArrayWithStartOffset<'a, 4>);

        impl<'a> BodyPairRef<'a> {
            /// Getter for the [`first` field](BodyPair#structfield.first).
            pub fn first(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(0).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }

            /// Getter for the [`second` field](BodyPair#structfield.second).
            pub fn second(&self) -> u16 {
                let buffer = self.0.advance_as_array::<2>(2).unwrap();

                u16::from_le_bytes(*buffer.as_array())
            }
        }

        impl<'a> ::core::fmt::Debug for BodyPairRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("BodyPairRef");
                f.field("first", &self.first());
                f.field("second", &self.second());
                f.finish()
            }
        }

        impl<'a> ::core::convert::From<::planus::ArrayWithStartOffset<'a, 4>> for BodyPairRef<'a> {
            fn from(array: ::planus::ArrayWithStartOffset<'a, 4>) -> Self {
                Self(array)
            }
        }

        impl<'a> ::core::convert::From<BodyPairRef<'a>> for BodyPair {
            #[allow(unreachable_code)]
            fn from(value: BodyPairRef<'a>) -> Self {
                Self { first: value.first(), second: value.second() }
            }
        }

        impl<'a, 'b> ::core::cmp::PartialEq<BodyPairRef<'a>> for BodyPairRef<'b> {
            fn eq(&self, other: &BodyPairRef<'_>) -> bool {
                self.first() == other.first() && self.second() == other.second()
            }
        }

        impl<'a> ::core::cmp::Eq for BodyPairRef<'a> {}
        impl<'a, 'b> ::core::cmp::PartialOrd<BodyPairRef<'a>> for BodyPairRef<'b> {
            fn partial_cmp(&self, other: &BodyPairRef<'_>) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl<'a> ::core::cmp::Ord for BodyPairRef<'a> {
            fn cmp(&self, other: &BodyPairRef<'_>) -> ::core::cmp::Ordering {
                self.first().cmp(&other.first()).then_with(|| self.second().cmp(&other.second()))
            }
        }

        impl<'a> ::core::hash::Hash for BodyPairRef<'a> {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                self.first().hash(state);
                self.second().hash(state);
            }
        }

        impl<'a> ::planus::TableRead<'a> for BodyPairRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                let buffer = buffer.advance_as_array::<4>(offset)?;
                ::core::result::Result::Ok(Self(buffer))
            }
        }

        impl<'a> ::planus::VectorRead<'a> for BodyPairRef<'a> {
            const STRIDE: usize = 4;

            #[inline]
            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> Self {
                Self(unsafe { buffer.unchecked_advance_as_array(offset) })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<BodyPair> for BodyPair {
            const STRIDE: usize = 4;

            type Value = BodyPair;

            #[inline]
            fn prepare(&self, _builder: &mut ::planus::Builder) -> Self::Value {
                *self
            }

            #[inline]
            unsafe fn write_values(
                values: &[BodyPair],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (4 * i) as u32,
                    );
                }
            }
        }

        ///  How the character falls.
        ///
        /// Generated from these locations:
        /// * Table `Ragdoll` in the file `bonebox.fbs:508`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Ragdoll {
            ///  Parents before children, at least one.
            pub bodies: ::planus::alloc::vec::Vec<self::RagdollBody>,
            ///  Pairs of bodies that never collide. Sorted, no pair twice.
            pub no_collision: ::core::option::Option<::planus::alloc::vec::Vec<self::BodyPair>>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Ragdoll {
            fn default() -> Self {
                Self { bodies: ::core::default::Default::default(), no_collision: ::core::default::Default::default() }
            }
        }

        impl Ragdoll {
            /// Creates a [RagdollBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> RagdollBuilder<()> {
                RagdollBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_bodies: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::RagdollBody>]>>,
                field_no_collision: impl ::planus::WriteAsOptional<::planus::Offset<[self::BodyPair]>>,
            ) -> ::planus::Offset<Self> {
                let prepared_bodies = field_bodies.prepare(builder);
                let prepared_no_collision = field_no_collision.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::RagdollBody>]>>(0);
                if prepared_no_collision.is_some() {
                    table_writer.write_entry::<::planus::Offset<[self::BodyPair]>>(1);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_bodies);
                        if let ::core::option::Option::Some(prepared_no_collision) = prepared_no_collision {
                            object_writer.write::<_, _, 4>(&prepared_no_collision);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Ragdoll>> for Ragdoll {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Ragdoll> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Ragdoll>> for Ragdoll {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Ragdoll>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Ragdoll> for Ragdoll {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Ragdoll> {
                Ragdoll::create(builder, &self.bodies, &self.no_collision)
            }
        }

        /// Builder for serializing an instance of the [Ragdoll] type.
        ///
        /// Can be created using the [Ragdoll::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct RagdollBuilder<State>(State);

        impl RagdollBuilder<()> {
            /// Setter for the [`bodies` field](Ragdoll#structfield.bodies).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn bodies<T0>(self, value: T0) -> RagdollBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::RagdollBody>]>>,
            {
                RagdollBuilder((value,))
            }
        }

        impl<T0> RagdollBuilder<(T0,)> {
            /// Setter for the [`no_collision` field](Ragdoll#structfield.no_collision).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn no_collision<T1>(self, value: T1) -> RagdollBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAsOptional<::planus::Offset<[self::BodyPair]>>,
            {
                let (v0,) = self.0;
                RagdollBuilder((v0, value))
            }

            /// Sets the [`no_collision` field](Ragdoll#structfield.no_collision) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn no_collision_as_null(self) -> RagdollBuilder<(T0, ())> {
                self.no_collision(())
            }
        }

        impl<T0, T1> RagdollBuilder<(T0, T1)> {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Ragdoll].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Ragdoll>
            where
                Self: ::planus::WriteAsOffset<Ragdoll>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::RagdollBody>]>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<[self::BodyPair]>>,
        > ::planus::WriteAs<::planus::Offset<Ragdoll>> for RagdollBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<Ragdoll>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Ragdoll> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::RagdollBody>]>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<[self::BodyPair]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Ragdoll>> for RagdollBuilder<(T0, T1)>
        {
            type Prepared = ::planus::Offset<Ragdoll>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Ragdoll>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::RagdollBody>]>>,
            T1: ::planus::WriteAsOptional<::planus::Offset<[self::BodyPair]>>,
        > ::planus::WriteAsOffset<Ragdoll> for RagdollBuilder<(T0, T1)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Ragdoll> {
                let (v0, v1) = &self.0;
                Ragdoll::create(builder, v0, v1)
            }
        }

        /// Reference to a deserialized [Ragdoll].
        #[derive(Copy, Clone)]
        pub struct RagdollRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> RagdollRef<'a> {
            /// Getter for the [`bodies` field](Ragdoll#structfield.bodies).
            #[inline]
            pub fn bodies(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::RagdollBodyRef<'a>>>> {
                self.0.access_required(0, "Ragdoll", "bodies")
            }

            /// Getter for the [`no_collision` field](Ragdoll#structfield.no_collision).
            #[inline]
            pub fn no_collision(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, self::BodyPairRef<'a>>>> {
                self.0.access(1, "Ragdoll", "no_collision")
            }
        }

        impl<'a> ::core::fmt::Debug for RagdollRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("RagdollRef");
                f.field("bodies", &self.bodies());
                if let ::core::option::Option::Some(field_no_collision) = self.no_collision().transpose() {
                    f.field("no_collision", &field_no_collision);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<RagdollRef<'a>> for Ragdoll {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: RagdollRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    bodies: value.bodies()?.to_vec_result()?,
                    no_collision: if let ::core::option::Option::Some(no_collision) = value.no_collision()? {
                        ::core::option::Option::Some(no_collision.to_vec()?)
                    } else {
                        ::core::option::Option::None
                    },
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for RagdollRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for RagdollRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[RagdollRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Ragdoll>> for Ragdoll {
            type Value = ::planus::Offset<Ragdoll>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Ragdoll>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for RagdollRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[RagdollRef]", "read_as_root", 0))
            }
        }

        ///  A baked character.
        ///
        /// Generated from these locations:
        /// * Table `Character` in the file `bonebox.fbs:516`
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub struct Character {
            ///  Not empty.
            pub name: ::planus::alloc::string::String,
            /// The field `source` in the table `Character`
            pub source: ::planus::alloc::boxed::Box<self::Source>,
            ///  Sorted by key, no key twice.
            pub options: ::core::option::Option<::planus::alloc::vec::Vec<self::BakeOption>>,
            ///  Parents before children.
            pub joints: ::core::option::Option<::planus::alloc::vec::Vec<self::Joint>>,
            ///  Sorted by joint; a joint may have several boxes.
            pub boxes: ::core::option::Option<::planus::alloc::vec::Vec<self::Box>>,
            /// The field `clips` in the table `Character`
            pub clips: ::core::option::Option<::planus::alloc::vec::Vec<self::Clip>>,
            /// The field `coverage` in the table `Character`
            pub coverage: ::core::option::Option<::planus::alloc::boxed::Box<self::Coverage>>,
            /// The field `warnings` in the table `Character`
            pub warnings: ::core::option::Option<::planus::alloc::vec::Vec<self::BakeWarning>>,
            ///  Absent if the character is not a human figure.
            pub humanoid: ::core::option::Option<::planus::alloc::boxed::Box<self::Humanoid>>,
            ///  One for each box, in the order of the boxes, with the option `poses = any`; otherwise empty.
            pub envelopes: ::core::option::Option<::planus::alloc::vec::Vec<self::Envelope>>,
            ///  Absent unless the option `skin` asks for it.
            pub skin: ::core::option::Option<::planus::alloc::boxed::Box<self::Skin>>,
            ///  The revision of the algorithms that made the bake, from 1; 0 if no bake made the character. The same revision makes the
            ///  same bytes from the same source and options.
            pub algorithm_revision: u32,
            ///  Since version 1.1. Sorted by clip.
            pub attacks: ::core::option::Option<::planus::alloc::vec::Vec<self::Attack>>,
            ///  Since version 1.1. Sorted by clip.
            pub states: ::core::option::Option<::planus::alloc::vec::Vec<self::ClipState>>,
            ///  Since version 1.3. Absent unless the bake makes a ragdoll.
            pub ragdoll: ::core::option::Option<::planus::alloc::boxed::Box<self::Ragdoll>>,
        }

        #[allow(clippy::derivable_impls)]
        impl ::core::default::Default for Character {
            fn default() -> Self {
                Self {
                    name: ::core::default::Default::default(),
                    source: ::core::default::Default::default(),
                    options: ::core::default::Default::default(),
                    joints: ::core::default::Default::default(),
                    boxes: ::core::default::Default::default(),
                    clips: ::core::default::Default::default(),
                    coverage: ::core::default::Default::default(),
                    warnings: ::core::default::Default::default(),
                    humanoid: ::core::default::Default::default(),
                    envelopes: ::core::default::Default::default(),
                    skin: ::core::default::Default::default(),
                    algorithm_revision: 0,
                    attacks: ::core::default::Default::default(),
                    states: ::core::default::Default::default(),
                    ragdoll: ::core::default::Default::default(),
                }
            }
        }

        impl Character {
            /// Creates a [CharacterBuilder] for serializing an instance of this table.
            #[inline]
            pub fn builder() -> CharacterBuilder<()> {
                CharacterBuilder(())
            }

            #[allow(clippy::too_many_arguments)]
            pub fn create(
                builder: &mut ::planus::Builder,
                field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
                field_source: impl ::planus::WriteAs<::planus::Offset<self::Source>>,
                field_options: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeOption>]>>,
                field_joints: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Joint>]>>,
                field_boxes: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Box>]>>,
                field_clips: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Clip>]>>,
                field_coverage: impl ::planus::WriteAsOptional<::planus::Offset<self::Coverage>>,
                field_warnings: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeWarning>]>>,
                field_humanoid: impl ::planus::WriteAsOptional<::planus::Offset<self::Humanoid>>,
                field_envelopes: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Envelope>]>>,
                field_skin: impl ::planus::WriteAsOptional<::planus::Offset<self::Skin>>,
                field_algorithm_revision: impl ::planus::WriteAsDefault<u32, u32>,
                field_attacks: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Attack>]>>,
                field_states: impl ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::ClipState>]>>,
                field_ragdoll: impl ::planus::WriteAsOptional<::planus::Offset<self::Ragdoll>>,
            ) -> ::planus::Offset<Self> {
                let prepared_name = field_name.prepare(builder);
                let prepared_source = field_source.prepare(builder);
                let prepared_options = field_options.prepare(builder);
                let prepared_joints = field_joints.prepare(builder);
                let prepared_boxes = field_boxes.prepare(builder);
                let prepared_clips = field_clips.prepare(builder);
                let prepared_coverage = field_coverage.prepare(builder);
                let prepared_warnings = field_warnings.prepare(builder);
                let prepared_humanoid = field_humanoid.prepare(builder);
                let prepared_envelopes = field_envelopes.prepare(builder);
                let prepared_skin = field_skin.prepare(builder);
                let prepared_algorithm_revision = field_algorithm_revision.prepare(builder, &0);
                let prepared_attacks = field_attacks.prepare(builder);
                let prepared_states = field_states.prepare(builder);
                let prepared_ragdoll = field_ragdoll.prepare(builder);

                let mut table_writer: ::planus::table_writer::TableWriter<34> = ::core::default::Default::default();
                table_writer.write_entry::<::planus::Offset<str>>(0);
                table_writer.write_entry::<::planus::Offset<self::Source>>(1);
                if prepared_options.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::BakeOption>]>>(2);
                }
                if prepared_joints.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Joint>]>>(3);
                }
                if prepared_boxes.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Box>]>>(4);
                }
                if prepared_clips.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Clip>]>>(5);
                }
                if prepared_coverage.is_some() {
                    table_writer.write_entry::<::planus::Offset<self::Coverage>>(6);
                }
                if prepared_warnings.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::BakeWarning>]>>(7);
                }
                if prepared_humanoid.is_some() {
                    table_writer.write_entry::<::planus::Offset<self::Humanoid>>(8);
                }
                if prepared_envelopes.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Envelope>]>>(9);
                }
                if prepared_skin.is_some() {
                    table_writer.write_entry::<::planus::Offset<self::Skin>>(10);
                }
                if prepared_algorithm_revision.is_some() {
                    table_writer.write_entry::<u32>(11);
                }
                if prepared_attacks.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Attack>]>>(12);
                }
                if prepared_states.is_some() {
                    table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::ClipState>]>>(13);
                }
                if prepared_ragdoll.is_some() {
                    table_writer.write_entry::<::planus::Offset<self::Ragdoll>>(14);
                }

                unsafe {
                    table_writer.finish(builder, |object_writer| {
                        object_writer.write::<_, _, 4>(&prepared_name);
                        object_writer.write::<_, _, 4>(&prepared_source);
                        if let ::core::option::Option::Some(prepared_options) = prepared_options {
                            object_writer.write::<_, _, 4>(&prepared_options);
                        }
                        if let ::core::option::Option::Some(prepared_joints) = prepared_joints {
                            object_writer.write::<_, _, 4>(&prepared_joints);
                        }
                        if let ::core::option::Option::Some(prepared_boxes) = prepared_boxes {
                            object_writer.write::<_, _, 4>(&prepared_boxes);
                        }
                        if let ::core::option::Option::Some(prepared_clips) = prepared_clips {
                            object_writer.write::<_, _, 4>(&prepared_clips);
                        }
                        if let ::core::option::Option::Some(prepared_coverage) = prepared_coverage {
                            object_writer.write::<_, _, 4>(&prepared_coverage);
                        }
                        if let ::core::option::Option::Some(prepared_warnings) = prepared_warnings {
                            object_writer.write::<_, _, 4>(&prepared_warnings);
                        }
                        if let ::core::option::Option::Some(prepared_humanoid) = prepared_humanoid {
                            object_writer.write::<_, _, 4>(&prepared_humanoid);
                        }
                        if let ::core::option::Option::Some(prepared_envelopes) = prepared_envelopes {
                            object_writer.write::<_, _, 4>(&prepared_envelopes);
                        }
                        if let ::core::option::Option::Some(prepared_skin) = prepared_skin {
                            object_writer.write::<_, _, 4>(&prepared_skin);
                        }
                        if let ::core::option::Option::Some(prepared_algorithm_revision) = prepared_algorithm_revision {
                            object_writer.write::<_, _, 4>(&prepared_algorithm_revision);
                        }
                        if let ::core::option::Option::Some(prepared_attacks) = prepared_attacks {
                            object_writer.write::<_, _, 4>(&prepared_attacks);
                        }
                        if let ::core::option::Option::Some(prepared_states) = prepared_states {
                            object_writer.write::<_, _, 4>(&prepared_states);
                        }
                        if let ::core::option::Option::Some(prepared_ragdoll) = prepared_ragdoll {
                            object_writer.write::<_, _, 4>(&prepared_ragdoll);
                        }
                    });
                }
                builder.current_offset()
            }
        }

        impl ::planus::WriteAs<::planus::Offset<Character>> for Character {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Character> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl ::planus::WriteAsOptional<::planus::Offset<Character>> for Character {
            type Prepared = ::planus::Offset<Self>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Character>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl ::planus::WriteAsOffset<Character> for Character {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Character> {
                Character::create(
                    builder,
                    &self.name,
                    &self.source,
                    &self.options,
                    &self.joints,
                    &self.boxes,
                    &self.clips,
                    &self.coverage,
                    &self.warnings,
                    &self.humanoid,
                    &self.envelopes,
                    &self.skin,
                    self.algorithm_revision,
                    &self.attacks,
                    &self.states,
                    &self.ragdoll,
                )
            }
        }

        /// Builder for serializing an instance of the [Character] type.
        ///
        /// Can be created using the [Character::builder] method.
        #[derive(Debug)]
        #[must_use]
        pub struct CharacterBuilder<State>(State);

        impl CharacterBuilder<()> {
            /// Setter for the [`name` field](Character#structfield.name).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn name<T0>(self, value: T0) -> CharacterBuilder<(T0,)>
            where
                T0: ::planus::WriteAs<::planus::Offset<str>>,
            {
                CharacterBuilder((value,))
            }
        }

        impl<T0> CharacterBuilder<(T0,)> {
            /// Setter for the [`source` field](Character#structfield.source).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn source<T1>(self, value: T1) -> CharacterBuilder<(T0, T1)>
            where
                T1: ::planus::WriteAs<::planus::Offset<self::Source>>,
            {
                let (v0,) = self.0;
                CharacterBuilder((v0, value))
            }
        }

        impl<T0, T1> CharacterBuilder<(T0, T1)> {
            /// Setter for the [`options` field](Character#structfield.options).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn options<T2>(self, value: T2) -> CharacterBuilder<(T0, T1, T2)>
            where
                T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeOption>]>>,
            {
                let (v0, v1) = self.0;
                CharacterBuilder((v0, v1, value))
            }

            /// Sets the [`options` field](Character#structfield.options) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn options_as_null(self) -> CharacterBuilder<(T0, T1, ())> {
                self.options(())
            }
        }

        impl<T0, T1, T2> CharacterBuilder<(T0, T1, T2)> {
            /// Setter for the [`joints` field](Character#structfield.joints).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joints<T3>(self, value: T3) -> CharacterBuilder<(T0, T1, T2, T3)>
            where
                T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Joint>]>>,
            {
                let (v0, v1, v2) = self.0;
                CharacterBuilder((v0, v1, v2, value))
            }

            /// Sets the [`joints` field](Character#structfield.joints) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn joints_as_null(self) -> CharacterBuilder<(T0, T1, T2, ())> {
                self.joints(())
            }
        }

        impl<T0, T1, T2, T3> CharacterBuilder<(T0, T1, T2, T3)> {
            /// Setter for the [`boxes` field](Character#structfield.boxes).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn boxes<T4>(self, value: T4) -> CharacterBuilder<(T0, T1, T2, T3, T4)>
            where
                T4: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Box>]>>,
            {
                let (v0, v1, v2, v3) = self.0;
                CharacterBuilder((v0, v1, v2, v3, value))
            }

            /// Sets the [`boxes` field](Character#structfield.boxes) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn boxes_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, ())> {
                self.boxes(())
            }
        }

        impl<T0, T1, T2, T3, T4> CharacterBuilder<(T0, T1, T2, T3, T4)> {
            /// Setter for the [`clips` field](Character#structfield.clips).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clips<T5>(self, value: T5) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5)>
            where
                T5: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Clip>]>>,
            {
                let (v0, v1, v2, v3, v4) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, value))
            }

            /// Sets the [`clips` field](Character#structfield.clips) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn clips_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, T4, ())> {
                self.clips(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5> CharacterBuilder<(T0, T1, T2, T3, T4, T5)> {
            /// Setter for the [`coverage` field](Character#structfield.coverage).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn coverage<T6>(self, value: T6) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6)>
            where
                T6: ::planus::WriteAsOptional<::planus::Offset<self::Coverage>>,
            {
                let (v0, v1, v2, v3, v4, v5) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, value))
            }

            /// Sets the [`coverage` field](Character#structfield.coverage) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn coverage_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, ())> {
                self.coverage(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
            /// Setter for the [`warnings` field](Character#structfield.warnings).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn warnings<T7>(self, value: T7) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
            where
                T7: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeWarning>]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, value))
            }

            /// Sets the [`warnings` field](Character#structfield.warnings) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn warnings_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, ())> {
                self.warnings(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
            /// Setter for the [`humanoid` field](Character#structfield.humanoid).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn humanoid<T8>(self, value: T8) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
            where
                T8: ::planus::WriteAsOptional<::planus::Offset<self::Humanoid>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, v7, value))
            }

            /// Sets the [`humanoid` field](Character#structfield.humanoid) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn humanoid_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, ())> {
                self.humanoid(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)> {
            /// Setter for the [`envelopes` field](Character#structfield.envelopes).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn envelopes<T9>(self, value: T9) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
            where
                T9: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Envelope>]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, value))
            }

            /// Sets the [`envelopes` field](Character#structfield.envelopes) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn envelopes_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, ())> {
                self.envelopes(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)> {
            /// Setter for the [`skin` field](Character#structfield.skin).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn skin<T10>(self, value: T10) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
            where
                T10: ::planus::WriteAsOptional<::planus::Offset<self::Skin>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, value))
            }

            /// Sets the [`skin` field](Character#structfield.skin) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn skin_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, ())> {
                self.skin(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)> {
            /// Setter for the [`algorithm_revision` field](Character#structfield.algorithm_revision).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn algorithm_revision<T11>(
                self,
                value: T11,
            ) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
            where
                T11: ::planus::WriteAsDefault<u32, u32>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, value))
            }

            /// Sets the [`algorithm_revision` field](Character#structfield.algorithm_revision) to the default value.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn algorithm_revision_as_default(
                self,
            ) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, ::planus::DefaultValue)> {
                self.algorithm_revision(::planus::DefaultValue)
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>
            CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
        {
            /// Setter for the [`attacks` field](Character#structfield.attacks).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn attacks<T12>(
                self,
                value: T12,
            ) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
            where
                T12: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Attack>]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, value))
            }

            /// Sets the [`attacks` field](Character#structfield.attacks) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn attacks_as_null(self) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, ())> {
                self.attacks(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12>
            CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
        {
            /// Setter for the [`states` field](Character#structfield.states).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn states<T13>(
                self,
                value: T13,
            ) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)>
            where
                T13: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::ClipState>]>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, value))
            }

            /// Sets the [`states` field](Character#structfield.states) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn states_as_null(
                self,
            ) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, ())> {
                self.states(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13>
            CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)>
        {
            /// Setter for the [`ragdoll` field](Character#structfield.ragdoll).
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn ragdoll<T14>(
                self,
                value: T14,
            ) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)>
            where
                T14: ::planus::WriteAsOptional<::planus::Offset<self::Ragdoll>>,
            {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13) = self.0;
                CharacterBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, value))
            }

            /// Sets the [`ragdoll` field](Character#structfield.ragdoll) to null.
            #[inline]
            #[allow(clippy::type_complexity)]
            pub fn ragdoll_as_null(
                self,
            ) -> CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, ())> {
                self.ragdoll(())
            }
        }

        impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14>
            CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)>
        {
            /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Character].
            #[inline]
            pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Character>
            where
                Self: ::planus::WriteAsOffset<Character>,
            {
                ::planus::WriteAsOffset::prepare(&self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<self::Source>>,
            T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeOption>]>>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Joint>]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Box>]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Clip>]>>,
            T6: ::planus::WriteAsOptional<::planus::Offset<self::Coverage>>,
            T7: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeWarning>]>>,
            T8: ::planus::WriteAsOptional<::planus::Offset<self::Humanoid>>,
            T9: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Envelope>]>>,
            T10: ::planus::WriteAsOptional<::planus::Offset<self::Skin>>,
            T11: ::planus::WriteAsDefault<u32, u32>,
            T12: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Attack>]>>,
            T13: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::ClipState>]>>,
            T14: ::planus::WriteAsOptional<::planus::Offset<self::Ragdoll>>,
        > ::planus::WriteAs<::planus::Offset<Character>>
            for CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)>
        {
            type Prepared = ::planus::Offset<Character>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Character> {
                ::planus::WriteAsOffset::prepare(self, builder)
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<self::Source>>,
            T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeOption>]>>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Joint>]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Box>]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Clip>]>>,
            T6: ::planus::WriteAsOptional<::planus::Offset<self::Coverage>>,
            T7: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeWarning>]>>,
            T8: ::planus::WriteAsOptional<::planus::Offset<self::Humanoid>>,
            T9: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Envelope>]>>,
            T10: ::planus::WriteAsOptional<::planus::Offset<self::Skin>>,
            T11: ::planus::WriteAsDefault<u32, u32>,
            T12: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Attack>]>>,
            T13: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::ClipState>]>>,
            T14: ::planus::WriteAsOptional<::planus::Offset<self::Ragdoll>>,
        > ::planus::WriteAsOptional<::planus::Offset<Character>>
            for CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)>
        {
            type Prepared = ::planus::Offset<Character>;

            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Character>> {
                ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
            }
        }

        impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<self::Source>>,
            T2: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeOption>]>>,
            T3: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Joint>]>>,
            T4: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Box>]>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Clip>]>>,
            T6: ::planus::WriteAsOptional<::planus::Offset<self::Coverage>>,
            T7: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::BakeWarning>]>>,
            T8: ::planus::WriteAsOptional<::planus::Offset<self::Humanoid>>,
            T9: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Envelope>]>>,
            T10: ::planus::WriteAsOptional<::planus::Offset<self::Skin>>,
            T11: ::planus::WriteAsDefault<u32, u32>,
            T12: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::Attack>]>>,
            T13: ::planus::WriteAsOptional<::planus::Offset<[::planus::Offset<self::ClipState>]>>,
            T14: ::planus::WriteAsOptional<::planus::Offset<self::Ragdoll>>,
        > ::planus::WriteAsOffset<Character>
            for CharacterBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)>
        {
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Character> {
                let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14) = &self.0;
                Character::create(builder, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14)
            }
        }

        /// Reference to a deserialized [Character].
        #[derive(Copy, Clone)]
        pub struct CharacterRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

        impl<'a> CharacterRef<'a> {
            /// Getter for the [`name` field](Character#structfield.name).
            #[inline]
            pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
                self.0.access_required(0, "Character", "name")
            }

            /// Getter for the [`source` field](Character#structfield.source).
            #[inline]
            pub fn source(&self) -> ::planus::Result<self::SourceRef<'a>> {
                self.0.access_required(1, "Character", "source")
            }

            /// Getter for the [`options` field](Character#structfield.options).
            #[inline]
            pub fn options(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::BakeOptionRef<'a>>>>>
            {
                self.0.access(2, "Character", "options")
            }

            /// Getter for the [`joints` field](Character#structfield.joints).
            #[inline]
            pub fn joints(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::JointRef<'a>>>>>
            {
                self.0.access(3, "Character", "joints")
            }

            /// Getter for the [`boxes` field](Character#structfield.boxes).
            #[inline]
            pub fn boxes(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::BoxRef<'a>>>>>
            {
                self.0.access(4, "Character", "boxes")
            }

            /// Getter for the [`clips` field](Character#structfield.clips).
            #[inline]
            pub fn clips(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::ClipRef<'a>>>>>
            {
                self.0.access(5, "Character", "clips")
            }

            /// Getter for the [`coverage` field](Character#structfield.coverage).
            #[inline]
            pub fn coverage(&self) -> ::planus::Result<::core::option::Option<self::CoverageRef<'a>>> {
                self.0.access(6, "Character", "coverage")
            }

            /// Getter for the [`warnings` field](Character#structfield.warnings).
            #[inline]
            pub fn warnings(
                &self,
            ) -> ::planus::Result<
                ::core::option::Option<::planus::Vector<'a, ::planus::Result<self::BakeWarningRef<'a>>>>,
            > {
                self.0.access(7, "Character", "warnings")
            }

            /// Getter for the [`humanoid` field](Character#structfield.humanoid).
            #[inline]
            pub fn humanoid(&self) -> ::planus::Result<::core::option::Option<self::HumanoidRef<'a>>> {
                self.0.access(8, "Character", "humanoid")
            }

            /// Getter for the [`envelopes` field](Character#structfield.envelopes).
            #[inline]
            pub fn envelopes(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::EnvelopeRef<'a>>>>>
            {
                self.0.access(9, "Character", "envelopes")
            }

            /// Getter for the [`skin` field](Character#structfield.skin).
            #[inline]
            pub fn skin(&self) -> ::planus::Result<::core::option::Option<self::SkinRef<'a>>> {
                self.0.access(10, "Character", "skin")
            }

            /// Getter for the [`algorithm_revision` field](Character#structfield.algorithm_revision).
            #[inline]
            pub fn algorithm_revision(&self) -> ::planus::Result<u32> {
                ::core::result::Result::Ok(self.0.access(11, "Character", "algorithm_revision")?.unwrap_or(0))
            }

            /// Getter for the [`attacks` field](Character#structfield.attacks).
            #[inline]
            pub fn attacks(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::AttackRef<'a>>>>>
            {
                self.0.access(12, "Character", "attacks")
            }

            /// Getter for the [`states` field](Character#structfield.states).
            #[inline]
            pub fn states(
                &self,
            ) -> ::planus::Result<::core::option::Option<::planus::Vector<'a, ::planus::Result<self::ClipStateRef<'a>>>>>
            {
                self.0.access(13, "Character", "states")
            }

            /// Getter for the [`ragdoll` field](Character#structfield.ragdoll).
            #[inline]
            pub fn ragdoll(&self) -> ::planus::Result<::core::option::Option<self::RagdollRef<'a>>> {
                self.0.access(14, "Character", "ragdoll")
            }
        }

        impl<'a> ::core::fmt::Debug for CharacterRef<'a> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut f = f.debug_struct("CharacterRef");
                f.field("name", &self.name());
                f.field("source", &self.source());
                if let ::core::option::Option::Some(field_options) = self.options().transpose() {
                    f.field("options", &field_options);
                }
                if let ::core::option::Option::Some(field_joints) = self.joints().transpose() {
                    f.field("joints", &field_joints);
                }
                if let ::core::option::Option::Some(field_boxes) = self.boxes().transpose() {
                    f.field("boxes", &field_boxes);
                }
                if let ::core::option::Option::Some(field_clips) = self.clips().transpose() {
                    f.field("clips", &field_clips);
                }
                if let ::core::option::Option::Some(field_coverage) = self.coverage().transpose() {
                    f.field("coverage", &field_coverage);
                }
                if let ::core::option::Option::Some(field_warnings) = self.warnings().transpose() {
                    f.field("warnings", &field_warnings);
                }
                if let ::core::option::Option::Some(field_humanoid) = self.humanoid().transpose() {
                    f.field("humanoid", &field_humanoid);
                }
                if let ::core::option::Option::Some(field_envelopes) = self.envelopes().transpose() {
                    f.field("envelopes", &field_envelopes);
                }
                if let ::core::option::Option::Some(field_skin) = self.skin().transpose() {
                    f.field("skin", &field_skin);
                }
                f.field("algorithm_revision", &self.algorithm_revision());
                if let ::core::option::Option::Some(field_attacks) = self.attacks().transpose() {
                    f.field("attacks", &field_attacks);
                }
                if let ::core::option::Option::Some(field_states) = self.states().transpose() {
                    f.field("states", &field_states);
                }
                if let ::core::option::Option::Some(field_ragdoll) = self.ragdoll().transpose() {
                    f.field("ragdoll", &field_ragdoll);
                }
                f.finish()
            }
        }

        impl<'a> ::core::convert::TryFrom<CharacterRef<'a>> for Character {
            type Error = ::planus::Error;

            #[allow(unreachable_code)]
            fn try_from(value: CharacterRef<'a>) -> ::planus::Result<Self> {
                ::core::result::Result::Ok(Self {
                    name: ::core::convert::Into::into(value.name()?),
                    source: ::planus::alloc::boxed::Box::new(::core::convert::TryInto::try_into(value.source()?)?),
                    options: if let ::core::option::Option::Some(options) = value.options()? {
                        ::core::option::Option::Some(options.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    joints: if let ::core::option::Option::Some(joints) = value.joints()? {
                        ::core::option::Option::Some(joints.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    boxes: if let ::core::option::Option::Some(boxes) = value.boxes()? {
                        ::core::option::Option::Some(boxes.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    clips: if let ::core::option::Option::Some(clips) = value.clips()? {
                        ::core::option::Option::Some(clips.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    coverage: if let ::core::option::Option::Some(coverage) = value.coverage()? {
                        ::core::option::Option::Some(::planus::alloc::boxed::Box::new(
                            ::core::convert::TryInto::try_into(coverage)?,
                        ))
                    } else {
                        ::core::option::Option::None
                    },
                    warnings: if let ::core::option::Option::Some(warnings) = value.warnings()? {
                        ::core::option::Option::Some(warnings.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    humanoid: if let ::core::option::Option::Some(humanoid) = value.humanoid()? {
                        ::core::option::Option::Some(::planus::alloc::boxed::Box::new(
                            ::core::convert::TryInto::try_into(humanoid)?,
                        ))
                    } else {
                        ::core::option::Option::None
                    },
                    envelopes: if let ::core::option::Option::Some(envelopes) = value.envelopes()? {
                        ::core::option::Option::Some(envelopes.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    skin: if let ::core::option::Option::Some(skin) = value.skin()? {
                        ::core::option::Option::Some(::planus::alloc::boxed::Box::new(
                            ::core::convert::TryInto::try_into(skin)?,
                        ))
                    } else {
                        ::core::option::Option::None
                    },
                    algorithm_revision: ::core::convert::TryInto::try_into(value.algorithm_revision()?)?,
                    attacks: if let ::core::option::Option::Some(attacks) = value.attacks()? {
                        ::core::option::Option::Some(attacks.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    states: if let ::core::option::Option::Some(states) = value.states()? {
                        ::core::option::Option::Some(states.to_vec_result()?)
                    } else {
                        ::core::option::Option::None
                    },
                    ragdoll: if let ::core::option::Option::Some(ragdoll) = value.ragdoll()? {
                        ::core::option::Option::Some(::planus::alloc::boxed::Box::new(
                            ::core::convert::TryInto::try_into(ragdoll)?,
                        ))
                    } else {
                        ::core::option::Option::None
                    },
                })
            }
        }

        impl<'a> ::planus::TableRead<'a> for CharacterRef<'a> {
            #[inline]
            fn from_buffer(
                buffer: ::planus::SliceWithStartOffset<'a>,
                offset: usize,
            ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
                ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
            }
        }

        impl<'a> ::planus::VectorReadInner<'a> for CharacterRef<'a> {
            type Error = ::planus::Error;
            const STRIDE: usize = 4;

            unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                    error_kind.with_error_location("[CharacterRef]", "get", buffer.offset_from_start)
                })
            }
        }

        /// # Safety
        /// The planus compiler generates implementations that initialize
        /// the bytes in `write_values`.
        unsafe impl ::planus::VectorWrite<::planus::Offset<Character>> for Character {
            type Value = ::planus::Offset<Character>;
            const STRIDE: usize = 4;
            #[inline]
            fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
                ::planus::WriteAs::prepare(self, builder)
            }

            #[inline]
            unsafe fn write_values(
                values: &[::planus::Offset<Character>],
                bytes: *mut ::core::mem::MaybeUninit<u8>,
                buffer_position: u32,
            ) {
                let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
                for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                    ::planus::WriteAsPrimitive::write(
                        v,
                        ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                        buffer_position - (Self::STRIDE * i) as u32,
                    );
                }
            }
        }

        impl<'a> ::planus::ReadAsRoot<'a> for CharacterRef<'a> {
            fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
                ::planus::TableRead::from_buffer(
                    ::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 },
                    0,
                )
                .map_err(|error_kind| error_kind.with_error_location("[CharacterRef]", "read_as_root", 0))
            }
        }
    }
}
