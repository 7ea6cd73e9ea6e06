// A server's tick in C#: events, and a shot that ignores the shooter.

using System;
using System.IO;
using Bonebox;

internal static class Example
{
    internal static void Run(string runaPath, string brunoPath)
    {
        using (var runa = new Character(File.ReadAllBytes(runaPath)))   // throws BoneboxException
        using (var bruno = new Character(File.ReadAllBytes(brunoPath)))
        using (var world = new World())
        {
            world.Insert(10, runa);
            world.Insert(20, bruno);
            world.TrackJoints(10, "hand_l");
            var opposite = new Matrix { M11 = -1, M22 = 1, M33 = -1, M43 = 0.8f, M44 = 1 };
            world.PoseFromRest(20, opposite);

            uint jab = runa.FindClip("jab");
            var events = new ResultList<TouchEvent>();                  // keeps its memory from tick to tick
            for (int tick = 0; tick < 21; tick++)
            {
                world.PoseFromClips(new ClipPose { Body = 10, WorldFromModel = Matrix.Identity, Clip = jab, Seconds = tick / 30f });
                world.Update();
                world.Events(events);
                for (int i = 0; i < events.Count; i++)
                {
                    Touch touch = events[i].Touch;
                    if (events[i].Phase == TouchPhase.Started)
                        Console.WriteLine($"{runa.JointName(touch.JointA)} touches {bruno.JointName(touch.JointB)}");
                }
            }

            Matrix fist = world.JointMatrix(10, "hand_l");
            var ray = new Ray { Origin = new Vec3(fist.M41, fist.M42, fist.M43), Direction = new Vec3(0, 0, 1), MaxTime = 100 };
            BodyRayHit? hit = world.CastRay(ray, new Filter { Exclude = new ulong[] { 10 } });
            if (hit.HasValue) Console.WriteLine($"the shot hits body {hit.Value.Body}");
        }
    }
}
