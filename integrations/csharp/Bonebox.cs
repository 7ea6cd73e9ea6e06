// bonebox: tight hitboxes for skinned characters, from C# 7.2 and later (.NET, Mono, Unity).
//
// A layer over the C library (bonebox_c.dll, libbonebox_c.so, libbonebox_c.dylib): handles that free themselves, and
// failures as exceptions. Results go into ResultLists, which keep their memory from tick to tick. The rules for threads are
// those of bonebox.h: methods that only read may run at the same time on any threads. While a method that changes an object
// runs, no other method may use the object. bonebox.h also describes the fields of the structs, with their units and ranges.

using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Bonebox
{
    /// <summary>The result of a function of the C library.</summary>
    public enum Result
    {
        Ok, NullPointer, InvalidArgument, InvalidHandle, BadFile, NotFound, NoBody, BodyExists, WrongCharacter,
        PoseRefused, BufferTooSmall, InternalError, BakeFailed, Canceled, NoSkin,
    }

    /// <summary>The change of a touch between the previous update and the last one.</summary>
    public enum TouchPhase { Started, Persisted, Ended }

    /// <summary>A failure: the result, and a message that says what is wrong, where, and what to do.</summary>
    public sealed class BoneboxException : Exception
    {
        public Result Result { get; }
        internal BoneboxException(Result result, string message) : base(message) { Result = result; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Vec3
    {
        public float X, Y, Z;
        public Vec3(float x, float y, float z) { X = x; Y = y; Z = z; }
        public override string ToString() => $"({X}, {Y}, {Z})";
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Quat
    {
        public float X, Y, Z, W;
        public Quat(float x, float y, float z, float w) { X = x; Y = y; Z = z; W = w; }
        public static Quat Identity => new Quat(0, 0, 0, 1);
    }

    /// <summary>
    /// A matrix for column vectors, stored column by column. Unity's Matrix4x4 and System.Numerics.Matrix4x4 have the
    /// same memory layout. M41, M42, M43 are the translation; M14, M24, M34, M44 must be 0, 0, 0, 1.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Matrix
    {
        public float M11, M12, M13, M14, M21, M22, M23, M24, M31, M32, M33, M34, M41, M42, M43, M44;

        public static Matrix Identity => Translation(0, 0, 0);

        public static Matrix Translation(float x, float y, float z) =>
            new Matrix { M11 = 1, M22 = 1, M33 = 1, M44 = 1, M41 = x, M42 = y, M43 = z };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct OrientedBox
    {
        public Vec3 Center, HalfExtents;
        public Quat Orientation;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Ray
    {
        public Vec3 Origin, Direction;
        /// <summary>The end of the ray as a multiple of Direction; float.PositiveInfinity for a ray without an end.</summary>
        public float MaxTime;
    }

    /// <summary>A hitbox in world space.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PosedHitbox
    {
        public ushort Hitbox, Joint;
        public Vec3 Center, HalfExtents, AxisX, AxisY, AxisZ;
    }

    /// <summary>A box whose edges are parallel to the axes of its space: world space, unless a method says otherwise.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Bounds
    {
        public Vec3 Min, Max;

        /// <summary>Transforms these bounds from model space to world space. The result contains the transformed box.</summary>
        public Bounds Transformed(Matrix worldFromModel)
        {
            var error = default(Native.Error);
            Bounds bounds = this;
            Native.Check(Native.bonebox_bounds_transformed(ref bounds, ref worldFromModel, out Bounds transformed, ref error), ref error);
            return transformed;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BoxPair { public ushort BoxA, BoxB, JointA, JointB; }

    [StructLayout(LayoutKind.Sequential)]
    public struct JointPair { public ushort JointA, JointB; }

    /// <summary>The depth, the direction and the points of an overlap between two hitboxes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Contact
    {
        public ushort BoxA, BoxB, JointA, JointB;
        public float Depth;
        public Vec3 Direction, Center;
        public uint PointCount;
        private fixed float points[27];

        /// <summary>One of the <see cref="PointCount"/> points.</summary>
        public Vec3 Point(int index)
        {
            if ((uint)index >= PointCount) throw new ArgumentOutOfRangeException(nameof(index));
            fixed (float* point = points)
            {
                return new Vec3(point[3 * index], point[3 * index + 1], point[3 * index + 2]);
            }
        }
    }

    /// <summary>The two hitboxes of two characters that are nearest to each other.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ClosestHitboxes
    {
        public ushort BoxA, BoxB, JointA, JointB;
        public float Distance;
        public Vec3 PointA, PointB;
    }

    /// <summary>Two hitboxes that hit each other while both move.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SweepHit
    {
        public ushort BoxA, BoxB, JointA, JointB;
        public float Time;
        public Vec3 Direction;
    }

    /// <summary>Two hitboxes of two bodies that hit each other while both move.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BodySweepHit
    {
        public ulong BodyA, BodyB;
        public ushort BoxA, BoxB, JointA, JointB;
        public float Time;
        public Vec3 Direction;
    }

    /// <summary>Settings that say against which other bodies a body is tested. Start from <see cref="Default"/>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BodySettings
    {
        public uint Memberships, Mask, Team;
        private byte hasTeam, selfTouches, continuous;

        /// <summary>True if the body has a team. Bodies of the same team are not tested against each other.</summary>
        public bool HasTeam { get => hasTeam != 0; set => hasTeam = (byte)(value ? 1 : 0); }
        /// <summary>True if the body's own hitboxes are tested against each other, except those of neighboring joints.</summary>
        public bool SelfTouches { get => selfTouches != 0; set => selfTouches = (byte)(value ? 1 : 0); }
        /// <summary>True if sweeps see the body move from its pose at the last update to its present pose.</summary>
        public bool Continuous { get => continuous != 0; set => continuous = (byte)(value ? 1 : 0); }

        /// <summary>The default settings: in all layers, tested against all layers, without a team.</summary>
        public static BodySettings Default => new BodySettings { Memberships = uint.MaxValue, Mask = uint.MaxValue };
    }

    /// <summary>A hitbox of one body and a hitbox of another that overlap.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Touch
    {
        public ulong BodyA, BodyB;
        public ushort BoxA, BoxB, JointA, JointB;
    }

    /// <summary>A touch and its change since the previous update.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TouchEvent
    {
        public Touch Touch;
        public TouchPhase Phase;
    }

    /// <summary>A pose of one body: a clip and a time in seconds on the clip's own clock.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ClipPose
    {
        public ulong Body;
        public Matrix WorldFromModel;
        public uint Clip;
        public float Seconds;
    }

    /// <summary>A hitbox of a body that a ray hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BodyRayHit
    {
        public ulong Body;
        public ushort Hitbox, Joint;
        private byte startsInside;
        public float Entry, Exit;
        public Vec3 Point, Normal;

        public bool StartsInside => startsInside != 0;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BodyShapeOverlap
    {
        public ulong Body;
        public ushort Hitbox, Joint;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BodyCastHit
    {
        public ulong Body;
        public ushort Hitbox, Joint;
        public float Time;
        public Vec3 Direction;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct CastContact
    {
        public Vec3 Point;
        public float Depth;
        public Vec3 Direction;
    }

    /// <summary>A hitbox of a posed character that a moving shape hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct CastHit
    {
        public ushort Hitbox, Joint;
        public float Time;
        public Vec3 Direction;
    }

    /// <summary>The kind of a shape.</summary>
    public enum ShapeKind { Sphere, Capsule, Box }

    /// <summary>A sphere, a capsule or a box in world space.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Shape
    {
        private ShapeKind kind;
        private float radius;
        private Vec3 start, end;
        private OrientedBox orientedBox;

        public ShapeKind Kind => kind;

        public static Shape Sphere(Vec3 center, float radius) =>
            new Shape { kind = ShapeKind.Sphere, radius = radius, start = center, end = center, orientedBox = { Orientation = Quat.Identity } };

        /// <summary>A capsule; start and end are the centers of its two half spheres.</summary>
        public static Shape Capsule(Vec3 start, Vec3 end, float radius) =>
            new Shape { kind = ShapeKind.Capsule, radius = radius, start = start, end = end, orientedBox = { Orientation = Quat.Identity } };

        public static Shape Box(OrientedBox box) =>
            new Shape { kind = ShapeKind.Box, start = box.Center, end = box.Center, orientedBox = box };
    }

    /// <summary>What a clip does after its end.</summary>
    public enum LoopMode
    {
        /// <summary>The clip holds its last pose.</summary>
        Once,
        /// <summary>The clip starts again at its first key.</summary>
        Loop,
    }

    /// <summary>The effect of a pose layer on the pose of the layers before it.</summary>
    public enum LayerMode
    {
        /// <summary>The pose moves toward the clip's pose.</summary>
        Blend,
        /// <summary>The difference between the clip's pose and its first pose is added to the pose.</summary>
        Add,
    }

    /// <summary>One clip at one time, applied to the pose of the layers before it.</summary>
    public struct PoseLayer
    {
        public uint Clip;
        /// <summary>The time in seconds on the clip's own clock, and the weight from 0 to 1.</summary>
        public float Seconds, Weight;
        public LayerMode Mode;
        /// <summary>A weight for each joint, multiplied by Weight; null applies Weight to all joints.</summary>
        public JointMask Mask;

        public static PoseLayer Blend(uint clip, float seconds, float weight = 1, JointMask mask = null) =>
            new PoseLayer { Clip = clip, Seconds = seconds, Weight = weight, Mask = mask };

        public static PoseLayer Add(uint clip, float seconds, float weight = 1, JointMask mask = null) =>
            new PoseLayer { Clip = clip, Seconds = seconds, Weight = weight, Mode = LayerMode.Add, Mask = mask };
    }

    /// <summary>A pose of one body: clips in layers, in the order in which they are applied to the rest pose.</summary>
    public struct LayerPose
    {
        public ulong Body;
        public Matrix WorldFromModel;
        public PoseLayer[] Layers;
    }

    /// <summary>A ray of a batch and its filter; null finds everything. Several rays may have the same filter.</summary>
    public struct FilteredRay
    {
        public Ray Ray;
        public Filter Filter;
    }

    /// <summary>The answer to one ray of a batch: the first hitbox that the ray hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RayAnswer
    {
        private BodyRayHit hit;
        private byte found;

        /// <summary>The hit; null if the ray hits nothing.</summary>
        public BodyRayHit? Hit => found != 0 ? hit : (BodyRayHit?)null;
    }

    /// <summary>The source of the pairs of joints that an exact query tests.</summary>
    public enum SkinCandidates
    {
        /// <summary>The pairs whose skin bounds overlap: the same answer as a test of all triangles.</summary>
        Bounds,
        /// <summary>The pairs whose hitboxes overlap: fewer tests, but touches outside the hitboxes are missed.</summary>
        Hitboxes,
    }

    /// <summary>
    /// A mesh of the file that the character was baked from. Source triangles are numbered through all meshes: the
    /// triangles of mesh 0 come first.
    /// </summary>
    public struct SkinMesh
    {
        public string Name;
        public uint Node, TriangleCount;
    }

    /// <summary>
    /// A morph target of a character's skin, such as an open mouth. `Number` counts the targets of its mesh in the source file.
    /// </summary>
    public struct MorphTarget
    {
        public string Name;
        public uint Mesh, Number;
    }

    /// <summary>Two joints whose skins touch: a triangle of each, and a point in world space that both share.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SkinOverlap
    {
        public ushort JointA, JointB;
        public uint SourceTriangleA, SourceTriangleB;
        public Vec3 Point;
    }

    /// <summary>The point where a ray hits the skin of a character.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SkinRayHit
    {
        public ushort Joint;
        private byte front, hasTextureCoordinate;
        public uint SourceTriangle;
        /// <summary>The weights of the three corners of the source triangle at the hit.</summary>
        public Vec3 Barycentric;
        /// <summary>The time of the hit, a multiple of the ray's direction.</summary>
        public float Time;
        public Vec3 Point, Normal;
        /// <summary>The unit normal, interpolated between the corners of the source triangle; equal to Normal if the character was
        /// baked without normals there (option skin_attributes).</summary>
        public Vec3 ShadingNormal;
        /// <summary>glTF's TEXCOORD_0 at the hit, if HasTextureCoordinate is true.</summary>
        public float U, V;

        /// <summary>True if the ray comes from the side of Normal, which is the outside of glTF meshes.</summary>
        public bool Front => front != 0;

        /// <summary>True if the character was baked with texture coordinates there (option skin_attributes).</summary>
        public bool HasTextureCoordinate => hasTextureCoordinate != 0;
    }

    /// <summary>The nearest points of two skins in world space; the distance is 0 if and only if the skins touch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SkinDistance
    {
        public ushort JointA, JointB;
        public uint SourceTriangleA, SourceTriangleB;
        public float Distance;
        public Vec3 PointA, PointB;
    }

    /// <summary>A joint whose skin a shape touches, and a source triangle that it touches.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SkinShapeOverlap
    {
        public ushort Joint;
        public uint SourceTriangle;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BodySkinShapeOverlap
    {
        public ulong Body;
        public ushort Joint;
        public uint SourceTriangle;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct SkinTouch
    {
        public ulong BodyA, BodyB;
        public ushort JointA, JointB;
        public uint SourceTriangleA, SourceTriangleB;
        public Vec3 Point;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BodySkinRayHit
    {
        public ulong Body;
        public ushort Joint;
        private byte front, hasTextureCoordinate;
        public uint SourceTriangle;
        /// <summary>The weights of the three corners of the source triangle at the hit.</summary>
        public Vec3 Barycentric;
        /// <summary>The time of the hit, a multiple of the ray's direction.</summary>
        public float Time;
        public Vec3 Point, Normal;
        /// <summary>The unit normal, interpolated between the corners of the source triangle; equal to Normal if the character was
        /// baked without normals there (option skin_attributes).</summary>
        public Vec3 ShadingNormal;
        /// <summary>glTF's TEXCOORD_0 at the hit, if HasTextureCoordinate is true.</summary>
        public float U, V;

        /// <summary>True if the ray comes from the side of Normal, which is the outside of glTF meshes.</summary>
        public bool Front => front != 0;

        /// <summary>True if the character was baked with texture coordinates there (option skin_attributes).</summary>
        public bool HasTextureCoordinate => hasTextureCoordinate != 0;
    }

    /// <summary>The first hitbox that a moving shape hits, and the contact.</summary>
    public struct BodyCastResult
    {
        public BodyCastHit Hit;
        public CastContact Contact;
    }

    /// <summary>The first hitbox of one character that a moving shape hits, and the contact.</summary>
    public struct CastResult
    {
        public CastHit Hit;
        public CastContact Contact;
    }

    /// <summary>Layers, one bit for each layer.</summary>
    public struct CollisionLayers
    {
        public uint Memberships, Mask;
    }

    /// <summary>What hitboxes are for. In a filter, a sum of these.</summary>
    [Flags]
    public enum Roles : byte
    {
        /// <summary>Parts of figures that can be hit, such as all fitted hitboxes.</summary>
        Hurt = 1,
        /// <summary>Hitboxes that hit others.</summary>
        Strike = 2,
        /// <summary>Hitboxes that grab others.</summary>
        Grab = 4,
        /// <summary>Hitboxes that stop strikes.</summary>
        Guard = 8,
        /// <summary>Hitboxes that notice others.</summary>
        Sensor = 16,
    }

    /// <summary>Conditions on the bodies and hitboxes that a query may find; null finds everything that can be hit.</summary>
    public sealed class Filter
    {
        /// <summary>The ids of bodies that the query ignores, such as the shooter or the owner of the blade.</summary>
        public ulong[] Exclude;
        /// <summary>Tags, at most 16: the query finds the hitboxes that have at least one of them.</summary>
        public string[] Tags { get; set; }
        /// <summary>The team that the query belongs to, such as the shooter's. The query ignores bodies of this team.</summary>
        public uint? Team;
        /// <summary>The layers that the query is in and the layers that it finds; 0 switches a condition off.</summary>
        public CollisionLayers? Layers;
        /// <summary>The roles of the hitboxes that the query finds; by default those that can be hit.</summary>
        public Roles Roles = Roles.Hurt;
        /// <summary>
        /// Returns true for the hitboxes of bodies that the query may find. If it throws, the query finds nothing more, and its
        /// caller gets the exception.
        /// </summary>
        public Func<ulong, ushort, bool> Predicate;

        /// The tags of the last query as UTF-8. The object never changes, because several threads may share a filter.
        private sealed class EncodedTags
        {
            internal string[] Tags;
            internal byte[][] Bytes;
        }

        private volatile EncodedTags encoded;

        /// The tags as UTF-8. The caller may have changed the array since the last query.
        internal byte[][] TagBytes
        {
            get
            {
                string[] tags = Tags ?? Array.Empty<string>();
                EncodedTags last = encoded;
                bool isSame = last != null && last.Tags.Length == tags.Length;
                for (int tag = 0; isSame && tag < tags.Length; tag++) isSame = last.Tags[tag] == tags[tag];
                if (!isSame)
                {
                    tags = (string[])tags.Clone();
                    encoded = last = new EncodedTags { Tags = tags, Bytes = Array.ConvertAll(tags, Native.Utf8) };
                }
                return last.Bytes;
            }
        }
    }

    /// IL2CPP (Unity) makes a static method with an attribute of this name callable from native code; it looks only at the name.
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type) { }
    }

    /// The predicate of one query, and the exception that it threw.
    internal sealed class AskedPredicate
    {
        private readonly Func<ulong, ushort, bool> predicate;
        private ExceptionDispatchInfo thrown;

        internal AskedPredicate(Func<ulong, ushort, bool> predicate) { this.predicate = predicate; }

        /// The function that native code calls. `user` is the handle of an AskedPredicate. An exception must not reach native code.
        [MonoPInvokeCallback(typeof(Native.PredicateFunction))]
        private static byte Ask(ulong body, ushort hitbox, IntPtr user)
        {
            var asked = (AskedPredicate)GCHandle.FromIntPtr(user).Target;
            if (asked.thrown != null) return 0;
            try
            {
                return (byte)(asked.predicate(body, hitbox) ? 1 : 0);
            }
            catch (Exception exception)
            {
                asked.thrown = ExceptionDispatchInfo.Capture(exception);
                return 0;
            }
        }

        /// Keeps the delegate alive as long as native code may call it.
        internal static readonly Native.PredicateFunction Function = Ask;
        internal static readonly IntPtr Pointer = Marshal.GetFunctionPointerForDelegate(Function);

        /// Throws the exception of the predicate after the query has returned.
        internal void Rethrow() => thrown?.Throw();
    }

    internal static unsafe class Native
    {
        private const string Library = "bonebox_c";

        [StructLayout(LayoutKind.Sequential)]
        internal struct Error
        {
            public Result Result;
            public uint Length;
            public fixed byte Message[504];
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Text
        {
            public byte* Data;
            public UIntPtr Length;
            public override string ToString() => Encoding.UTF8.GetString(Data, (int)Length);
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Joint { public Text Name; public int Parent; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Clip { public Text Name; public float Start, Seconds; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Attack { public Text Name, Data; public uint Clip; public float Strength; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Hitbox { public ushort Joint; public byte Role; public uint TagCount; public Text JointName; public OrientedBox Shape; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Mesh { public Text Name; public uint Node, TriangleCount; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct MorphTarget { public Text Name; public uint Mesh, Number; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct PoseLayer { public uint Clip; public float Seconds, Weight; public uint Mode; public IntPtr Mask; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct LayerPose { public ulong Body; public Matrix WorldFromModel; public PoseLayer* Layers; public UIntPtr LayerCount; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct RayQuery { public Ray Ray; public FilterData* Filter; }

        [StructLayout(LayoutKind.Sequential)]
        internal struct FilterData
        {
            public ulong* Exclude;
            public UIntPtr ExcludeCount;
            public byte** Tags;
            public UIntPtr TagCount;
            public uint Memberships, Mask, Team;
            public byte HasLayers, HasTeam, Roles;
            public IntPtr Predicate, User;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate byte PredicateFunction(ulong body, ushort hitbox, IntPtr user);

        internal delegate Result ListFunction<T>(T[] list, UIntPtr capacity, out UIntPtr count, ref Error error);

        internal delegate Result FilterFunction(FilterData* filter, ref Error error);

        internal static byte[] Utf8(string text)
        {
            if (text == null) throw new ArgumentNullException(nameof(text));
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        /// The length of a list of matrices. The C library refuses the length 0 of a missing list, so that the body has no hitboxes.
        internal static UIntPtr Length(Matrix[] list) => (UIntPtr)(list == null ? 0 : list.Length);

        internal static void Check(Result result, ref Error error)
        {
            if (result == Result.Ok) return;
            fixed (byte* message = error.Message)
            {
                throw new BoneboxException(result, Encoding.UTF8.GetString(message, (int)error.Length));
            }
        }

        /// The number of handles that a filter needs: for its tags, its list of bodies and its predicate.
        internal const int MostPins = 18;

        /// Fills the data of a filter from its pinned lists. `tags` has room for 16 pointers, `pins` for MostPins handles from
        /// `pinned` on. The caller frees the handles after the query has returned. `asked` is null without a predicate.
        internal static FilterData Pin(Filter filter, byte** tags, GCHandle* pins, ref int pinned, out AskedPredicate asked)
        {
            asked = null;
            byte[][] tagBytes = filter.TagBytes;
            ulong[] exclude = filter.Exclude ?? Array.Empty<ulong>();
            if (tagBytes.Length > 16) throw new ArgumentException($"a filter takes at most 16 tags, not {tagBytes.Length}");
            IntPtr predicate = IntPtr.Zero, user = IntPtr.Zero;
            if (filter.Predicate != null)
            {
                asked = new AskedPredicate(filter.Predicate);
                predicate = AskedPredicate.Pointer;
                pins[pinned] = GCHandle.Alloc(asked);
                user = GCHandle.ToIntPtr(pins[pinned++]);
            }
            for (int tag = 0; tag < tagBytes.Length; tag++)
            {
                pins[pinned] = GCHandle.Alloc(tagBytes[tag], GCHandleType.Pinned);
                tags[tag] = (byte*)pins[pinned++].AddrOfPinnedObject();
            }
            pins[pinned] = GCHandle.Alloc(exclude, GCHandleType.Pinned);
            return new FilterData
            {
                Exclude = (ulong*)pins[pinned++].AddrOfPinnedObject(),
                ExcludeCount = (UIntPtr)exclude.Length,
                Tags = tags,
                TagCount = (UIntPtr)tagBytes.Length,
                Memberships = filter.Layers?.Memberships ?? 0,
                Mask = filter.Layers?.Mask ?? 0,
                HasLayers = (byte)(filter.Layers.HasValue ? 1 : 0),
                Team = filter.Team ?? 0,
                HasTeam = (byte)(filter.Team.HasValue ? 1 : 0),
                Roles = (byte)filter.Roles,
                Predicate = predicate,
                User = user,
            };
        }

        /// Passes a filter to a query and pins the filter's lists until the query has returned.
        internal static void With(Filter filter, ref Error error, FilterFunction ask)
        {
            if (filter == null)
            {
                Check(ask(null, ref error), ref error);
                return;
            }
            GCHandle* pins = stackalloc GCHandle[MostPins];
            byte** tags = stackalloc byte*[16];
            int pinned = 0;
            try
            {
                FilterData data = Pin(filter, tags, pins, ref pinned, out AskedPredicate asked);
                Result result = ask(&data, ref error);
                asked?.Rethrow();
                Check(result, ref error);
            }
            finally
            {
                while (pinned-- > 0) pins[pinned].Free();
            }
        }

        internal delegate Result LayerFunction(LayerPose[] poses, ref Error error);

        /// Passes poses in layers to a function, and keeps the masks and the lists of layers where they are until it has returned.
        internal static void WithLayers(Bonebox.LayerPose[] poses, LayerFunction ask)
        {
            var native = new LayerPose[poses.Length];
            int count = 0;
            foreach (Bonebox.LayerPose pose in poses) count += pose.Layers.Length;
            var layers = new PoseLayer[count + 1]; // never empty, so that it has an address
            var held = new System.Collections.Generic.List<JointMaskHandle>();
            try
            {
                fixed (PoseLayer* list = layers)
                {
                    int next = 0;
                    for (int i = 0; i < poses.Length; i++)
                    {
                        native[i] = new LayerPose
                        {
                            Body = poses[i].Body,
                            WorldFromModel = poses[i].WorldFromModel,
                            Layers = list + next,
                            LayerCount = (UIntPtr)poses[i].Layers.Length,
                        };
                        foreach (Bonebox.PoseLayer layer in poses[i].Layers)
                        {
                            var mask = IntPtr.Zero;
                            if (layer.Mask != null)
                            {
                                bool isHeld = false;
                                layer.Mask.Handle.DangerousAddRef(ref isHeld); // throws if the mask was disposed of
                                if (isHeld) held.Add(layer.Mask.Handle);
                                mask = layer.Mask.Handle.DangerousGetHandle();
                            }
                            list[next++] = new PoseLayer { Clip = layer.Clip, Seconds = layer.Seconds, Weight = layer.Weight, Mode = (uint)layer.Mode, Mask = mask };
                        }
                    }
                    var error = default(Error);
                    Check(ask(native, ref error), ref error);
                }
            }
            finally
            {
                foreach (JointMaskHandle mask in held) mask.DangerousRelease();
            }
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct RulesData
        {
            public double MaxBack;
            public float TeleportDistance;
            public uint Interpolation;
            public byte TrackSkin;
            public IntPtr MayAsk, User;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate byte MayAsk(ulong body, IntPtr user);

        /// The data of rules. The caller keeps the function alive while native code may call it.
        internal static RulesData Rules(RewindRules rules, out MayAskFunction mayAsk)
        {
            rules = rules ?? new RewindRules();
            mayAsk = rules.MayAsk == null ? null : new MayAskFunction(rules.MayAsk);
            return new RulesData
            {
                MaxBack = rules.MaxBack,
                TeleportDistance = rules.TeleportDistance,
                Interpolation = (uint)rules.Interpolation,
                TrackSkin = (byte)(rules.TrackSkin ? 1 : 0),
                MayAsk = mayAsk == null ? IntPtr.Zero : MayAskFunction.Pointer,
                User = mayAsk == null ? IntPtr.Zero : mayAsk.User,
            };
        }

        /// Copies bytes of the library, and frees them there.
        internal static byte[] TakeBytes(IntPtr bytes)
        {
            try
            {
                var copy = new byte[(int)bonebox_bytes_length(bytes)];
                if (copy.Length > 0) Marshal.Copy(bonebox_bytes_data(bytes), copy, 0, copy.Length);
                return copy;
            }
            finally
            {
                bonebox_bytes_free(bytes);
            }
        }

        /// Passes the handles of characters to a function, and holds them until it has returned.
        internal static void WithCharacters(Character[] characters, Action<IntPtr[]> ask)
        {
            var list = new IntPtr[characters.Length];
            int held = 0;
            try
            {
                for (; held < list.Length; held++)
                {
                    bool isHeld = false;
                    characters[held].Handle.DangerousAddRef(ref isHeld); // throws if the character was disposed of
                    list[held] = characters[held].Handle.DangerousGetHandle();
                }
                ask(list);
            }
            finally
            {
                while (held-- > 0) characters[held].Handle.DangerousRelease();
            }
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_new(CharacterHandle character, float scale, out IntPtr ragdoll, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_free(IntPtr ragdoll);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_ragdoll_body_count(RagdollHandle ragdoll);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_body(RagdollHandle ragdoll, ushort index, out RagdollBody body, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_body_of_joint(RagdollHandle ragdoll, ushort joint, out byte found, out ushort body, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_shapes(RagdollHandle ragdoll, ushort body, RagdollShape[] list, UIntPtr room, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_hull_vertices(RagdollHandle ragdoll, ushort body, ushort shape, Vec3[] list, UIntPtr room, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_no_collision(RagdollHandle ragdoll, RagdollPair[] list, UIntPtr room, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_places(RagdollHandle ragdoll, ref Matrix worldFromModel, Matrix[] modelFromJoint, UIntPtr jointCount, RagdollPlace[] list, UIntPtr room, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_velocities(RagdollHandle ragdoll, RagdollPlace[] before, UIntPtr beforeCount, RagdollPlace[] now, UIntPtr nowCount, float seconds, RagdollVelocity[] list, UIntPtr room, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_ragdoll_world_from_joints(RagdollHandle ragdoll, RagdollPlace[] places, UIntPtr bodyCount, Matrix[] parentFromJoint, UIntPtr jointCount, Matrix[] list, UIntPtr room, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_new(out IntPtr strikes, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_free(IntPtr strikes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_clone(StrikesHandle strikes, out IntPtr clone, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_begin(StrikesHandle strikes, ref Swing swing, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_end(StrikesHandle strikes, ulong attacker, uint instance, out byte ended, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_end_all(StrikesHandle strikes, ulong attacker, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_set_speed(StrikesHandle strikes, ulong attacker, uint instance, float speed, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_hit_stop(StrikesHandle strikes, ulong a, ulong b, ulong ticks, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_is_frozen(StrikesHandle strikes, ulong body, out byte frozen, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_equip(StrikesHandle strikes, ulong body, uint number, ref Weapon weapon, uint[] attacks, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_unequip(StrikesHandle strikes, ulong body, uint number, out byte had, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_advance(StrikesHandle strikes, HistoryHandle history, ulong from, ulong to, ref StrikeRules rules, Seen[] seen, UIntPtr count, SeenBody[] own, UIntPtr ownCount, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_found(StrikesHandle strikes, Strike[] list, UIntPtr room, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_strikes_equal(StrikesHandle a, StrikesHandle b, out byte equal, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern StrikeRules bonebox_strike_rules_default();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr bonebox_bytes_data(IntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_bytes_length(IntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_bytes_free(IntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_keep_joints(WorldHandle world, byte areKept, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_save(WorldHandle world, out IntPtr bytes, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_restore(WorldHandle world, byte[] bytes, UIntPtr length, IntPtr[] characters, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_new(UIntPtr ticks, double tickSeconds, out IntPtr history, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_free(IntPtr history);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_clone(HistoryHandle history, out IntPtr clone, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_record(HistoryHandle history, ulong tick, WorldHandle world, out Recorded recorded, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_cut(HistoryHandle history, ulong body, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_drop_after(HistoryHandle history, ulong tick, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_ticks(HistoryHandle history, out HistoryTicks ticks, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_checksum(HistoryHandle history, out ulong checksum, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_checksum_of(HistoryHandle history, ulong tick, out byte found, out ulong checksum, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_first_difference(HistoryHandle a, HistoryHandle b, out byte found, out HistoryDifference difference, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_at(HistoryHandle history, Moment moment, BodyMoment[] own, UIntPtr count, ref RulesData rules, out IntPtr then, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_explain(HistoryHandle history, Moment moment, ref Ray ray, FilterData* filter, ulong target, ref RulesData rules, out Explanation explanation, out IntPtr json, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_save(HistoryHandle history, out IntPtr bytes, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_history_restore(byte[] bytes, UIntPtr length, IntPtr[] characters, UIntPtr count, out IntPtr history, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_past_kind(WorldHandle then, ulong body, out byte found, out MomentKind kind, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_past_moment(WorldHandle then, ulong body, out Moment moment, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_past_refused(WorldHandle then, out Refused refused, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_bodies(WorldHandle world, [Out] ulong[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern uint bonebox_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_with_only_boxes(CharacterHandle character, byte[] name, BoxSetHandle boxes, out IntPtr limited, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_clip_time(CharacterHandle character, uint clip, LoopMode loopMode, double elapsed, out float seconds, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_bounds_over(CharacterHandle character, uint clip, LoopMode loopMode, double elapsed, double duration, out Bounds bounds, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_bounds_transformed(ref Bounds bounds, ref Matrix worldFromModel, out Bounds transformed, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_joint_mask_new(CharacterHandle character, float[] weights, UIntPtr count, out IntPtr mask, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_joint_mask_below(CharacterHandle character, ushort joint, out IntPtr mask, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_joint_mask_free(IntPtr mask);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_from_layers(PoseHandle pose, CharacterHandle character, ref Matrix worldFromModel, PoseLayer* layers, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_pose_from_layers(WorldHandle world, LayerPose[] poses, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_cast_shape_all(WorldHandle world, ref Shape from, ref Shape to, float relativeTolerance, FilterData* filter, [Out] BodyCastHit[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_cast_shape_any(WorldHandle world, ref Shape from, ref Shape to, float relativeTolerance, FilterData* filter, out byte any, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_cast_shape(WorldHandle world, ref Shape from, ref Shape to, float relativeTolerance, FilterData* filter, out byte found, out BodyCastHit hit, out CastContact contact, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_cast_shape(ref Shape from, ref Shape to, PoseHandle poseFrom, PoseHandle poseTo, float relativeTolerance, out byte found, out CastHit hit, out CastContact contact, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_cast_shape_all(ref Shape from, ref Shape to, PoseHandle poseFrom, PoseHandle poseTo, float relativeTolerance, [Out] CastHit[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_cast_shape_any(ref Shape from, ref Shape to, PoseHandle poseFrom, PoseHandle poseTo, float relativeTolerance, out byte any, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_cast_contact(ref Shape from, ref Shape to, PoseHandle poseFrom, PoseHandle poseTo, ref CastHit hit, out CastContact contact, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_exact_distance(PoseHandle a, PoseHandle b, float maxDistance, out byte found, out SkinDistance nearest, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_exact_shape_overlaps(PoseHandle pose, ref Shape shape, [Out] SkinShapeOverlap[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_skin_contains(PoseHandle pose, Vec3 point, out byte contains, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_exact_distance(WorldHandle world, ulong bodyA, ulong bodyB, float maxDistance, out byte found, out SkinDistance nearest, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_exact_shape_overlaps(WorldHandle world, ref Shape shape, FilterData* filter, [Out] BodySkinShapeOverlap[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_bodies_containing(WorldHandle world, Vec3 point, FilterData* filter, [Out] ulong[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_load(byte[] bytes, UIntPtr length, out IntPtr character, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_free(IntPtr character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_name(CharacterHandle character, out Text name, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_character_joint_count(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_character_hitbox_count(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_character_clip_count(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_joint(CharacterHandle character, ushort index, out Joint joint, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_find_joint(CharacterHandle character, byte[] name, out ushort index, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_hitbox(CharacterHandle character, ushort index, out Hitbox hitbox, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_hitbox_tag(CharacterHandle character, ushort index, uint tagIndex, out Text tag, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_clip(CharacterHandle character, uint index, out Clip clip, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern byte bonebox_character_has_ragdoll(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_character_attack_count(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_attack(CharacterHandle character, uint index, out Attack attack, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_find_clip(CharacterHandle character, byte[] name, out uint index, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_box_set_all(CharacterHandle character, out IntPtr set, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_box_set_with_tag(CharacterHandle character, byte[] tag, out IntPtr set, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_box_set_of_joint(CharacterHandle character, ushort joint, out IntPtr set, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_box_set_union(BoxSetHandle a, BoxSetHandle b, out IntPtr set, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_box_set_complement(BoxSetHandle boxes, out IntPtr set, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_box_set_count(BoxSetHandle set);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern byte bonebox_box_set_contains(BoxSetHandle set, ushort hitbox);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_box_set_free(IntPtr set);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_new(out IntPtr pose, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_free(IntPtr pose);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_clear(PoseHandle pose, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_from_rest(PoseHandle pose, CharacterHandle character, ref Matrix worldFromModel, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_from_clip(PoseHandle pose, CharacterHandle character, ref Matrix worldFromModel, uint clip, float seconds, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_from_model(PoseHandle pose, CharacterHandle character, ref Matrix worldFromModel, Matrix[] modelFromJoint, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_from_world(PoseHandle pose, CharacterHandle character, Matrix[] worldFromJoint, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern byte bonebox_pose_is_posed(PoseHandle pose);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_bounds(PoseHandle pose, out Bounds bounds, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_hitboxes(PoseHandle pose, [Out] PosedHitbox[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_overlaps(PoseHandle a, PoseHandle b, out byte overlaps, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_overlapping_boxes(PoseHandle a, PoseHandle b, [Out] BoxPair[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_overlapping_joints(PoseHandle a, PoseHandle b, [Out] JointPair[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_contacts(PoseHandle a, PoseHandle b, [Out] Contact[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_distance(PoseHandle a, PoseHandle b, float maxDistance, out byte found, out ClosestHitboxes closest, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_new(out IntPtr world, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_free(IntPtr world);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_copy(WorldHandle from, WorldHandle to, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_insert(WorldHandle world, ulong body, CharacterHandle character, ref BodySettings settings, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_remove(WorldHandle world, ulong body, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_unposed_bodies(WorldHandle world, [Out] ulong[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_set_settings(WorldHandle world, ulong body, ref BodySettings settings, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_set_box_layers(WorldHandle world, ulong body, BoxSetHandle boxes, uint memberships, uint mask, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_clear_box_layers(WorldHandle world, ulong body, BoxSetHandle boxes, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_set_boxes_enabled(WorldHandle world, ulong body, BoxSetHandle boxes, byte enabled, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_track_joints(WorldHandle world, ulong body, IntPtr[] names, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_joint_matrix(WorldHandle world, ulong body, byte[] name, out Matrix matrix, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_pose_from_rest(WorldHandle world, ulong body, ref Matrix worldFromModel, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_pose_from_clips(WorldHandle world, ClipPose[] poses, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_pose_from_model(WorldHandle world, ulong body, ref Matrix worldFromModel, Matrix[] modelFromJoint, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_pose_from_world(WorldHandle world, ulong body, Matrix[] worldFromJoint, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_clear_pose(WorldHandle world, ulong body, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_get_pose(WorldHandle world, ulong body, PoseHandle pose, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_hitboxes(WorldHandle world, ulong body, [Out] PosedHitbox[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_start_motion(WorldHandle world, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_reset_motion(WorldHandle world, ulong body, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_update(WorldHandle world, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_touches(WorldHandle world, [Out] Touch[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_events(WorldHandle world, [Out] TouchEvent[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_contact(WorldHandle world, ref Touch touch, out byte found, out Contact contact, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_cast_ray(WorldHandle world, ref Ray ray, FilterData* filter, out byte found, out BodyRayHit hit, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_cast_ray_all(WorldHandle world, ref Ray ray, FilterData* filter, [Out] BodyRayHit[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_cast_ray_any(WorldHandle world, ref Ray ray, FilterData* filter, out byte any, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_overlapping_boxes(WorldHandle world, ref Shape shape, FilterData* filter, [Out] BodyShapeOverlap[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_overlaps_shape(WorldHandle world, ref Shape shape, FilterData* filter, out byte overlaps, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_sweep(WorldHandle world, float relativeTolerance, FilterData* filter, out byte found, out BodySweepHit hit, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_sweep_all(WorldHandle world, float relativeTolerance, FilterData* filter, [Out] BodySweepHit[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_sweep_any(WorldHandle world, float relativeTolerance, FilterData* filter, out byte any, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern byte bonebox_character_has_skin(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_character_skin_mesh_count(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_skin_mesh(CharacterHandle character, uint index, out Mesh mesh, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr bonebox_character_morph_target_count(CharacterHandle character);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_character_morph_target(CharacterHandle character, uint index, out MorphTarget target, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_set_morph_weights(PoseHandle pose, CharacterHandle character, [In] float[] weights, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_set_morph_weights(WorldHandle world, ulong body, [In] float[] weights, UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_track_skin(PoseHandle pose, byte isTracked, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_pose_exact_ray(PoseHandle pose, ref Ray ray, out byte found, out SkinRayHit hit, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_exact_overlap_all(PoseHandle a, PoseHandle b, SkinCandidates candidates, [Out] SkinOverlap[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_exact_overlap(PoseHandle a, PoseHandle b, SkinCandidates candidates, out byte found, out SkinOverlap overlap, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_track_skin(WorldHandle world, ulong body, byte isTracked, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_exact_touches(WorldHandle world, FilterData* filter, [Out] SkinTouch[] list, UIntPtr capacity, out UIntPtr count, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_exact_ray(WorldHandle world, ref Ray ray, FilterData* filter, out byte found, out BodySkinRayHit hit, ref Error error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result bonebox_world_cast_rays(WorldHandle world, RayQuery[] queries, UIntPtr count, [Out] RayAnswer[] answers, ref Error error);
    }

    internal sealed class CharacterHandle : SafeHandle
    {
        internal CharacterHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_character_free(handle) == Result.Ok;
    }

    internal sealed class BoxSetHandle : SafeHandle
    {
        internal BoxSetHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_box_set_free(handle) == Result.Ok;
    }

    internal sealed class JointMaskHandle : SafeHandle
    {
        internal JointMaskHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_joint_mask_free(handle) == Result.Ok;
    }

    internal sealed class PoseHandle : SafeHandle
    {
        internal PoseHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_pose_free(handle) == Result.Ok;
    }

    internal sealed class WorldHandle : SafeHandle
    {
        internal WorldHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_world_free(handle) == Result.Ok;
    }

    internal sealed class HistoryHandle : SafeHandle
    {
        internal HistoryHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_history_free(handle) == Result.Ok;
    }

    internal sealed class RagdollHandle : SafeHandle
    {
        internal RagdollHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_ragdoll_free(handle) == Result.Ok;
    }

    internal sealed class StrikesHandle : SafeHandle
    {
        internal StrikesHandle(IntPtr value) : base(IntPtr.Zero, true) { SetHandle(value); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => Native.bonebox_strikes_free(handle) == Result.Ok;
    }

    /// <summary>A list that keeps its memory between calls. Read its first <see cref="Count"/> items.</summary>
    public sealed class ResultList<T> where T : struct
    {
        private T[] items = new T[16];

        /// <summary>The number of items that the last call wrote.</summary>
        public int Count { get; private set; }

        public T this[int index] => index < Count ? items[index] : throw new ArgumentOutOfRangeException(nameof(index));

#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP2_1_OR_GREATER || UNITY_2021_2_OR_NEWER
        public ReadOnlySpan<T> Span => new ReadOnlySpan<T>(items, 0, Count);
#endif

        /// Forgets all items, so that a call that throws leaves none of the last call.
        internal void Clear() { Count = 0; }

        /// Makes room for a list whose length is known before the call. The items can be read after <see cref="Complete"/>.
        internal T[] Room(int count)
        {
            if (items.Length < count) items = new T[count];
            return items;
        }

        internal void Complete(int count) { Count = count; }

        internal void Fill(Native.ListFunction<T> function)
        {
            Count = 0;
            for (;;)
            {
                var error = default(Native.Error);
                Result result = function(items, (UIntPtr)items.Length, out UIntPtr count, ref error);
                if (result != Result.BufferTooSmall)
                {
                    Native.Check(result, ref error);
                    Count = (int)count;
                    return;
                }
                items = new T[(int)count + (int)count / 2];
            }
        }
    }

    /// <summary>A set of hitboxes of one character, for methods that change the settings of these hitboxes.</summary>
    public sealed class BoxSet : IDisposable
    {
        internal readonly BoxSetHandle Handle;
        internal BoxSet(IntPtr handle) { Handle = new BoxSetHandle(handle); }

        public int Count => (int)Native.bonebox_box_set_count(Handle);
        public bool Contains(ushort hitbox) => Native.bonebox_box_set_contains(Handle, hitbox) != 0;

        public BoxSet Complement()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_box_set_complement(Handle, out IntPtr set, ref error), ref error);
            return new BoxSet(set);
        }

        public BoxSet UnitedWith(BoxSet other)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_box_set_union(Handle, other.Handle, out IntPtr set, ref error), ref error);
            return new BoxSet(set);
        }

        public void Dispose() => Handle.Dispose();
    }

    /// <summary>A weight from 0 to 1 for each joint of one character, by which a pose layer affects that joint.</summary>
    public sealed class JointMask : IDisposable
    {
        internal readonly JointMaskHandle Handle;
        private JointMask(IntPtr handle) { Handle = new JointMaskHandle(handle); }

        /// <summary>A mask from one weight for each joint, in the order of the skeleton.</summary>
        public static JointMask FromWeights(Character character, float[] weights)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_joint_mask_new(character.Handle, weights, (UIntPtr)weights.Length, out IntPtr mask, ref error), ref error);
            return new JointMask(mask);
        }

        /// <summary>A mask with weight 1 for a joint and all its descendants, and weight 0 for the other joints.</summary>
        public static JointMask Below(Character character, ushort joint)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_joint_mask_below(character.Handle, joint, out IntPtr mask, ref error), ref error);
            return new JointMask(mask);
        }

        public void Dispose() => Handle.Dispose();
    }

    /// <summary>The contents of a .bonebox file. Any number of threads may read it.</summary>
    public sealed class Character : IDisposable
    {
        internal readonly CharacterHandle Handle;

        /// <summary>The version of the C library: major * 1,000,000 + minor * 1,000 + patch.</summary>
        public static int LibraryVersion => (int)Native.bonebox_version();

        /// <summary>Loads a character from the bytes of a file. Any bytes are safe to pass.</summary>
        public Character(byte[] bytes)
        {
            if (bytes == null) throw new ArgumentNullException(nameof(bytes));
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_load(bytes, (UIntPtr)bytes.Length, out IntPtr handle, ref error), ref error);
            Handle = new CharacterHandle(handle);
        }

        private Character(IntPtr handle) { Handle = new CharacterHandle(handle); }

        /// <summary>
        /// A character that has only the hitboxes of a set of this character, with the same skeleton and the same clips: for
        /// bodies that are far away, or for queries that need only heads.
        /// </summary>
        public Character WithOnlyBoxes(string name, BoxSet boxes)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_with_only_boxes(Handle, Native.Utf8(name), boxes.Handle, out IntPtr limited, ref error), ref error);
            return new Character(limited);
        }

        /// <summary>The time on a clip's own clock when that many seconds have passed since the clip was started.</summary>
        public float ClipTime(uint clip, LoopMode loopMode, double elapsed)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_clip_time(Handle, clip, loopMode, elapsed, out float seconds, ref error), ref error);
            return seconds;
        }

        /// <summary>Bounds, in model space, of all hitboxes from elapsed to elapsed + duration seconds after the clip was started.</summary>
        public Bounds BoundsOver(uint clip, LoopMode loopMode, double elapsed, double duration)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_bounds_over(Handle, clip, loopMode, elapsed, duration, out Bounds bounds, ref error), ref error);
            return bounds;
        }

        public string Name
        {
            get
            {
                var error = default(Native.Error);
                Native.Check(Native.bonebox_character_name(Handle, out Native.Text name, ref error), ref error);
                return name.ToString();
            }
        }

        public int JointCount => (int)Native.bonebox_character_joint_count(Handle);
        public int HitboxCount => (int)Native.bonebox_character_hitbox_count(Handle);
        public int ClipCount => (int)Native.bonebox_character_clip_count(Handle);

        private Native.Joint GetJoint(ushort index)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_joint(Handle, index, out Native.Joint joint, ref error), ref error);
            return joint;
        }

        public string JointName(ushort index) => GetJoint(index).Name.ToString();

        /// <summary>The index of the parent joint; -1 for a root.</summary>
        public int JointParent(ushort index) => GetJoint(index).Parent;

        public ushort FindJoint(string name)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_find_joint(Handle, Native.Utf8(name), out ushort index, ref error), ref error);
            return index;
        }

        private Native.Hitbox GetHitbox(ushort index)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_hitbox(Handle, index, out Native.Hitbox hitbox, ref error), ref error);
            return hitbox;
        }

        /// <summary>The joint that a hitbox is attached to.</summary>
        public ushort HitboxJoint(ushort index) => GetHitbox(index).Joint;

        /// <summary>What a hitbox is for.</summary>
        public Roles HitboxRole(ushort index) => (Roles)GetHitbox(index).Role;

        /// <summary>Center, half extents and orientation in joint space.</summary>
        public OrientedBox HitboxShape(ushort index) => GetHitbox(index).Shape;

        public string[] Tags(ushort hitbox)
        {
            var tags = new string[GetHitbox(hitbox).TagCount];
            for (uint index = 0; index < tags.Length; index++)
            {
                var error = default(Native.Error);
                Native.Check(Native.bonebox_character_hitbox_tag(Handle, hitbox, index, out Native.Text tag, ref error), ref error);
                tags[index] = tag.ToString();
            }
            return tags;
        }

        private Native.Clip GetClip(uint index)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_clip(Handle, index, out Native.Clip clip, ref error), ref error);
            return clip;
        }

        public string ClipName(uint index) => GetClip(index).Name.ToString();
        public float ClipSeconds(uint index) => GetClip(index).Seconds;

        /// <summary>True if the character was baked with a ragdoll, which <see cref="Ragdoll"/> needs.</summary>
        public bool HasRagdoll => Native.bonebox_character_has_ragdoll(Handle) != 0;

        public int AttackCount => (int)Native.bonebox_character_attack_count(Handle);

        private Native.Attack GetAttack(uint index)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_attack(Handle, index, out Native.Attack attack, ref error), ref error);
            return attack;
        }

        /// <summary>The name of an attack, such as <see cref="Strike.Attack"/>.</summary>
        public string AttackName(uint index) => GetAttack(index).Name.ToString();
        /// <summary>The game's own data of an attack as JSON; empty if there is none.</summary>
        public string AttackData(uint index) => GetAttack(index).Data.ToString();
        public uint AttackClip(uint index) => GetAttack(index).Clip;
        /// <summary>The strength of an attack in clashes.</summary>
        public float AttackStrength(uint index) => GetAttack(index).Strength;

        public uint FindClip(string name)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_find_clip(Handle, Native.Utf8(name), out uint index, ref error), ref error);
            return index;
        }

        /// <summary>True if the character was baked with its skin, which exact queries need.</summary>
        public bool HasSkin => Native.bonebox_character_has_skin(Handle) != 0;

        /// <summary>The number of meshes of the character's skin.</summary>
        public int SkinMeshCount => (int)Native.bonebox_character_skin_mesh_count(Handle);

        public SkinMesh SkinMesh(uint index)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_skin_mesh(Handle, index, out Native.Mesh mesh, ref error), ref error);
            return new SkinMesh { Name = mesh.Name.ToString(), Node = mesh.Node, TriangleCount = mesh.TriangleCount };
        }

        /// <summary>The number of morph targets of the character's skin.</summary>
        public int MorphTargetCount => (int)Native.bonebox_character_morph_target_count(Handle);

        public MorphTarget MorphTarget(uint index)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_character_morph_target(Handle, index, out Native.MorphTarget target, ref error), ref error);
            return new MorphTarget { Name = target.Name.ToString(), Mesh = target.Mesh, Number = target.Number };
        }

        public BoxSet AllBoxes()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_box_set_all(Handle, out IntPtr set, ref error), ref error);
            return new BoxSet(set);
        }

        public BoxSet BoxesWithTag(string tag)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_box_set_with_tag(Handle, Native.Utf8(tag), out IntPtr set, ref error), ref error);
            return new BoxSet(set);
        }

        public BoxSet BoxesOfJoint(ushort joint)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_box_set_of_joint(Handle, joint, out IntPtr set, ref error), ref error);
            return new BoxSet(set);
        }

        public void Dispose() => Handle.Dispose();
    }

    /// <summary>A posed character that is not in a world.</summary>
    public sealed class Pose : IDisposable
    {
        internal readonly PoseHandle Handle;

        public Pose()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_new(out IntPtr handle, ref error), ref error);
            Handle = new PoseHandle(handle);
        }

        /// <summary>Takes away the hitboxes, as a pose that fails does.</summary>
        public void Clear()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_clear(Handle, ref error), ref error);
        }

        // The methods below call Clear first, because an argument may throw before the C library is called.

        /// <summary>
        /// Poses a character by its rest pose. If this or any other method that poses throws, there are no hitboxes until the next
        /// pose.
        /// </summary>
        public void FromRest(Character character, Matrix worldFromModel)
        {
            Clear();
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_from_rest(Handle, character.Handle, ref worldFromModel, ref error), ref error);
        }

        /// <summary>Poses a character by a clip; the seconds are on the clip's own clock.</summary>
        public void FromClip(Character character, Matrix worldFromModel, uint clip, float seconds)
        {
            Clear();
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_from_clip(Handle, character.Handle, ref worldFromModel, clip, seconds, ref error), ref error);
        }

        /// <summary>Poses a character by clips in layers: each layer changes the pose of the layers before it. The call allocates memory.</summary>
        public unsafe void FromLayers(Character character, Matrix worldFromModel, params PoseLayer[] layers)
        {
            Clear();
            Native.WithLayers(new[] { new LayerPose { Layers = layers } }, (Native.LayerPose[] poses, ref Native.Error error) =>
                Native.bonebox_pose_from_layers(Handle, character.Handle, ref worldFromModel, poses[0].Layers, poses[0].LayerCount, ref error));
        }

        /// <summary>Poses a character by matrices in model space, one for each joint in the order of the skeleton.</summary>
        public void FromModel(Character character, Matrix worldFromModel, Matrix[] modelFromJoint)
        {
            Clear();
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_from_model(Handle, character.Handle, ref worldFromModel, modelFromJoint, (UIntPtr)modelFromJoint.Length, ref error), ref error);
        }

        /// <summary>Poses a character by matrices in world space, one for each joint in the order of the skeleton.</summary>
        public void FromWorld(Character character, Matrix[] worldFromJoint)
        {
            Clear();
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_from_world(Handle, character.Handle, worldFromJoint, (UIntPtr)worldFromJoint.Length, ref error), ref error);
        }

        public bool IsPosed => Native.bonebox_pose_is_posed(Handle) != 0;

        public Bounds Bounds
        {
            get
            {
                var error = default(Native.Error);
                Native.Check(Native.bonebox_pose_bounds(Handle, out Bounds bounds, ref error), ref error);
                return bounds;
            }
        }

        public void Hitboxes(ResultList<PosedHitbox> hitboxes) =>
            hitboxes.Fill((PosedHitbox[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_pose_hitboxes(Handle, list, room, out count, ref error));

        public bool Overlaps(Pose other)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_overlaps(Handle, other.Handle, out byte overlaps, ref error), ref error);
            return overlaps != 0;
        }

        public void OverlappingBoxes(Pose other, ResultList<BoxPair> pairs) =>
            pairs.Fill((BoxPair[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_overlapping_boxes(Handle, other.Handle, list, room, out count, ref error));

        public void OverlappingJoints(Pose other, ResultList<JointPair> pairs) =>
            pairs.Fill((JointPair[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_overlapping_joints(Handle, other.Handle, list, room, out count, ref error));

        public void Contacts(Pose other, ResultList<Contact> contacts) =>
            contacts.Fill((Contact[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_contacts(Handle, other.Handle, list, room, out count, ref error));

        /// <summary>Finds the nearest two hitboxes that are at most maxDistance apart, or returns null.</summary>
        public ClosestHitboxes? Distance(Pose other, float maxDistance = float.PositiveInfinity)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_distance(Handle, other.Handle, maxDistance, out byte found, out ClosestHitboxes closest, ref error), ref error);
            return found != 0 ? closest : (ClosestHitboxes?)null;
        }

        /// <summary>Starts or stops keeping the skin, from the next pose on. Exact queries need the skin.</summary>
        public void TrackSkin(bool isTracked = true)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_track_skin(Handle, (byte)(isTracked ? 1 : 0), ref error), ref error);
        }

        /// <summary>
        /// Sets the weights of all morph targets of the tracked skin, from the next pose on. Hitboxes do not follow them.
        /// </summary>
        public void SetMorphWeights(Character character, float[] weights)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_set_morph_weights(Handle, character.Handle, weights, (UIntPtr)weights.Length, ref error), ref error);
        }

        /// <summary>
        /// Finds the pairs of joints whose skins touch, each with a point and two triangles. Both poses must track their
        /// skins and be different objects.
        /// </summary>
        public void ExactOverlapAll(Pose other, ResultList<SkinOverlap> overlaps, SkinCandidates candidates = SkinCandidates.Bounds) =>
            overlaps.Fill((SkinOverlap[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_exact_overlap_all(Handle, other.Handle, candidates, list, room, out count, ref error));

        /// <summary>Finds one pair of joints whose skins touch, or returns null.</summary>
        public SkinOverlap? ExactOverlap(Pose other, SkinCandidates candidates = SkinCandidates.Bounds)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_exact_overlap(Handle, other.Handle, candidates, out byte found, out SkinOverlap overlap, ref error), ref error);
            return found != 0 ? overlap : (SkinOverlap?)null;
        }

        /// <summary>Finds the first point of the skin that a ray hits, or returns null.</summary>
        public SkinRayHit? ExactRay(Ray ray)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_exact_ray(Handle, ref ray, out byte found, out SkinRayHit hit, ref error), ref error);
            return found != 0 ? hit : (SkinRayHit?)null;
        }

        /// <summary>Finds the nearest points of two skins that are at most maxDistance apart, or returns null.</summary>
        public SkinDistance? ExactDistance(Pose other, float maxDistance = float.PositiveInfinity)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_exact_distance(Handle, other.Handle, maxDistance, out byte found, out SkinDistance nearest, ref error), ref error);
            return found != 0 ? nearest : (SkinDistance?)null;
        }

        /// <summary>Finds the joints whose skin a shape touches.</summary>
        public void ExactShapeOverlaps(Shape shape, ResultList<SkinShapeOverlap> overlaps) =>
            overlaps.Fill((SkinShapeOverlap[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_pose_exact_shape_overlaps(Handle, ref shape, list, room, out count, ref error));

        /// <summary>Returns true if a point is inside the skin.</summary>
        public bool SkinContains(Vec3 point)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_pose_skin_contains(Handle, point, out byte contains, ref error), ref error);
            return contains != 0;
        }

        /// <summary>
        /// Finds the first hitbox that a moving shape hits, and the contact, while the character moves from this pose to another,
        /// or returns null. Both shapes must have the same kind. Pass the same pose for a character that stands still.
        /// </summary>
        public CastResult? CastShape(Shape from, Shape to, Pose next, float relativeTolerance = 0)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_cast_shape(ref from, ref to, Handle, next.Handle, relativeTolerance, out byte found, out CastHit hit, out CastContact contact, ref error), ref error);
            return found != 0 ? new CastResult { Hit = hit, Contact = contact } : (CastResult?)null;
        }

        /// <summary>Finds all hitboxes that a moving shape hits, the earliest first; see <see cref="CastShape"/>.</summary>
        public void CastShapeAll(Shape from, Shape to, Pose next, ResultList<CastHit> hits, float relativeTolerance = 0) =>
            hits.Fill((CastHit[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_cast_shape_all(ref from, ref to, Handle, next.Handle, relativeTolerance, list, room, out count, ref error));

        /// <summary>Returns true if a moving shape hits any hitbox; see <see cref="CastShape"/>.</summary>
        public bool CastShapeAny(Shape from, Shape to, Pose next, float relativeTolerance = 0)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_cast_shape_any(ref from, ref to, Handle, next.Handle, relativeTolerance, out byte any, ref error), ref error);
            return any != 0;
        }

        /// <summary>Computes the contact of a hit that CastShapeAll found, from the same shapes and poses.</summary>
        public CastContact GetCastContact(Shape from, Shape to, Pose next, CastHit hit)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_cast_contact(ref from, ref to, Handle, next.Handle, ref hit, out CastContact contact, ref error), ref error);
            return contact;
        }

        public void Dispose() => Handle.Dispose();
    }

    /// <summary>Bodies that can be asked about: those of a <see cref="World"/>, or those of a <see cref="PastWorld"/>.</summary>
    public abstract unsafe class Bodies : IDisposable
    {
        internal readonly WorldHandle Handle;
        internal Bodies(IntPtr handle) { Handle = new WorldHandle(handle); }

        public void GetBodies(ResultList<ulong> bodies) =>
            bodies.Fill((ulong[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_bodies(Handle, list, room, out count, ref error));

        /// <summary>Copies the pose of a body into a pose. If the method throws, the pose has no hitboxes.</summary>
        public void GetPose(ulong body, Pose pose)
        {
            pose.Clear();
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_get_pose(Handle, body, pose.Handle, ref error), ref error);
        }

        public void Hitboxes(ulong body, ResultList<PosedHitbox> hitboxes) =>
            hitboxes.Fill((PosedHitbox[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_hitboxes(Handle, body, list, room, out count, ref error));

        /// <summary>Finds the first hitbox that a ray hits, or returns null.</summary>
        public BodyRayHit? CastRay(Ray ray, Filter filter = null)
        {
            var error = default(Native.Error);
            byte found = 0;
            BodyRayHit hit = default(BodyRayHit);
            Native.With(filter, ref error, (Native.FilterData* data, ref Native.Error inner) =>
                Native.bonebox_world_cast_ray(Handle, ref ray, data, out found, out hit, ref inner));
            return found != 0 ? hit : (BodyRayHit?)null;
        }

        internal delegate Result AskFunction(Native.FilterData* data, out byte answer, ref Native.Error error);

        internal static bool Ask(Filter filter, AskFunction ask)
        {
            var error = default(Native.Error);
            byte answer = 0;
            Native.With(filter, ref error, (Native.FilterData* data, ref Native.Error inner) => ask(data, out answer, ref inner));
            return answer != 0;
        }

        internal static void Fill<T>(ResultList<T> result, Filter filter, Func<IntPtr, Native.ListFunction<T>> ask) where T : struct
        {
            result.Clear();
            try
            {
                var error = default(Native.Error);
                Native.With(filter, ref error, (Native.FilterData* data, ref Native.Error inner) =>
                {
                    result.Fill(ask((IntPtr)data));
                    return Result.Ok;
                });
            }
            catch
            {
                result.Clear();
                throw;
            }
        }

        /// <summary>Finds all hitboxes that a ray hits, the nearest first.</summary>
        public void CastRayAll(Ray ray, ResultList<BodyRayHit> hits, Filter filter = null) =>
            Fill(hits, filter, data => (BodyRayHit[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_cast_ray_all(Handle, ref ray, (Native.FilterData*)data, list, room, out count, ref error));

        /// <summary>Returns true if a ray hits any hitbox.</summary>
        public bool CastRayAny(Ray ray, Filter filter = null) =>
            Ask(filter, (Native.FilterData* data, out byte any, ref Native.Error error) =>
                Native.bonebox_world_cast_ray_any(Handle, ref ray, data, out any, ref error));

        /// <summary>Finds all hitboxes that a shape overlaps, sorted by body, then by hitbox.</summary>
        public void OverlappingBoxes(Shape shape, ResultList<BodyShapeOverlap> overlaps, Filter filter = null) =>
            Fill(overlaps, filter, data => (BodyShapeOverlap[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_overlapping_boxes(Handle, ref shape, (Native.FilterData*)data, list, room, out count, ref error));

        /// <summary>Returns true if a shape overlaps any hitbox.</summary>
        public bool OverlapsShape(Shape shape, Filter filter = null) =>
            Ask(filter, (Native.FilterData* data, out byte overlaps, ref Native.Error error) =>
                Native.bonebox_world_overlaps_shape(Handle, ref shape, data, out overlaps, ref error));

        /// <summary>
        /// Finds the first hitbox that a shape hits on its way from one place to another, and the contact, or returns null. Both
        /// shapes must have the same kind.
        /// </summary>
        public BodyCastResult? CastShape(Shape from, Shape to, Filter filter = null, float relativeTolerance = 0)
        {
            var error = default(Native.Error);
            byte found = 0;
            BodyCastHit hit = default(BodyCastHit);
            CastContact contact = default(CastContact);
            Native.With(filter, ref error, (Native.FilterData* data, ref Native.Error inner) =>
                Native.bonebox_world_cast_shape(Handle, ref from, ref to, relativeTolerance, data, out found, out hit, out contact, ref inner));
            return found != 0 ? new BodyCastResult { Hit = hit, Contact = contact } : (BodyCastResult?)null;
        }

        /// <summary>Finds all hitboxes that a shape hits on its way from one place to another, the earliest first.</summary>
        public void CastShapeAll(Shape from, Shape to, ResultList<BodyCastHit> hits, Filter filter = null, float relativeTolerance = 0) =>
            Fill(hits, filter, data => (BodyCastHit[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_cast_shape_all(Handle, ref from, ref to, relativeTolerance, (Native.FilterData*)data, list, room, out count, ref error));

        /// <summary>Returns true if a shape hits any hitbox on its way from one place to another.</summary>
        public bool CastShapeAny(Shape from, Shape to, Filter filter = null, float relativeTolerance = 0) =>
            Ask(filter, (Native.FilterData* data, out byte any, ref Native.Error error) =>
                Native.bonebox_world_cast_shape_any(Handle, ref from, ref to, relativeTolerance, data, out any, ref error));

        /// <summary>
        /// Casts many rays, each with its own filter: <c>answers[i]</c> belongs to <c>rays[i]</c>. For many rays, this is faster
        /// than as many calls of <see cref="CastRay"/>. The call allocates memory.
        /// </summary>
        public void CastRays(FilteredRay[] rays, ResultList<RayAnswer> answers)
        {
            answers.Clear();
            var queries = new Native.RayQuery[rays.Length];
            // Neighbors with the same filter share its data.
            int filters = 0;
            for (int i = 0; i < rays.Length; i++)
            {
                if (rays[i].Filter != null && (i == 0 || rays[i].Filter != rays[i - 1].Filter)) filters++;
            }
            var data = new Native.FilterData[filters];
            var tags = new IntPtr[16 * filters];
            var pins = new GCHandle[Native.MostPins * filters];
            var asked = new AskedPredicate[filters];
            int pinned = 0;
            fixed (Native.FilterData* allData = data)
            fixed (IntPtr* allTags = tags)
            fixed (GCHandle* allPins = pins)
            {
                try
                {
                    int filter = -1;
                    for (int i = 0; i < rays.Length; i++)
                    {
                        Filter own = rays[i].Filter;
                        queries[i].Ray = rays[i].Ray;
                        if (own == null) continue;
                        if (i == 0 || own != rays[i - 1].Filter)
                        {
                            filter++;
                            data[filter] = Native.Pin(own, (byte**)(allTags + 16 * filter), allPins, ref pinned, out asked[filter]);
                        }
                        queries[i].Filter = allData + filter;
                    }
                    RayAnswer[] list = answers.Room(rays.Length);
                    var error = default(Native.Error);
                    Result result = Native.bonebox_world_cast_rays(Handle, queries, (UIntPtr)queries.Length, list, ref error);
                    foreach (AskedPredicate one in asked) one?.Rethrow();
                    Native.Check(result, ref error);
                    answers.Complete(rays.Length);
                }
                finally
                {
                    while (pinned-- > 0) pins[pinned].Free();
                }
            }
        }

        public virtual void Dispose() => Handle.Dispose();
    }

    /// <summary>A world of many bodies: touches between them, and queries.</summary>
    public sealed unsafe class World : Bodies
    {
        public World() : base(New()) { }

        private static IntPtr New()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_new(out IntPtr handle, ref error), ref error);
            return handle;
        }

        /// <summary>Copies the state of another world into this one, for example to roll back to it later.</summary>
        public void CopyFrom(World other)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_copy(other.Handle, Handle, ref error), ref error);
        }

        public void Insert(ulong body, Character character) => Insert(body, character, BodySettings.Default);

        public void Insert(ulong body, Character character, BodySettings settings)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_insert(Handle, body, character.Handle, ref settings, ref error), ref error);
        }

        public void Remove(ulong body)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_remove(Handle, body, ref error), ref error);
        }

        public void SetSettings(ulong body, BodySettings settings)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_set_settings(Handle, body, ref settings, ref error), ref error);
        }

        public void SetBoxLayers(ulong body, BoxSet boxes, uint memberships, uint mask)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_set_box_layers(Handle, body, boxes.Handle, memberships, mask, ref error), ref error);
        }

        public void ClearBoxLayers(ulong body, BoxSet boxes)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_clear_box_layers(Handle, body, boxes.Handle, ref error), ref error);
        }

        public void SetBoxesEnabled(ulong body, BoxSet boxes, bool enabled)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_set_boxes_enabled(Handle, body, boxes.Handle, (byte)(enabled ? 1 : 0), ref error), ref error);
        }

        /// <summary>Tracks joints: from the next pose on, JointMatrix returns their matrices.</summary>
        public void TrackJoints(ulong body, params string[] names)
        {
            GCHandle[] pins = Array.ConvertAll(names, name => GCHandle.Alloc(Native.Utf8(name), GCHandleType.Pinned));
            try
            {
                IntPtr[] pointers = Array.ConvertAll(pins, pin => pin.AddrOfPinnedObject());
                var error = default(Native.Error);
                Native.Check(Native.bonebox_world_track_joints(Handle, body, pointers, (UIntPtr)pointers.Length, ref error), ref error);
            }
            finally
            {
                foreach (GCHandle pin in pins) pin.Free();
            }
        }

        public Matrix JointMatrix(ulong body, string name)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_joint_matrix(Handle, body, Native.Utf8(name), out Matrix matrix, ref error), ref error);
            return matrix;
        }

        /// <summary>
        /// Poses a body by its rest pose. If this or any other method that poses a body throws, the body has no hitboxes until it is
        /// posed again.
        /// </summary>
        public void PoseFromRest(ulong body, Matrix worldFromModel)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_pose_from_rest(Handle, body, ref worldFromModel, ref error), ref error);
        }

        /// <summary>Poses bodies by clips; throws the error of the first refused pose after applying the others.</summary>
        public void PoseFromClips(params ClipPose[] poses)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_pose_from_clips(Handle, poses, (UIntPtr)poses.Length, ref error), ref error);
        }

        /// <summary>
        /// Poses bodies by clips in layers; throws the error of the first refused pose after applying the others. The call
        /// allocates memory.
        /// </summary>
        public void PoseFromLayers(params LayerPose[] poses)
        {
            if (poses == null) throw new ArgumentNullException(nameof(poses));
            try
            {
                Native.WithLayers(poses, (Native.LayerPose[] list, ref Native.Error error) =>
                    Native.bonebox_world_pose_from_layers(Handle, list, (UIntPtr)list.Length, ref error));
            }
            catch (Exception exception) when (!(exception is BoneboxException))
            {
                // The C library was not called, for example because a mask was disposed of.
                foreach (LayerPose pose in poses)
                {
                    var error = default(Native.Error);
                    Native.bonebox_world_clear_pose(Handle, pose.Body, ref error); // a body that does not exist has no hitboxes
                }
                throw;
            }
        }

        public void PoseFromModel(ulong body, Matrix worldFromModel, Matrix[] modelFromJoint)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_pose_from_model(Handle, body, ref worldFromModel, modelFromJoint, Native.Length(modelFromJoint), ref error), ref error);
        }

        public void PoseFromWorld(ulong body, Matrix[] worldFromJoint)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_pose_from_world(Handle, body, worldFromJoint, Native.Length(worldFromJoint), ref error), ref error);
        }

        /// <summary>Takes away the hitboxes of a body until it is posed again, as a pose that fails does.</summary>
        public void ClearPose(ulong body)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_clear_pose(Handle, body, ref error), ref error);
        }

        public void StartMotion()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_start_motion(Handle, ref error), ref error);
        }

        public void ResetMotion(ulong body)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_reset_motion(Handle, body, ref error), ref error);
        }

        public void Update()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_update(Handle, ref error), ref error);
        }

        public void UnposedBodies(ResultList<ulong> bodies) =>
            bodies.Fill((ulong[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_unposed_bodies(Handle, list, room, out count, ref error));

        public void Touches(ResultList<Touch> touches) =>
            touches.Fill((Touch[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_touches(Handle, list, room, out count, ref error));

        public void Events(ResultList<TouchEvent> events) =>
            events.Fill((TouchEvent[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_events(Handle, list, room, out count, ref error));

        public Contact? GetContact(Touch touch)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_contact(Handle, ref touch, out byte found, out Contact contact, ref error), ref error);
            return found != 0 ? contact : (Contact?)null;
        }

        /// <summary>
        /// Finds the first hit between hitboxes of different bodies while the bodies move from pose to pose, or returns null.
        /// </summary>
        public BodySweepHit? Sweep(Filter filter = null, float relativeTolerance = 0)
        {
            var error = default(Native.Error);
            byte found = 0;
            BodySweepHit hit = default(BodySweepHit);
            Native.With(filter, ref error, (Native.FilterData* data, ref Native.Error inner) =>
                Native.bonebox_world_sweep(Handle, relativeTolerance, data, out found, out hit, ref inner));
            return found != 0 ? hit : (BodySweepHit?)null;
        }

        /// <summary>Finds all hitboxes of different bodies that hit each other while the bodies move from pose to pose.</summary>
        public void SweepAll(ResultList<BodySweepHit> hits, Filter filter = null, float relativeTolerance = 0) =>
            Fill(hits, filter, data => (BodySweepHit[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_sweep_all(Handle, relativeTolerance, (Native.FilterData*)data, list, room, out count, ref error));

        /// <summary>Returns true if hitboxes of any two bodies hit each other while the bodies move from pose to pose.</summary>
        public bool SweepAny(Filter filter = null, float relativeTolerance = 0) =>
            Ask(filter, (Native.FilterData* data, out byte any, ref Native.Error error) =>
                Native.bonebox_world_sweep_any(Handle, relativeTolerance, data, out any, ref error));

        /// <summary>Starts or stops keeping the skin of a body, from its next pose on. Exact queries need the skin.</summary>
        public void TrackSkin(ulong body, bool isTracked = true)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_track_skin(Handle, body, (byte)(isTracked ? 1 : 0), ref error), ref error);
        }

        /// <summary>
        /// Sets the weights of all morph targets of a body's tracked skin, from its next pose on. Hitboxes do not follow them.
        /// </summary>
        public void SetMorphWeights(ulong body, float[] weights)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_set_morph_weights(Handle, body, weights, (UIntPtr)weights.Length, ref error), ref error);
        }

        /// <summary>Finds the joints of different bodies whose skins touch, in the present poses.</summary>
        public void ExactTouches(ResultList<SkinTouch> touches, Filter filter = null) =>
            Fill(touches, filter, data => (SkinTouch[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_exact_touches(Handle, (Native.FilterData*)data, list, room, out count, ref error));

        /// <summary>Finds the first point of any body's skin that a ray hits, or returns null.</summary>
        public BodySkinRayHit? ExactRay(Ray ray, Filter filter = null)
        {
            var error = default(Native.Error);
            byte found = 0;
            BodySkinRayHit hit = default(BodySkinRayHit);
            Native.With(filter, ref error, (Native.FilterData* data, ref Native.Error inner) =>
                Native.bonebox_world_exact_ray(Handle, ref ray, data, out found, out hit, ref inner));
            return found != 0 ? hit : (BodySkinRayHit?)null;
        }

        /// <summary>Finds the joints of bodies whose skin a shape touches.</summary>
        public void ExactShapeOverlaps(Shape shape, ResultList<BodySkinShapeOverlap> overlaps, Filter filter = null) =>
            Fill(overlaps, filter, data => (BodySkinShapeOverlap[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_exact_shape_overlaps(Handle, ref shape, (Native.FilterData*)data, list, room, out count, ref error));

        /// <summary>Finds the nearest points of the skins of two bodies that are at most maxDistance apart, or returns null.</summary>
        public SkinDistance? ExactDistance(ulong bodyA, ulong bodyB, float maxDistance = float.PositiveInfinity)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_exact_distance(Handle, bodyA, bodyB, maxDistance, out byte found, out SkinDistance nearest, ref error), ref error);
            return found != 0 ? nearest : (SkinDistance?)null;
        }

        /// <summary>Finds the bodies whose skin contains a point.</summary>
        public void BodiesContaining(Vec3 point, ResultList<ulong> bodies, Filter filter = null) =>
            Fill(bodies, filter, data => (ulong[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_world_bodies_containing(Handle, point, (Native.FilterData*)data, list, room, out count, ref error));

        /// <summary>Keeps the matrices of bodies that are posed with matrices from now on, which a history needs.</summary>
        public void KeepJoints(bool areKept = true)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_keep_joints(Handle, (byte)(areKept ? 1 : 0), ref error), ref error);
        }

        /// <summary>Bytes from which <see cref="Restore"/> makes the same world again.</summary>
        public byte[] Save()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_world_save(Handle, out IntPtr bytes, ref error), ref error);
            return Native.TakeBytes(bytes);
        }

        /// <summary>Replaces this world by a saved one. Any bytes are safe to pass. The list has the characters of the world.</summary>
        public void Restore(byte[] bytes, params Character[] characters) =>
            Native.WithCharacters(characters, list =>
            {
                var error = default(Native.Error);
                Native.Check(Native.bonebox_world_restore(Handle, bytes, (UIntPtr)bytes.Length, list, (UIntPtr)list.Length, ref error), ref error);
            });
    }

    /// <summary>A moment between two recorded ticks: a tick, and the share of the way to the next number.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Moment
    {
        public ulong Tick;
        public float Fraction;
        public Moment(ulong tick, float fraction = 0) { Tick = tick; Fraction = fraction; }
    }

    /// <summary>A body that a client shows at a moment of its own.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BodyMoment
    {
        public ulong Body;
        public Moment Moment;
        public BodyMoment(ulong body, Moment moment) { Body = body; Moment = moment; }
    }

    /// <summary>The relation of a body's hitboxes in a world of the past to what was recorded.</summary>
    public enum MomentKind { Exact, Interpolated, ClampedToOldest, ClampedToNewest, ClampedToMaxBack, Cut }

    /// <summary>The poses that a world of the past shows between two ticks.</summary>
    public enum Interpolation { Interpolated, Nearest }

    /// <summary>The rules that a server applies to each look at the past.</summary>
    public sealed class RewindRules
    {
        /// <summary>The longest time back from the newest tick, in seconds.</summary>
        public double MaxBack = 0.25;
        /// <summary>A body that moves farther than this in a tick, in world units, was teleported.</summary>
        public float TeleportDistance = 2;
        public Interpolation Interpolation;
        /// <summary>True if bodies keep their skin, so that exact queries accept the poses of <see cref="Bodies.GetPose"/>.</summary>
        public bool TrackSkin;
        /// <summary>Returns true for bodies that anybody may ask about; null allows all. A body for which it throws is hidden.</summary>
        public Func<ulong, bool> MayAsk;
    }

    /// <summary>The numbers of bodies that a world of the past did not show, by reason.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Refused { public uint NotAllowed, PoseFailed; }

    /// <summary>The bodies of a tick that was recorded.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Recorded
    {
        private UIntPtr bodies, withoutPose, withoutRecipe;
        /// <summary>The id of the first body without a recipe; 0 if there is none.</summary>
        public ulong FirstWithoutRecipe;

        public int Bodies => (int)bodies;
        public int WithoutPose => (int)withoutPose;
        /// <summary>The number of bodies whose pose could not be stored; see <see cref="World.KeepJoints"/>.</summary>
        public int WithoutRecipe => (int)withoutRecipe;
    }

    /// <summary>The ticks of a history; zeros without ticks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct HistoryTicks
    {
        public ulong Oldest, Newest;
        private UIntPtr count;
        public int Count => (int)count;
    }

    /// <summary>The first tick and the first body about which two histories differ.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct HistoryDifference { public ulong Tick, Body; }

    /// <summary>The answer to a shot, for one target.</summary>
    public enum Verdict { Hit, Blocked, LeftOut, Missed, NotThere, NotAllowed }

    /// <summary>What became of a shot that was meant for one body; bonebox.h describes the fields.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Explanation
    {
        public ulong Target;
        public Moment Asked, Shown;
        public Verdict Verdict;
        public MomentKind Kind;
        public ulong BlockedBy;
        public ushort Hitbox;
        private byte isShown, hasNearest, nearestIsEnabled;
        public ushort NearestHitbox;
        public float Distance;
        public Vec3 OnRay, OnHitbox;
        private UIntPtr hitCount;
        public ulong FirstHit, LastHit;

        public bool IsShown => isShown != 0;
        public bool HasNearest => hasNearest != 0;
        public bool NearestIsEnabled => nearestIsEnabled != 0;
        /// <summary>The number of recorded ticks at which the same ray hits the target.</summary>
        public int HitCount => (int)hitCount;
    }

    /// <summary>The world of a moment in the past, as a client saw it: it answers the questions of Bodies and never changes.</summary>
    public sealed class PastWorld : Bodies
    {
        /// Keeps the function alive that native code may call; null without a function.
        private readonly MayAskFunction mayAsk;

        internal PastWorld(IntPtr handle, MayAskFunction mayAsk) : base(handle) { this.mayAsk = mayAsk; }

        /// <summary>The relation of a body's hitboxes to what was recorded; null if the body was not there, or had no pose.</summary>
        public MomentKind? Kind(ulong body)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_past_kind(Handle, body, out byte found, out MomentKind kind, ref error), ref error);
            return found != 0 ? kind : (MomentKind?)null;
        }

        /// <summary>The moment at which a body is shown.</summary>
        public Moment MomentOf(ulong body)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_past_moment(Handle, body, out Moment moment, ref error), ref error);
            return moment;
        }

        /// <summary>The numbers of bodies that were not shown so far, by reason.</summary>
        public Refused Refused
        {
            get
            {
                var error = default(Native.Error);
                Native.Check(Native.bonebox_past_refused(Handle, out Refused refused, ref error), ref error);
                return refused;
            }
        }

        public override void Dispose()
        {
            base.Dispose();
            mayAsk?.Free();
        }
    }

    /// The function of RewindRules.MayAsk, held by a handle that native code passes back.
    internal sealed class MayAskFunction
    {
        private readonly Func<ulong, bool> function;
        private GCHandle handle;

        internal MayAskFunction(Func<ulong, bool> function)
        {
            this.function = function;
            handle = GCHandle.Alloc(this, GCHandleType.Weak);
        }

        internal IntPtr User => GCHandle.ToIntPtr(handle);

        internal void Free()
        {
            if (handle.IsAllocated) handle.Free();
            GC.SuppressFinalize(this);
        }

        ~MayAskFunction() { if (handle.IsAllocated) handle.Free(); }

        /// An exception must not reach native code.
        [MonoPInvokeCallback(typeof(Native.MayAsk))]
        private static byte Ask(ulong body, IntPtr user)
        {
            try
            {
                var asked = (MayAskFunction)GCHandle.FromIntPtr(user).Target;
                return (byte)(asked != null && asked.function(body) ? 1 : 0);
            }
            catch (Exception)
            {
                return 0;
            }
        }

        internal static readonly Native.MayAsk Function = Ask;
        internal static readonly IntPtr Pointer = Marshal.GetFunctionPointerForDelegate(Function);
    }

    /// <summary>One use of a clip's attacks by a body. Instances tell swings of a body apart.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Swing
    {
        public ulong Attacker;
        public uint Instance, Clip;
        /// <summary>The time at which the swing begins, and the seconds of the clip that pass in a second.</summary>
        public float Seconds, Speed;
        private byte loops;
        /// <summary>True if the clip begins again at its end.</summary>
        public bool Loops { get => loops != 0; set => loops = (byte)(value ? 1 : 0); }
        public Swing(ulong attacker, uint instance, uint clip)
        {
            Attacker = attacker; Instance = instance; Clip = clip; Seconds = 0; Speed = 1; loops = 0;
        }
    }

    /// <summary>A box that a body carries at a joint, and the hitbox that holds it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Weapon
    {
        public Matrix JointFromWeapon;
        public Vec3 HalfExtents;
        public ushort Joint, Holder;
    }

    /// <summary>What happens when an attack meets a hitbox.</summary>
    public enum Outcome { Invulnerable, ClashLost, ClashWon, Grab, Throw, Guard, Armor, Trade, Hit }

    /// <summary>One attack that met one target.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Strike
    {
        public ulong Tick, Attacker, Target;
        /// <summary>The share of the way to the next tick, and the time of the attacker's clip.</summary>
        public float Time, Seconds;
        public Outcome Outcome;
        public uint Instance, Attack;
        private uint attackerWeapon, targetWeapon;
        public ushort AttackerHitbox, AttackerJoint, TargetHitbox, TargetJoint;
        private byte hasAttackerWeapon, hasTargetWeapon;
        public Vec3 Point, Normal;
        public float Depth;
        /// <summary>The weapon that strikes; null if the hitbox does.</summary>
        public uint? AttackerWeapon => hasAttackerWeapon != 0 ? attackerWeapon : (uint?)null;
        /// <summary>The target's weapon that was met in a clash; null if the hitbox was met.</summary>
        public uint? TargetWeapon => hasTargetWeapon != 0 ? targetWeapon : (uint?)null;
    }

    /// <summary>The rules of strikes. Start from <see cref="Default"/>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct StrikeRules
    {
        public double MaxBack;
        public float TeleportDistance;
        private byte exact;
        /// <summary>True if a strike counts only when the skin of the target is touched.</summary>
        public bool Exact { get => exact != 0; set => exact = (byte)(value ? 1 : 0); }
        public static StrikeRules Default => Native.bonebox_strike_rules_default();
    }

    /// <summary>The moments at which a client drew the targets of one attacker, at the first and the last tick.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Seen
    {
        public ulong Attacker;
        public Moment From, To;
        public Seen(ulong attacker, Moment from, Moment to) { Attacker = attacker; From = from; To = to; }
    }

    /// <summary>A body that the client of an attacker drew at moments of its own, at the first and the last tick.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SeenBody
    {
        public ulong Attacker, Body;
        public Moment From, To;
        public SeenBody(ulong attacker, ulong body, Moment from, Moment to) { Attacker = attacker; Body = body; From = from; To = to; }
    }

    /// <summary>The running swings of all bodies, and what they have struck. A clone is the whole state, for a rollback.</summary>
    public sealed class Strikes : IDisposable
    {
        internal readonly StrikesHandle Handle;
        private Strikes(IntPtr handle) { Handle = new StrikesHandle(handle); }

        public Strikes()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_new(out IntPtr handle, ref error), ref error);
            Handle = new StrikesHandle(handle);
        }

        public Strikes Clone()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_clone(Handle, out IntPtr clone, ref error), ref error);
            return new Strikes(clone);
        }

        public void Begin(Swing swing)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_begin(Handle, ref swing, ref error), ref error);
        }

        /// <summary>Ends a swing. Returns true if it ran.</summary>
        public bool End(ulong attacker, uint instance)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_end(Handle, attacker, instance, out byte ended, ref error), ref error);
            return ended != 0;
        }

        /// <summary>Ends all swings of a body. Its weapons stay.</summary>
        public void EndAll(ulong attacker)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_end_all(Handle, attacker, ref error), ref error);
        }

        public void SetSpeed(ulong attacker, uint instance, float speed)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_set_speed(Handle, attacker, instance, speed, ref error), ref error);
        }

        /// <summary>Freezes the swings of two bodies for so many ticks.</summary>
        public void HitStop(ulong a, ulong b, ulong ticks)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_hit_stop(Handle, a, b, ticks, ref error), ref error);
        }

        public bool IsFrozen(ulong body)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_is_frozen(Handle, body, out byte frozen, ref error), ref error);
            return frozen != 0;
        }

        /// <summary>Gives a body a weapon; without attacks, it strikes in all attacks of its holder.</summary>
        public void Equip(ulong body, uint number, Weapon weapon, params uint[] attacks)
        {
            var error = default(Native.Error);
            var count = (UIntPtr)(uint)attacks.Length;
            Native.Check(Native.bonebox_strikes_equip(Handle, body, number, ref weapon, attacks, count, ref error), ref error);
        }

        /// <summary>Takes a weapon from a body. Returns true if the body had it.</summary>
        public bool Unequip(ulong body, uint number)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_unequip(Handle, body, number, out byte had, ref error), ref error);
            return had != 0;
        }

        /// <summary>Advances all swings from one recorded tick to a later one, and lists their strikes by time.</summary>
        public void Advance(History history, ulong from, ulong to, ResultList<Strike> strikes, StrikeRules? rules = null, params Seen[] seen)
        {
            Advance(history, from, to, strikes, rules, seen, new SeenBody[0]);
        }

        /// <summary>The same; <c>own</c> has bodies that the clients of <c>seen</c> drew at moments of their own.</summary>
        public void Advance(History history, ulong from, ulong to, ResultList<Strike> strikes, StrikeRules? rules, Seen[] seen, SeenBody[] own)
        {
            var error = default(Native.Error);
            StrikeRules data = rules ?? StrikeRules.Default;
            UIntPtr seenCount = (UIntPtr)(uint)seen.Length, ownCount = (UIntPtr)(uint)own.Length;
            Native.Check(Native.bonebox_strikes_advance(Handle, history.Handle, from, to, ref data, seen, seenCount, own, ownCount, ref error), ref error);
            strikes.Fill((Strike[] list, UIntPtr room, out UIntPtr count, ref Native.Error failure) =>
                Native.bonebox_strikes_found(Handle, list, room, out count, ref failure));
        }

        /// <summary>Returns true if two states have the same swings, hit stops and weapons.</summary>
        public bool Equals(Strikes other)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_strikes_equal(Handle, other.Handle, out byte equal, ref error), ref error);
            return equal != 0;
        }

        public void Dispose() => Handle.Dispose();
    }

    /// <summary>The axes that a constraint leaves free.</summary>
    public enum ConstraintKind { Ball, Hinge }

    /// <summary>Where the limits of a constraint come from.</summary>
    public enum LimitSource { Clips, HumanRange, Settings, Unknown }

    /// <summary>A rigid body, and the constraint that holds it at its parent body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RagdollBody
    {
        public ushort Joint, ShapeCount;
        /// <summary>The body that holds this one; -1 if nothing does, and the fields from <see cref="Kind"/> on mean nothing.</summary>
        public int Parent;
        /// <summary>The place in the rest pose, in model space.</summary>
        public Vec3 Position;
        public Quat Rotation;
        /// <summary>Kilograms; the center of mass is in the space of the body.</summary>
        public float Mass;
        public Vec3 CenterOfMass;
        /// <summary>The inertia tensor about the center of mass, along the axes of the body, in kilograms times square meters.</summary>
        public float InertiaXX, InertiaYY, InertiaZZ, InertiaXY, InertiaXZ, InertiaYZ;
        public ConstraintKind Kind;
        public LimitSource LimitsFrom;
        /// <summary>The origin of both frames in the space of the parent. In the space of this body it is the origin.</summary>
        public Vec3 Anchor;
        public Quat ParentFromFrame, BodyFromFrame;
        /// <summary>The largest twist about the frame's x, and the largest swing about its y and z, in radians.</summary>
        public Vec3 Limits;
        public float Stiffness, Damping;
    }

    /// <summary>The kind of a body's shape. A capsule lies along the shape's axis y.</summary>
    public enum RagdollShapeKind { Sphere, Capsule, Box, Hull }

    /// <summary>A shape of a body, in the space of the body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RagdollShape
    {
        public RagdollShapeKind Kind;
        public ushort Hitbox;
        /// <summary>The number of a hull's vertices, see <see cref="Ragdoll.HullVertices"/>.</summary>
        public ushort VertexCount;
        public Vec3 Center;
        public Quat Rotation;
        /// <summary>Half the lengths of a box's edges.</summary>
        public Vec3 HalfExtents;
        /// <summary>The radius of a sphere or a capsule, and half the distance between a capsule's centers.</summary>
        public float Radius, HalfLength;
    }

    /// <summary>Two bodies of a ragdoll; the first has the smaller index.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RagdollPair { public ushort BodyA, BodyB; }

    /// <summary>The place of a body in the world. The position is that of the body's joint, and not of the center of mass.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RagdollPlace
    {
        public Vec3 Position;
        public Quat Rotation;
        public RagdollPlace(Vec3 position, Quat rotation) { Position = position; Rotation = rotation; }
    }

    /// <summary>The velocity of a body's center of mass in m/s, and the axis of its turn times the speed in rad/s.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RagdollVelocity { public Vec3 Linear, Angular; }

    /// <summary>
    /// The rigid bodies of a character and their constraints, for a physics engine; poses to places of bodies, and back. Any
    /// number of threads may read it.
    /// </summary>
    public sealed class Ragdoll : IDisposable
    {
        internal readonly RagdollHandle Handle;

        /// <summary>The scale is the uniform scale with which the character is placed in the world.</summary>
        public Ragdoll(Character character, float scale = 1)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_ragdoll_new(character.Handle, scale, out IntPtr handle, ref error), ref error);
            Handle = new RagdollHandle(handle);
        }

        /// <summary>The number of bodies; parents come before their children.</summary>
        public int Count => (int)Native.bonebox_ragdoll_body_count(Handle);

        public RagdollBody Body(ushort index)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_ragdoll_body(Handle, index, out RagdollBody body, ref error), ref error);
            return body;
        }

        /// <summary>The body that moves with a joint; null if the joint has no body of its own.</summary>
        public ushort? BodyOfJoint(ushort joint)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_ragdoll_body_of_joint(Handle, joint, out byte found, out ushort body, ref error), ref error);
            return found != 0 ? body : (ushort?)null;
        }

        /// <summary>The shapes of a body, in the space of the body.</summary>
        public void Shapes(ushort body, ResultList<RagdollShape> shapes)
        {
            shapes.Fill((RagdollShape[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_ragdoll_shapes(Handle, body, list, room, out count, ref error));
        }

        /// <summary>The vertices of a hull along the shape's own axes, from its center. Other shapes have none.</summary>
        public void HullVertices(ushort body, ushort shape, ResultList<Vec3> vertices)
        {
            vertices.Fill((Vec3[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_ragdoll_hull_vertices(Handle, body, shape, list, room, out count, ref error));
        }

        /// <summary>The pairs of bodies that never collide, sorted.</summary>
        public void NoCollision(ResultList<RagdollPair> pairs)
        {
            pairs.Fill((RagdollPair[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_ragdoll_no_collision(Handle, list, room, out count, ref error));
        }

        /// <summary>The places of all bodies in a pose. For matrices in world space, the first argument is the identity.</summary>
        public void Places(Matrix worldFromModel, Matrix[] modelFromJoint, ResultList<RagdollPlace> places)
        {
            places.Fill((RagdollPlace[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_ragdoll_places(Handle, ref worldFromModel, modelFromJoint, Native.Length(modelFromJoint), list, room, out count, ref error));
        }

        /// <summary>The velocities of all bodies from their places at two moments that are so many seconds apart.</summary>
        public void Velocities(RagdollPlace[] before, RagdollPlace[] now, float seconds, ResultList<RagdollVelocity> velocities)
        {
            velocities.Fill((RagdollVelocity[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_ragdoll_velocities(Handle, before, (UIntPtr)before.Length, now, (UIntPtr)now.Length, seconds, list, room, out count, ref error));
        }

        /// <summary>
        /// The matrices of all joints from the places of the bodies. Joints without a body follow the joint above with their matrix
        /// in the last list, one for each joint; without it, with that of the rest pose.
        /// </summary>
        public void WorldFromJoints(RagdollPlace[] places, ResultList<Matrix> matrices, Matrix[] parentFromJoint = null)
        {
            matrices.Fill((Matrix[] list, UIntPtr room, out UIntPtr count, ref Native.Error error) =>
                Native.bonebox_ragdoll_world_from_joints(Handle, places, (UIntPtr)places.Length, parentFromJoint, Native.Length(parentFromJoint), list, room, out count, ref error));
        }

        public void Dispose() => Handle.Dispose();
    }

    /// <summary>The last ticks of a world.</summary>
    public sealed unsafe class History : IDisposable
    {
        internal readonly HistoryHandle Handle;
        private History(IntPtr handle) { Handle = new HistoryHandle(handle); }

        /// <summary>Keeps the last ticks, at least 2; the seconds are those from one tick to the next.</summary>
        public History(int ticks = 64, double tickSeconds = 1.0 / 64)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_new((UIntPtr)(uint)Math.Max(0, ticks), tickSeconds, out IntPtr handle, ref error), ref error);
            Handle = new HistoryHandle(handle);
        }

        /// <summary>A history with the same ticks, which shares their memory.</summary>
        public History Clone()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_clone(Handle, out IntPtr clone, ref error), ref error);
            return new History(clone);
        }

        /// <summary>Records the present poses, characters and settings of all bodies as those of a tick.</summary>
        public Recorded Record(ulong tick, World world)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_record(Handle, tick, world.Handle, out Recorded recorded, ref error), ref error);
            return recorded;
        }

        /// <summary>Marks a body that is teleported, or respawns, before the next tick that is recorded.</summary>
        public void Cut(ulong body)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_cut(Handle, body, ref error), ref error);
        }

        /// <summary>Forgets all ticks after this one.</summary>
        public void DropAfter(ulong tick)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_drop_after(Handle, tick, ref error), ref error);
        }

        public HistoryTicks Ticks
        {
            get
            {
                var error = default(Native.Error);
                Native.Check(Native.bonebox_history_ticks(Handle, out HistoryTicks ticks, ref error), ref error);
                return ticks;
            }
        }

        /// <summary>A number that is equal for histories with the same ticks.</summary>
        public ulong Checksum()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_checksum(Handle, out ulong checksum, ref error), ref error);
            return checksum;
        }

        /// <summary>The checksum of one tick; null if it is not recorded.</summary>
        public ulong? ChecksumOf(ulong tick)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_checksum_of(Handle, tick, out byte found, out ulong checksum, ref error), ref error);
            return found != 0 ? checksum : (ulong?)null;
        }

        /// <summary>The first tick and body about which two histories differ; null if they do not.</summary>
        public HistoryDifference? FirstDifference(History other)
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_first_difference(Handle, other.Handle, out byte found, out HistoryDifference difference, ref error), ref error);
            return found != 0 ? difference : (HistoryDifference?)null;
        }

        /// <summary>
        /// The world of a moment in the past; null rules are the defaults. The last argument has bodies that the client shows at
        /// moments of their own.
        /// </summary>
        public PastWorld At(Moment moment, RewindRules rules = null, params BodyMoment[] own)
        {
            var error = default(Native.Error);
            Native.RulesData data = Native.Rules(rules, out MayAskFunction mayAsk);
            Native.Check(Native.bonebox_history_at(Handle, moment, own, (UIntPtr)own.Length, ref data, out IntPtr then, ref error), ref error);
            return new PastWorld(then, mayAsk);
        }

        /// <summary>Explains a shot that was meant for one body. The text is the explanation as a line of JSON.</summary>
        public Explanation Explain(Moment moment, Ray ray, ulong target, out string json, Filter filter = null, RewindRules rules = null)
        {
            var error = default(Native.Error);
            Native.RulesData data = Native.Rules(rules, out MayAskFunction mayAsk);
            Explanation explanation = default(Explanation);
            IntPtr line = IntPtr.Zero;
            Native.With(filter, ref error, (Native.FilterData* asked, ref Native.Error inner) =>
                Native.bonebox_history_explain(Handle, moment, ref ray, asked, target, ref data, out explanation, out line, ref inner));
            GC.KeepAlive(mayAsk);
            json = Encoding.UTF8.GetString(Native.TakeBytes(line));
            return explanation;
        }

        /// <summary>Bytes from which <see cref="Restore"/> makes the same history again.</summary>
        public byte[] Save()
        {
            var error = default(Native.Error);
            Native.Check(Native.bonebox_history_save(Handle, out IntPtr bytes, ref error), ref error);
            return Native.TakeBytes(bytes);
        }

        /// <summary>A history from the bytes of <see cref="Save"/>. Any bytes are safe to pass.</summary>
        public static History Restore(byte[] bytes, params Character[] characters)
        {
            IntPtr handle = IntPtr.Zero;
            Native.WithCharacters(characters, list =>
            {
                var error = default(Native.Error);
                Native.Check(Native.bonebox_history_restore(bytes, (UIntPtr)bytes.Length, list, (UIntPtr)list.Length, out handle, ref error), ref error);
            });
            return new History(handle);
        }

        public void Dispose() => Handle.Dispose();
    }
}
