// The C# bindings against the C library: Tests runa.bonebox bruno.bonebox layout.inc runa-with-its-skin-and-a-ragdoll.bonebox

using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace Bonebox
{
    internal static class Tests
    {
        private static void Require(bool holds, string what)
        {
            if (!holds) throw new Exception("not so: " + what);
        }

        private static void Fails(Result expected, string part, Action action)
        {
            try
            {
                action();
            }
            catch (BoneboxException failure)
            {
                Require(failure.Result == expected && failure.Message.Contains(part), $"{failure.Result}: {failure.Message}");
                return;
            }
            throw new Exception($"{expected} was expected");
        }

        private static readonly Matrix Opposite = new Matrix { M11 = -1, M22 = 1, M33 = -1, M43 = 0.8f, M44 = 1 };

        /// The file that the Rust and the C tests read too.
        private static void Layout(string file)
        {
            var types = new Dictionary<string, Type>();
            foreach (Type type in typeof(Character).Assembly.GetTypes()) types["Bonebox" + type.Name] = type;
            types["BoneboxFilter"] = typeof(Native.FilterData);
            types["BoneboxString"] = typeof(Native.Text);
            types["BoneboxSkinMesh"] = typeof(Native.Mesh);
            types["BoneboxMorphTarget"] = typeof(Native.MorphTarget);
            types["BoneboxPoseLayer"] = typeof(Native.PoseLayer);
            types["BoneboxLayerPose"] = typeof(Native.LayerPose);
            types["BoneboxRewindRules"] = typeof(Native.RulesData);
            types["BoneboxRayQuery"] = typeof(Native.RayQuery);
            int compared = 0;
            foreach (string line in File.ReadAllLines(file))
            {
                if (!line.StartsWith("SIZE(")) continue;
                string[] parts = line.Substring(5).TrimEnd(')').Split(',');
                // Handles and classes have no size of their own.
                Type type = parts[0] == "BoneboxHitbox" ? typeof(Native.Hitbox) : parts[0] == "BoneboxJoint" ? typeof(Native.Joint)
                    : parts[0] == "BoneboxClip" ? typeof(Native.Clip) : parts[0] == "BoneboxError" ? typeof(Native.Error) : types[parts[0]];
                Require(Marshal.SizeOf(type) == int.Parse(parts[1]), $"{type} has {Marshal.SizeOf(type)} bytes, C has {parts[1]}");
                compared++;
            }
            Require(compared >= 25, "the file of layouts has all structs");
        }

        private static void Jab(Character runa, Character bruno)
        {
            using (var a = new Pose())
            using (var b = new Pose())
            {
                Require(!a.IsPosed, "no pose yet");
                a.FromClip(runa, Matrix.Identity, runa.FindClip("jab"), 0.3f);
                b.FromRest(bruno, Opposite);
                Require(a.IsPosed && a.Overlaps(b), "the jab lands");
                var joints = new ResultList<JointPair>();
                a.OverlappingJoints(b, joints);
                bool hand = false;
                for (int i = 0; i < joints.Count; i++)
                {
                    string text = $"{runa.JointName(joints[i].JointA)} touches {bruno.JointName(joints[i].JointB)}";
                    Console.WriteLine(text);
                    hand |= text == "hand_l touches spine_03";
                }
                Require(hand, "hand_l touches spine_03");
                var contacts = new ResultList<Contact>();
                a.Contacts(b, contacts);
                Require(contacts.Count >= joints.Count && contacts[0].Depth > 0 && contacts[0].PointCount > 0, "contacts");
                Require(Math.Abs(contacts[0].Point(0).Z - contacts[0].Center.Z) < 0.5f, "points of a contact");
                Require(a.Distance(b).Value.Distance == 0 && a.Distance(b, -1) == null, "distances");
                var boxes = new ResultList<PosedHitbox>();
                a.Hitboxes(boxes);
                Require(boxes.Count == runa.HitboxCount && boxes[boxes.Count - 1].Hitbox == boxes.Count - 1, "a list that grows");
            }
        }

        private static void Server(Character runa, Character bruno)
        {
            using (var world = new World())
            using (var saved = new World())
            {
                var settings = BodySettings.Default;
                settings.Continuous = true;
                world.Insert(10, runa, settings);
                world.Insert(20, bruno, settings);
                world.TrackJoints(10, "hand_l");
                world.PoseFromRest(20, Opposite);
                var unposed = new ResultList<ulong>();
                world.UnposedBodies(unposed);
                Require(unposed.Count == 1 && unposed[0] == 10, "one has no pose");
                uint jab = runa.FindClip("jab");
                var events = new ResultList<TouchEvent>();
                int started = 0, ended = 0;
                for (int tick = 0; tick < 21; tick++)
                {
                    saved.CopyFrom(world);
                    world.PoseFromClips(new ClipPose { Body = 10, WorldFromModel = Matrix.Identity, Clip = jab, Seconds = tick / 30f });
                    world.Update();
                    world.Events(events);
                    for (int i = 0; i < events.Count; i++)
                    {
                        if (events[i].Phase == TouchPhase.Started)
                        {
                            started++;
                            Require(world.GetContact(events[i].Touch).Value.Depth > 0, "a contact");
                        }
                        if (events[i].Phase == TouchPhase.Ended) ended++;
                    }
                }
                Require(started > 0 && started == ended, "touches begin and end");
                Matrix fist = world.JointMatrix(10, "hand_l");
                var ray = new Ray { Origin = new Vec3(fist.M41, fist.M42, fist.M43), Direction = new Vec3(0, 0, 1), MaxTime = float.PositiveInfinity };
                Require(world.CastRay(ray).Value.StartsInside, "the shooter hits himself");
                var others = new Filter { Exclude = new ulong[] { 10 } };
                Require(world.CastRay(ray, others).Value.Body == 20, "the shooter is left out");
                int asked = 0;
                others.Predicate = (body, hitbox) => { asked++; return body != 20; };
                Require(world.CastRay(ray, others) == null && !world.CastRayAny(ray, others) && asked > 0, "a function decides");
                Require(world.CastRay(ray, new Filter { Tags = new[] { "no such tag" } }) == null, "tags");
                var overlaps = new ResultList<BodyShapeOverlap>();
                world.OverlappingBoxes(Shape.Sphere(new Vec3(0, 1, 0.4f), 2), overlaps);
                Require(overlaps.Count == runa.HitboxCount + bruno.HitboxCount, "a sphere around both");
                Require(world.OverlapsShape(Shape.Sphere(new Vec3(0, 1, 0.4f), 2)) && !world.OverlapsShape(Shape.Sphere(new Vec3(0, 99, 0), 2)), "a sphere in the sky");
                Func<float, Shape> blade = z => Shape.Box(new OrientedBox { Center = new Vec3(0, 1.2f, z), HalfExtents = new Vec3(0.4f, 0.02f, 0.05f), Orientation = Quat.Identity });
                Require(world.CastShape(blade(5), blade(-5)).Value.Hit.Body == 20, "a blade");
                var hits = new ResultList<BodyCastHit>();
                world.CastShapeAll(blade(5), blade(-5), hits, new Filter { Exclude = new ulong[] { 20 } });
                Require(hits.Count > 0 && hits[0].Body == 10, "a blade with a filter");
                using (BoxSet hand = runa.BoxesOfJoint(runa.FindJoint("hand_l")))
                using (BoxSet rest = hand.Complement())
                using (BoxSet all = hand.UnitedWith(rest))
                {
                    Require(all.Count == runa.HitboxCount && hand.Contains(0) != rest.Contains(0), "sets");
                    world.SetBoxesEnabled(10, all, false);
                    Require(world.CastRay(ray).Value.Body == 20, "a ray finds no disabled hitbox");
                    world.SetBoxesEnabled(10, all, true);
                }
                world.CopyFrom(saved);
                world.Remove(20);
                Fails(Result.NoBody, "body 20", () => world.Remove(20));
                Fails(Result.BodyExists, "body 10", () => world.Insert(10, runa));
            }
        }

        private static void Rays(Character runa)
        {
            using (var world = new World())
            {
                for (ulong body = 0; body < 20; body++)
                {
                    world.Insert(body, runa);
                    world.PoseFromRest(body, Matrix.Translation(body, 0, 0));
                }
                var others = new Filter { Exclude = new ulong[] { 0, 1 } };
                int asked = 0;
                var heads = new Filter { Tags = new[] { "head", "hand.left" }, Predicate = (body, hitbox) => { asked++; return body > 2; } };
                var filters = new[] { null, others, others, heads, null, heads };
                var rays = new FilteredRay[60];
                for (int i = 0; i < rays.Length; i++)
                {
                    var ray = new Ray { Origin = new Vec3(-5, 0.03f * i, 0), Direction = new Vec3(1, 0, 0), MaxTime = 4 + i };
                    rays[i] = new FilteredRay { Ray = ray, Filter = filters[i % filters.Length] };
                }
                var answers = new ResultList<RayAnswer>();
                world.CastRays(rays, answers);
                int hits = 0;
                for (int i = 0; i < rays.Length; i++)
                {
                    BodyRayHit? one = world.CastRay(rays[i].Ray, rays[i].Filter);
                    Require(one.HasValue == answers[i].Hit.HasValue, "a batch hits what single rays hit");
                    if (!one.HasValue) continue;
                    hits++;
                    BodyRayHit many = answers[i].Hit.Value;
                    Require(one.Value.Body == many.Body && one.Value.Hitbox == many.Hitbox && one.Value.Entry == many.Entry, "the same hits");
                }
                Require(answers.Count == 60 && hits > 10 && hits < 60 && asked > 0, $"{hits} of 60 rays hit");
                world.CastRays(new FilteredRay[0], answers);
                Require(answers.Count == 0, "no rays");
                Fails(Result.InvalidArgument, "query 1", () => world.CastRays(new[] { rays[0], default(FilteredRay) }, answers));
            }
        }

        private static Vec3 Center(Pose pose, ushort joint)
        {
            var boxes = new ResultList<PosedHitbox>();
            pose.Hitboxes(boxes);
            for (int i = 0; i < boxes.Count; i++)
            {
                if (boxes[i].Joint == joint) return boxes[i].Center;
            }
            throw new Exception($"joint {joint} has no hitbox");
        }

        private static void Layers(Character runa, Character bruno)
        {
            uint jab = runa.FindClip("jab"), idle = runa.FindClip("idle");
            ushort hand = runa.FindJoint("hand_l"), foot = runa.FindJoint("foot_l");
            using (var upper = JointMask.Below(runa, runa.FindJoint("spine_01")))
            using (var nothing = JointMask.FromWeights(runa, new float[runa.JointCount]))
            using (var ofBruno = JointMask.Below(bruno, 0))
            using (var still = new Pose())
            using (var layered = new Pose())
            using (var world = new World())
            {
                still.FromClip(runa, Matrix.Identity, idle, 0.2f);
                var layers = new[] { PoseLayer.Blend(idle, 0.2f), PoseLayer.Blend(jab, 0.3f, 1, upper), PoseLayer.Add(jab, 0.3f, 1, nothing) };
                layered.FromLayers(runa, Matrix.Identity, layers);
                Require(Center(layered, hand).Z > Center(still, hand).Z + 0.2f, "the upper body jabs");
                Require(Center(layered, foot).Equals(Center(still, foot)), "the mask leaves the feet alone");
                world.Insert(1, runa);
                var pose = new LayerPose { Body = 1, WorldFromModel = Matrix.Identity, Layers = layers };
                Fails(Result.NoBody, "body 9", () => world.PoseFromLayers(new LayerPose { Body = 9, WorldFromModel = Matrix.Identity, Layers = new PoseLayer[0] }, pose));
                world.GetPose(1, still);
                Require(Center(still, hand).Equals(Center(layered, hand)), "a body in the same pose");
                layered.FromLayers(runa, Matrix.Identity, PoseLayer.Blend(idle, 0.2f), PoseLayer.Add(jab, 0.3f));
                still.FromClip(runa, Matrix.Identity, idle, 0.2f);
                Require(Center(layered, hand).Y > Center(still, hand).Y + 0.3f, "an added jab");
                Fails(Result.WrongCharacter, "joint mask is of", () => layered.FromLayers(runa, Matrix.Identity, PoseLayer.Blend(jab, 0, 0.5f, ofBruno)));
                Fails(Result.NotFound, "no joint 999", () => JointMask.Below(runa, 999));
                Fails(Result.InvalidArgument, "1 weights were given", () => JointMask.FromWeights(runa, new float[1]));
                upper.Dispose();
                try
                {
                    layered.FromLayers(runa, Matrix.Identity, layers);
                    throw new Exception("a mask that was disposed of was used");
                }
                catch (ObjectDisposedException) { }
            }
        }

        private static void Casts(Character runa)
        {
            using (var pose = new Pose())
            using (var world = new World())
            {
                pose.FromRest(runa, Matrix.Identity);
                for (ulong body = 1; body <= 2; body++)
                {
                    world.Insert(body, runa);
                    world.PoseFromRest(body, Matrix.Translation(0, 0, 1 - (float)body));
                }
                Func<float, Shape> ball = z => Shape.Sphere(new Vec3(0, 1.1f, z), 0.2f);
                BodyCastResult stone = world.CastShape(ball(5), ball(-5)).Value;
                Require(stone.Hit.Body == 1 && stone.Contact.Point.Z > 0, "a stone");
                var hits = new ResultList<BodyCastHit>();
                world.CastShapeAll(ball(5), ball(-5), hits, new Filter { Exclude = new ulong[] { 1 } });
                Require(hits.Count > 0 && hits[0].Body == 2, "a stone with a filter");
                var ofPose = new ResultList<CastHit>();
                pose.CastShapeAll(ball(5), ball(-5), pose, ofPose);
                Require(ofPose.Count > 0 && ofPose[0].Time == stone.Hit.Time && ofPose[0].Hitbox == stone.Hit.Hitbox, "one character");
                Require(pose.GetCastContact(ball(5), ball(-5), pose, ofPose[0]).Point.Equals(stone.Contact.Point), "the same contact");
                CastResult firstOfPose = pose.CastShape(ball(5), ball(-5), pose).Value;
                Require(firstOfPose.Hit.Equals(ofPose[0]) && firstOfPose.Contact.Point.Equals(stone.Contact.Point), "its first hit");
                Require(world.CastShapeAny(ball(5), ball(-5)) && pose.CastShapeAny(ball(5), ball(-5), pose), "any hit");
                Require(!world.CastShapeAny(ball(5), ball(4)) && !pose.CastShapeAny(ball(5), ball(4), pose) && pose.CastShape(ball(5), ball(4), pose) == null, "no hit");
                var sweeps = new ResultList<BodySweepHit>();
                world.SweepAll(sweeps);
                Require(sweeps.Count == 0 && world.Sweep() == null && !world.SweepAny(), "nothing moves");
                Func<float, Shape> staff = z => Shape.Capsule(new Vec3(-1, 1.1f, z), new Vec3(1, 1.1f, z), 0.05f);
                Func<float, Shape> plank = z => Shape.Box(new OrientedBox { Center = new Vec3(0, 1.1f, z), HalfExtents = new Vec3(1, 0.05f, 0.05f), Orientation = Quat.Identity });
                Require(world.CastShape(staff(5), staff(-5)).Value.Hit.Body == 1 && world.CastShape(plank(5), plank(-5)).Value.Hit.Body == 1, "other shapes");
                Fails(Result.InvalidArgument, "two kinds", () => world.CastShapeAll(staff(5), plank(5), hits));
            }
        }

        private static void Limits(Character runa)
        {
            uint jab = runa.FindClip("jab");
            using (BoxSet head = runa.BoxesWithTag("head"))
            using (Character far = runa.WithOnlyBoxes("runa, far away", head))
            using (var pose = new Pose())
            {
                Require(far.Name == "runa, far away" && far.HitboxCount == head.Count && far.FindClip("jab") == jab, "fewer hitboxes");
                Fails(Result.WrongCharacter, "runa", () => far.WithOnlyBoxes("farther", head));
                Matrix place = Matrix.Translation(3, 0, 0);
                Bounds bounds = runa.BoundsOver(jab, LoopMode.Loop, 0, 0.5f).Transformed(place);
                pose.FromClip(runa, place, jab, runa.ClipTime(jab, LoopMode.Loop, 0.3f));
                Require(bounds.Min.X <= pose.Bounds.Min.X && bounds.Max.Z >= pose.Bounds.Max.Z, "bounds over a span");
                Fails(Result.NotFound, "no clip 999", () => runa.BoundsOver(999, LoopMode.Loop, 0, 1));
            }
        }

        private static void Exact(Character plain, Character skinned)
        {
            Require(!plain.HasSkin && plain.SkinMeshCount == 0, "no skin");
            Require(skinned.HasSkin && skinned.SkinMesh(0).Name == "runa" && skinned.SkinMesh(0).TriangleCount > 10000, "a skin and its mesh");
            Require(skinned.MorphTargetCount == 0, "no morph targets");
            Fails(Result.NotFound, "no morph target 0", () => skinned.MorphTarget(0));
            var ray = new Ray { Origin = new Vec3(0, 1, 5), Direction = new Vec3(0, 0, -1), MaxTime = 10 };
            using (var a = new Pose())
            using (var b = new Pose())
            {
                a.TrackSkin();
                a.SetMorphWeights(skinned, new float[0]);
                Fails(Result.InvalidArgument, "weight", () => a.SetMorphWeights(skinned, new float[] { 0.5f }));
                b.TrackSkin();
                a.FromRest(skinned, Matrix.Identity);
                b.FromRest(skinned, Matrix.Translation(0.1f, 0, 0));
                var overlaps = new ResultList<SkinOverlap>();
                a.ExactOverlapAll(b, overlaps);
                SkinOverlap first = a.ExactOverlap(b).Value;
                bool known = false;
                for (int i = 0; i < overlaps.Count; i++) known |= overlaps[i].Equals(first);
                Require(overlaps.Count > 10 && known, "the first of all touches");
                Require(Math.Abs(first.Point.X) < 1 && first.Point.Y > -0.1f && first.Point.Y < 2.5f, $"a point: {first.Point}");
                SkinRayHit hit = a.ExactRay(ray).Value;
                Require(hit.Front && hit.Normal.Z > 0 && Math.Abs(hit.Time - (5 - hit.Point.Z)) < 1e-4f, "a ray at the skin");
                Require(Math.Abs(hit.Barycentric.X + hit.Barycentric.Y + hit.Barycentric.Z - 1) < 1e-5f, "barycentric coordinates");
                b.FromRest(skinned, Matrix.Translation(9, 0, 0));
                a.ExactOverlapAll(b, overlaps, SkinCandidates.Hitboxes);
                Require(overlaps.Count == 0 && a.ExactOverlap(b) == null && b.ExactRay(ray) == null, "far apart");
                Require(a.ExactDistance(b).Value.Distance > 5 && a.ExactDistance(b, 1) == null, "distances of skins");
                var touched = new ResultList<SkinShapeOverlap>();
                a.ExactShapeOverlaps(Shape.Sphere(hit.Point, 0.001f), touched);
                Require(touched.Count == 1 && touched[0].Joint == hit.Joint, "a sphere at the skin");
                Require(a.SkinContains(new Vec3(hit.Point.X, hit.Point.Y, hit.Point.Z - 0.01f)) && !a.SkinContains(new Vec3(0, 9, 0)), "inside and outside");
                Fails(Result.InvalidArgument, "the same pose", () => a.ExactOverlapAll(a, overlaps));
                a.FromRest(plain, Matrix.Identity);
                Fails(Result.NoSkin, "without its skin", () => a.ExactRay(ray));
            }
            using (var world = new World())
            {
                for (ulong body = 1; body <= 2; body++)
                {
                    world.Insert(body, skinned);
                    world.TrackSkin(body);
                    world.PoseFromRest(body, Matrix.Translation(0.1f * (body - 1), 0, 0));
                }
                world.Update();
                var touches = new ResultList<SkinTouch>();
                world.ExactTouches(touches);
                Require(touches.Count > 10 && touches[0].BodyA == 1 && touches[0].BodyB == 2, "skins of bodies touch");
                var others = new Filter { Exclude = new ulong[] { 1 } };
                world.ExactTouches(touches, others);
                Require(touches.Count == 0 && world.ExactRay(ray, others).Value.Body == 2, "a body is left out");
                Vec3 point = world.ExactRay(ray, others).Value.Point;
                var atShape = new ResultList<BodySkinShapeOverlap>();
                world.ExactShapeOverlaps(Shape.Sphere(point, 0.001f), atShape, others);
                Require(atShape.Count == 1 && atShape[0].Body == 2 && world.ExactDistance(1, 2).Value.Distance == 0, "shapes and distances of bodies");
                var bodies = new ResultList<ulong>();
                world.BodiesContaining(new Vec3(point.X, point.Y, point.Z - 0.01f), bodies, others);
                Require(bodies.Count == 1 && bodies[0] == 2, "a point below the skin");
                Fails(Result.NoBody, "body 3", () => world.TrackSkin(3));
            }
        }

        private static void Failures(Character runa, byte[] bytes)
        {
            var half = new byte[bytes.Length / 2];
            Array.Copy(bytes, half, half.Length);
            Fails(Result.BadFile, "", () => new Character(half));
            Fails(Result.BadFile, "", () => new Character(new byte[0]));
            Fails(Result.NotFound, "no such clip", () => runa.FindClip("no such clip"));
            Fails(Result.NotFound, "joint 999", () => runa.JointName(999));
            var pose = new Pose();
            Fails(Result.PoseRefused, "not a number", () => pose.FromClip(runa, Matrix.Identity, 0, float.NaN));
            Fails(Result.PoseRefused, "joint matrices", () => pose.FromModel(runa, Matrix.Identity, new[] { Matrix.Identity }));
            pose.Dispose();
            try
            {
                pose.FromRest(runa, Matrix.Identity);
                throw new Exception("a pose that was disposed of was posed");
            }
            catch (ObjectDisposedException) { }
        }

        private static void Throws<T>(string what, Action action) where T : Exception
        {
            try
            {
                action();
            }
            catch (T)
            {
                return;
            }
            throw new Exception($"{typeof(T)} was expected: {what}");
        }

        private static void FailedPoses(Character runa)
        {
            Matrix here = Matrix.Identity, projective = Matrix.Identity;
            projective.M14 = 1;
            var projectiveMatrices = new Matrix[runa.JointCount];
            for (int joint = 0; joint < runa.JointCount; joint++) projectiveMatrices[joint] = projective;
            Character disposed = runa.WithOnlyBoxes("disposed of", runa.AllBoxes());
            disposed.Dispose();
            var mask = JointMask.Below(runa, 0);
            mask.Dispose();
            PoseLayer masked = PoseLayer.Blend(0, 0, 1, mask);
            using (var pose = new Pose())
            using (var world = new World())
            {
                world.Insert(1, runa);
                var fails = new Dictionary<string, Action>
                {
                    ["place"] = () => pose.FromRest(runa, projective),
                    ["character"] = () => pose.FromRest(disposed, here),
                    ["no character"] = () => pose.FromRest(null, here),
                    ["clip"] = () => pose.FromClip(runa, here, 999, 0),
                    ["time"] = () => pose.FromClip(runa, here, 0, float.NaN),
                    ["matrices"] = () => pose.FromModel(runa, here, projectiveMatrices),
                    ["no matrices"] = () => pose.FromWorld(runa, null),
                    ["mask"] = () => pose.FromLayers(runa, here, masked),
                    ["no layers"] = () => pose.FromLayers(runa, here, null),
                    ["body"] = () => world.GetPose(9, pose),
                };
                foreach (KeyValuePair<string, Action> fail in fails)
                {
                    pose.FromRest(runa, here);
                    Throws<Exception>(fail.Key, fail.Value);
                    Require(!pose.IsPosed, "a pose that failed has no hitboxes: " + fail.Key);
                }
                Func<PoseLayer[], LayerPose> layers = list => new LayerPose { Body = 1, WorldFromModel = here, Layers = list };
                fails = new Dictionary<string, Action>
                {
                    ["place"] = () => world.PoseFromRest(1, projective),
                    ["clip"] = () => world.PoseFromClips(new ClipPose { Body = 1, WorldFromModel = here, Clip = 999 }),
                    ["place of a clip"] = () => world.PoseFromClips(new ClipPose { Body = 1, WorldFromModel = projective }),
                    ["matrices"] = () => world.PoseFromModel(1, here, projectiveMatrices),
                    ["no matrices in model space"] = () => world.PoseFromModel(1, here, null),
                    ["no matrices"] = () => world.PoseFromWorld(1, null),
                    ["mask"] = () => world.PoseFromLayers(layers(new[] { masked })),
                    ["no layers"] = () => world.PoseFromLayers(layers(null)),
                };
                var boxes = new ResultList<PosedHitbox>();
                foreach (KeyValuePair<string, Action> fail in fails)
                {
                    world.PoseFromRest(1, here);
                    Throws<Exception>(fail.Key, fail.Value);
                    world.Hitboxes(1, boxes);
                    Require(boxes.Count == 0, "a body whose pose failed has no hitboxes: " + fail.Key);
                }
                world.PoseFromRest(1, here);
                world.ClearPose(1);
                world.Hitboxes(1, boxes);
                Require(boxes.Count == 0, "a pose that was cleared");
            }
        }

        private sealed class NotNow : Exception { }

        private static void Predicates(Character runa)
        {
            // IL2CPP can pass only static methods with this attribute to native code.
            Delegate callback = AskedPredicate.Function;
            Require(callback.Method.IsStatic && callback.Target == null, "a static callback");
            Require(callback.Method.GetCustomAttributes(typeof(MonoPInvokeCallbackAttribute), false).Length == 1, "its attribute");
            using (var world = new World())
            {
                for (ulong body = 0; body < 3; body++)
                {
                    world.Insert(body, runa);
                    world.PoseFromRest(body, Matrix.Translation(body, 0, 0));
                }
                var ray = new Ray { Origin = new Vec3(-5, 1.2f, 0), Direction = new Vec3(1, 0, 0), MaxTime = 99 };
                var rays = new[] { new FilteredRay { Ray = ray } };
                Shape all = Shape.Sphere(new Vec3(1, 1, 0), 9);
                var answers = new ResultList<RayAnswer>();
                var hits = new ResultList<BodyRayHit>();
                var overlaps = new ResultList<BodyShapeOverlap>();
                int asked = 0;
                var filter = new Filter { Predicate = (body, hitbox) => { asked++; throw new NotNow(); } };
                var queries = new Dictionary<string, Action<Filter>>
                {
                    ["CastRay"] = one => world.CastRay(ray, one),
                    ["CastRayAny"] = one => world.CastRayAny(ray, one),
                    ["CastRayAll"] = one => world.CastRayAll(ray, hits, one),
                    ["OverlappingBoxes"] = one => world.OverlappingBoxes(all, overlaps, one),
                    ["CastRays"] = one => world.CastRays(new[] { new FilteredRay { Ray = ray, Filter = one }, rays[0] }, answers),
                };
                foreach (KeyValuePair<string, Action<Filter>> query in queries)
                {
                    query.Value(null);
                    asked = 0;
                    Throws<NotNow>(query.Key, () => query.Value(filter));
                    Require(asked == 1, $"{query.Key} asks no more after an exception, but asked {asked} times");
                }
                Require(answers.Count == 0 && hits.Count == 0 && overlaps.Count == 0, "no old answers after an exception");

                var manyTags = new Filter { Tags = new string[17] };
                foreach (Filter wrong in new[] { manyTags, new Filter { Tags = new string[] { null } } })
                {
                    foreach (KeyValuePair<string, Action<Filter>> query in queries)
                    {
                        query.Value(null);
                        Throws<ArgumentException>(query.Key, () => query.Value(wrong));
                    }
                    Require(answers.Count == 0 && hits.Count == 0 && overlaps.Count == 0, "no old answers after a wrong filter");
                }
                world.CastRays(rays, answers);
                Fails(Result.InvalidArgument, "query 0", () => world.CastRays(new FilteredRay[1], answers));
                Require(answers.Count == 0, "no old answers after a wrong ray");

                // A predicate that asks another question, and a garbage collection in a query.
                var nested = new Filter { Predicate = (body, hitbox) => { GC.Collect(); return world.CastRayAny(ray, new Filter { Predicate = (b, h) => b == body }); } };
                Require(world.CastRay(ray, nested).HasValue, "a question in a question");

                var tags = new Filter { Tags = new[] { "no such tag" } };
                Require(!world.CastRayAny(ray, tags), "an unknown tag");
                tags.Tags[0] = runa.Tags(world.CastRay(ray).Value.Hitbox)[0];
                Require(world.CastRayAny(ray, tags), "a tag that was changed in its array");
                tags.Tags = null;
                Require(world.CastRayAny(ray, tags), "no tags");
            }
        }

        private static void Threads(Character runa)
        {
            using (var world = new World())
            {
                for (ulong body = 0; body < 8; body++)
                {
                    world.Insert(body, runa);
                    world.PoseFromRest(body, Matrix.Translation(body, 0, 0));
                }
                int wrong = 0;
                var threads = new Thread[4];
                for (int i = 0; i < threads.Length; i++)
                {
                    threads[i] = new Thread(() =>
                    {
                        var found = new ResultList<BodyShapeOverlap>();
                        for (int turn = 0; turn < 200; turn++)
                        {
                            world.OverlappingBoxes(Shape.Sphere(new Vec3(4, 1, 0), 0.4f), found);
                            if (found.Count == 0 || found[0].Body != 4) Interlocked.Increment(ref wrong);
                        }
                    });
                    threads[i].Start();
                }
                foreach (Thread thread in threads) thread.Join();
                Require(wrong == 0, "all threads find the same");
            }
        }

        /// Bodies that walk along x, and what a client draws of them between two ticks.
        private static void Draw(World world, uint clip, float start, float seconds, ulong body, Moment moment)
        {
            Func<ulong, float> timeOf = tick => (tick / 64f + 0.3f * body) % seconds;
            ulong tickThen = moment.Tick;
            float share = moment.Fraction, a = timeOf(tickThen), b = timeOf(tickThen + 1);
            if (b < a) b += seconds; // the clip began again
            Func<ulong, float> placeAt = tick => (0.03f + 0.01f * body) * (tick % 300);
            float x = placeAt(tickThen) + (placeAt(tickThen + 1) - placeAt(tickThen)) * share;
            world.PoseFromClips(new ClipPose
            {
                Body = body,
                WorldFromModel = Matrix.Translation(x, 0, 1.5f * body),
                Clip = clip,
                Seconds = start + (a + (b - a) * share) % seconds,
            });
        }

        /// Bodies of a ragdoll, and a pose that becomes places of bodies and comes back.
        private static void Falling(Character plain, Character limp)
        {
            Require(!plain.HasRagdoll && limp.HasRagdoll, "a ragdoll");
            Fails(Result.NotFound, "ragdoll = true", () => new Ragdoll(plain));
            Fails(Result.InvalidArgument, "`scale` is -1", () => new Ragdoll(limp, -1));
            using (var ragdoll = new Ragdoll(limp))
            using (var large = new Ragdoll(limp, 2))
            using (var world = new World())
            {
                var shapes = new ResultList<RagdollShape>();
                var vertices = new ResultList<Vec3>();
                var pairs = new ResultList<RagdollPair>();
                float mass = 0;
                for (ushort index = 0; index < ragdoll.Count; index++)
                {
                    RagdollBody body = ragdoll.Body(index);
                    Require(body.Parent < index && ragdoll.BodyOfJoint(body.Joint) == index, "bodies and their joints");
                    Require(index == 0 ? body.Parent == -1 : body.Limits.X > 0 && body.Damping > 0, "constraints");
                    Require(body.Kind == ConstraintKind.Ball || body.Limits.Y == 0, "a hinge has no swing");
                    Require(body.InertiaXX > 0 && Math.Abs(body.InertiaYZ) < body.InertiaYY, "inertia");
                    ragdoll.Shapes(index, shapes);
                    Require(shapes.Count == body.ShapeCount && shapes[0].Kind == RagdollShapeKind.Box, "shapes");
                    Require(shapes[0].HalfExtents.X > 0 && limp.HitboxJoint(shapes[0].Hitbox) >= body.Joint, "hitboxes of shapes");
                    ragdoll.HullVertices(index, 0, vertices);
                    Require(vertices.Count == 0 && shapes[0].VertexCount == 0, "boxes have no vertices of a hull");
                    Require(Math.Abs(large.Body(index).Mass / body.Mass - 8) < 1e-3f, "a scaled ragdoll");
                    mass += body.Mass;
                }
                Require(ragdoll.Count > 10 && Math.Abs(mass - 75) < 0.01f, "a person of 75 kg");
                ragdoll.NoCollision(pairs);
                Require(pairs.Count >= ragdoll.Count - 1 && pairs[0].BodyA < pairs[0].BodyB, "pairs");

                var joints = new string[limp.JointCount];
                for (ushort joint = 0; joint < joints.Length; joint++) joints[joint] = limp.JointName(joint);
                world.Insert(1, limp);
                world.TrackJoints(1, joints);
                world.PoseFromRest(1, Matrix.Translation(1, 2, 3));
                var matrices = new Matrix[joints.Length];
                for (int joint = 0; joint < joints.Length; joint++) matrices[joint] = world.JointMatrix(1, joints[joint]);
                var found = new ResultList<RagdollPlace>();
                ragdoll.Places(Matrix.Identity, matrices, found);
                var places = new RagdollPlace[found.Count];
                var moved = new RagdollPlace[found.Count];
                for (int body = 0; body < places.Length; body++)
                {
                    places[body] = moved[body] = found[body];
                    moved[body].Position.Y += 0.5f;
                }
                var back = new ResultList<Matrix>();
                ragdoll.WorldFromJoints(places, back);
                for (int joint = 0; joint < joints.Length; joint++)
                {
                    Matrix a = matrices[joint], b = back[joint];
                    float most = Math.Max(Math.Abs(a.M41 - b.M41), Math.Max(Math.Abs(a.M42 - b.M42), Math.Abs(a.M11 - b.M11)));
                    Require(most < 1e-4f, "the same pose");
                }
                var velocities = new ResultList<RagdollVelocity>();
                ragdoll.Velocities(places, moved, 0.25f, velocities);
                Require(velocities.Count == places.Length && Math.Abs(velocities[3].Linear.Y - 2) < 1e-4f, "2 m/s");
                ragdoll.WorldFromJoints(places, back, matrices);
                Require(back.Count == joints.Length && back[0].M42 != matrices[0].M42, "local matrices are used");
                Fails(Result.PoseRefused, "places: expected", () => ragdoll.WorldFromJoints(new RagdollPlace[1], back));
                Require(back.Count == 0, "no matrices after a failure");
                Fails(Result.NotFound, "no body 999", () => ragdoll.Body(999));
            }
        }

        /// Runa jabs Bruno once. A rollback finds the same strike, and a stick in her hand strikes before her hand.
        private static void Striking(Character runa, Character bruno)
        {
            uint jab = runa.FindClip("jab"), idle = bruno.FindClip("idle");
            using (var world = new World())
            using (var history = new History(64, 1.0 / 60))
            using (var strikes = new Strikes())
            {
                world.Insert(1, runa);
                world.Insert(2, bruno);
                var found = new ResultList<Strike>();
                var facing = new Matrix { M11 = -1, M22 = 1, M33 = -1, M43 = 0.7f, M44 = 1 };
                for (ulong tick = 0; tick < 30; tick++)
                {
                    world.PoseFromClips(
                        new ClipPose { Body = 1, WorldFromModel = Matrix.Identity, Clip = jab, Seconds = tick / 60f },
                        new ClipPose { Body = 2, WorldFromModel = facing, Clip = idle, Seconds = 0 });
                    history.Record(tick, world);
                }
                strikes.Begin(new Swing(1, 7, jab));
                using (Strikes saved = strikes.Clone())
                {
                    strikes.Advance(history, 0, 29, found);
                    Require(found.Count == 1 && found[0].Target == 2 && found[0].Instance == 7, "the jab strikes once");
                    Strike first = found[0];
                    Require(first.Outcome == Outcome.Hit && first.AttackerWeapon == null && first.Seconds > 0.14f, "a hit");
                    Require(!saved.Equals(strikes), "another state");
                    saved.Advance(history, 0, 29, found, null, new Seen(1, new Moment(0), new Moment(29)));
                    Require(found.Count == 1 && found[0].Attack == first.Attack && saved.Equals(strikes), "the same strike");
                    Require(runa.AttackClip(first.Attack) == jab && runa.AttackName(first.Attack).Length > 0, "the attack");
                    Require(runa.AttackData(first.Attack).Contains("damage"), "the data of the attack");
                    Require(first.Attack < runa.AttackCount && runa.AttackStrength(first.Attack) > 0, "the attacks");
                    Fails(Result.NotFound, "attack", () => runa.AttackName(9999));
                }
                // The client of body 1 drew body 2 at other moments, at which it stands at the same place.
                using (var swings = new Strikes())
                {
                    swings.Begin(new Swing(1, 7, jab));
                    var seen = new[] { new Seen(1, new Moment(0), new Moment(29)) };
                    var own = new[] { new SeenBody(1, 2, new Moment(3), new Moment(4)) };
                    swings.Advance(history, 0, 29, found, null, seen, own);
                    Require(found.Count == 1 && found[0].Target == 2, "a strike at a body with moments of its own");
                    own[0].Attacker = 5;
                    Fails(Result.InvalidArgument, "attacker 5", () => swings.Advance(history, 0, 29, found, null, seen, own));
                }
                var stick = new Weapon { JointFromWeapon = Matrix.Identity, HalfExtents = new Vec3(0.5f, 0.5f, 0.5f), Joint = 0, Holder = 0 };
                strikes.Equip(1, 3, stick, 0);
                Require(strikes.Unequip(1, 3) && !strikes.Unequip(1, 3), "a weapon");
                strikes.HitStop(1, 2, 3);
                Require(strikes.IsFrozen(2) && !strikes.IsFrozen(3), "hit stop");
                Fails(Result.InvalidArgument, "no tick 99", () => strikes.Advance(history, 0, 99, found));
                Fails(Result.NotFound, "no running swing 9", () => strikes.SetSpeed(1, 9, 1));
            }
        }

        /// Players with latency shoot at what they see, and the server answers at the moment that they saw. The fourth player
        /// draws one body later than the others.
        private static void Rewinding(Character runa)
        {
            const ulong Bodies = 12;
            uint clip = runa.FindClip("walk");
            float seconds = runa.ClipSeconds(clip);
            var boxes = new ResultList<PosedHitbox>();
            Func<BodyRayHit?, BodyRayHit?, bool> same = (a, b) => a?.Body == b?.Body && a?.Hitbox == b?.Hitbox;
            using (var world = new World())
            using (var picture = new World())
            using (var history = new History())
            {
                for (ulong body = 0; body < Bodies; body++)
                {
                    world.Insert(body, runa);
                    picture.Insert(body, runa);
                }
                int shots = 0, rightWithout = 0;
                for (ulong tick = 0; tick < 200; tick++)
                {
                    for (ulong body = 0; body < Bodies; body++) Draw(world, clip, 0, seconds, body, new Moment(tick));
                    Require(history.Record(tick, world).Bodies == (int)Bodies, "all bodies are recorded");
                    for (ulong player = 0; tick >= 20 && player < 4; player++)
                    {
                        // The shot arrives now; the player saw the world some ticks ago.
                        var moment = new Moment(tick - 3 - 3 * player, (tick * 7 + player * 3) % 16 / 16f);
                        ulong target = 4 + tick % 8;
                        Moment ofTarget = player == 3 ? new Moment(moment.Tick + 2, 0.25f) : moment;
                        for (ulong body = 0; body < Bodies; body++) Draw(picture, clip, 0, seconds, body, body == target ? ofTarget : moment);
                        picture.Hitboxes(target, boxes);
                        Vec3 to = boxes[(int)(tick % (ulong)boxes.Count)].Center, from = new Vec3(-8, 1.6f, 1.5f * player);
                        var ray = new Ray { Origin = from, Direction = new Vec3(to.X - from.X, to.Y - from.Y, to.Z - from.Z), MaxTime = 100 };
                        var filter = new Filter { Exclude = new[] { player } };
                        BodyRayHit? seen = picture.CastRay(ray, filter);
                        using (PastWorld then = history.At(moment, null, new BodyMoment(target, ofTarget)))
                        {
                            Require(seen != null && same(then.CastRay(ray, filter), seen), "the server finds what the player saw");
                            Require(then.Kind(target) != null && then.MomentOf(target).Tick == ofTarget.Tick, "a moment of its own");
                        }
                        if (same(world.CastRay(ray, filter), seen)) rightWithout++;
                        shots++;
                    }
                }
                Require(shots == 720 && rightWithout * 2 < shots, $"without rewind, {rightWithout} of {shots} answers are right");

                byte[] saved = history.Save(), savedWorld = world.Save();
                using (History restored = History.Restore(saved, runa))
                using (History other = restored.Clone())
                {
                    Require(restored.Checksum() == history.Checksum() && restored.FirstDifference(history) == null, "a restored history");
                    other.Record(200, picture);
                    other.DropAfter(150);
                    Require(other.Ticks.Newest == 150 && other.ChecksumOf(151) == null && restored.Ticks.Newest == 199, "a clone");
                }
                picture.Restore(savedWorld, runa);
                Require(Convert.ToBase64String(picture.Save()) == Convert.ToBase64String(savedWorld), "a restored world");
                Fails(Result.BadFile, "not a saved history", () => History.Restore(new byte[100], runa));
                Fails(Result.BadFile, "not a saved world", () => picture.Restore(saved, runa));
                Fails(Result.NotFound, "no character was given", () => picture.Restore(savedWorld));
                saved[50] ^= 1;
                Fails(Result.BadFile, "checksum", () => History.Restore(saved, runa));
                Fails(Result.InvalidArgument, "not a number", () => history.At(new Moment(5, float.NaN)));
                Fails(Result.InvalidArgument, "is not after tick 199", () => history.Record(5, world));
                Fails(Result.InvalidArgument, "at least 2 ticks", () => new History(0));
                Explanation why = history.Explain(new Moment(198), new Ray { Origin = new Vec3(0, 40, 0), Direction = new Vec3(1, 0, 0), MaxTime = 9 }, 3, out string json);
                Require(why.Verdict == Verdict.Missed && why.HasNearest && why.Distance > 37 && json.StartsWith("{\"target\":3"), "an explanation");
                var rules = new RewindRules { MayAsk = body => body == 4 ? throw new Exception("hidden") : body != 3 };
                using (PastWorld then = history.At(new Moment(190, 0.5f), rules))
                {
                    GC.Collect();
                    Fails(Result.NoBody, "body 3", () => then.Hitboxes(3, boxes));
                    Fails(Result.NoBody, "body 4", () => then.Hitboxes(4, boxes));
                    then.Hitboxes(5, boxes);
                    var bodies = new ResultList<ulong>();
                    then.GetBodies(bodies);
                    Require(boxes.Count == runa.HitboxCount && then.Refused.NotAllowed == 2 && bodies.Count == (int)Bodies, "rules");
                }
                history.Cut(2);
                world.KeepJoints();
            }
        }

        private static int Main(string[] arguments)
        {
            byte[] bytes = File.ReadAllBytes(arguments[0]);
            Layout(arguments[2]);
            Require(Character.LibraryVersion == 1000, "the version");
            using (var runa = new Character(bytes))
            using (var bruno = new Character(File.ReadAllBytes(arguments[1])))
            {
                Require(runa.Name == "runa" && runa.JointCount == 53 && runa.ClipCount > 0, "the character");
                Require(runa.ClipSeconds(runa.FindClip("jab")) > 0 && runa.JointParent(0) == -1, "clips and joints");
                for (ushort hitbox = 0; hitbox < runa.HitboxCount; hitbox++)
                {
                    foreach (string tag in runa.Tags(hitbox))
                    {
                        using (BoxSet set = runa.BoxesWithTag(tag)) Require(set.Contains(hitbox), "tags");
                    }
                }
                Jab(runa, bruno);
                Server(runa, bruno);
                Rays(runa);
                Layers(runa, bruno);
                Casts(runa);
                Limits(runa);
                Rewinding(runa);
                Striking(runa, bruno);
                using (var skinned = new Character(File.ReadAllBytes(arguments[3])))
                {
                    Exact(runa, skinned);
                    Falling(runa, skinned);
                }
                FailedPoses(runa);
                Predicates(runa);
                Failures(runa, bytes);
                Threads(runa);
            }
            Example.Run(arguments[0], arguments[1]);
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Console.WriteLine("all passed");
            return 0;
        }
    }
}
