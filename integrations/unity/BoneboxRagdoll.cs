// The ragdoll of `bonebox export --to ragdoll` in Unity. Put this on the root of the model, with the scale 1, and give it the JSON.
//
// Compiled against a stub of the engine by `cargo xtask engines ragdoll`; not run in Unity.
using System;
using UnityEngine;

public sealed class BoneboxRagdoll : MonoBehaviour
{
    public TextAsset json;

    [Serializable] public class Figure { public Body[] bodies; public Pair[] no_collision; }
    [Serializable] public class Pair { public int first, second; }
    [Serializable] public class Body
    {
        public string joint; public int parent; public float mass; public float[] center_of_mass; public Shape[] shapes; public Held constraint;
    }
    [Serializable] public class Shape { public string shape; public float[] center, rotation, half_extents; public float radius, half_length; }
    [Serializable] public class Held
    {
        public string kind; public float[] parent_from_frame, body_from_frame; public float twist, swing_y, swing_z, stiffness, damping;
    }

    // glTFast and UnityGLTF turn the sign of x.
    static Vector3 Point(float[] v) { return new Vector3(-v[0], v[1], v[2]); }
    static Quaternion Turn(float[] q) { return new Quaternion(q[0], -q[1], -q[2], q[3]); }
    static SoftJointLimit Limit(float radians) { return new SoftJointLimit { limit = radians * Mathf.Rad2Deg }; }

    void Start()
    {
        var figure = JsonUtility.FromJson<Figure>(json.text);
        var bodies = new Rigidbody[figure.bodies.Length];
        for (int i = 0; i < bodies.Length; i++)
        {
            Body body = figure.bodies[i];
            Transform bone = Array.Find(GetComponentsInChildren<Transform>(), one => one.name == body.joint);
            if (bone == null) { Debug.LogError("the model has no bone " + body.joint); return; }
            bodies[i] = bone.gameObject.AddComponent<Rigidbody>();
            foreach (Shape shape in body.shapes) { AddCollider(bone, shape); }
            bodies[i].mass = body.mass;
            bodies[i].centerOfMass = Point(body.center_of_mass);
            if (body.parent >= 0) { AddJoint(bodies[i], bodies[body.parent], body.constraint); }
        }
        foreach (Pair pair in figure.no_collision)
        {
            foreach (Collider a in bodies[pair.first].transform.GetComponentsInChildren<Collider>())
            foreach (Collider b in bodies[pair.second].transform.GetComponentsInChildren<Collider>())
                if (a.attachedRigidbody == bodies[pair.first] && b.attachedRigidbody == bodies[pair.second]) { Physics.IgnoreCollision(a, b); }
        }
    }

    static void AddCollider(Transform bone, Shape shape)
    {
        Transform holder = new GameObject("bonebox").transform;
        holder.SetPositionAndRotation(bone.position + bone.rotation * Point(shape.center), bone.rotation * Turn(shape.rotation));
        holder.SetParent(bone, true);
        switch (shape.shape)
        {
            case "sphere": holder.gameObject.AddComponent<SphereCollider>().radius = shape.radius; break;
            case "capsule":
                var capsule = holder.gameObject.AddComponent<CapsuleCollider>();
                capsule.radius = shape.radius;
                capsule.height = 2 * (shape.half_length + shape.radius);
                break;
            default: // A hull as the box around it.
                holder.gameObject.AddComponent<BoxCollider>().size = 2 * new Vector3(shape.half_extents[0], shape.half_extents[1], shape.half_extents[2]);
                break;
        }
    }

    static void AddJoint(Rigidbody body, Rigidbody parent, Held held)
    {
        // Unity counts angles from the turn in which a joint is made, so it is made in the middle of its range.
        Transform bone = body.transform;
        Quaternion kept = bone.rotation, frame = Turn(held.body_from_frame);
        bone.rotation = parent.transform.rotation * Turn(held.parent_from_frame) * Quaternion.Inverse(frame);
        Physics.SyncTransforms();
        var joint = bone.gameObject.AddComponent<ConfigurableJoint>();
        joint.connectedBody = parent;
        joint.axis = frame * Vector3.right;
        joint.secondaryAxis = frame * Vector3.up;
        joint.xMotion = joint.yMotion = joint.zMotion = ConfigurableJointMotion.Locked;
        joint.angularXMotion = ConfigurableJointMotion.Limited;
        joint.angularYMotion = joint.angularZMotion = held.kind == "hinge" ? ConfigurableJointMotion.Locked : ConfigurableJointMotion.Limited;
        joint.lowAngularXLimit = Limit(-held.twist);
        joint.highAngularXLimit = Limit(held.twist);
        joint.angularYLimit = Limit(held.swing_y);
        joint.angularZLimit = Limit(held.swing_z);
        joint.rotationDriveMode = RotationDriveMode.Slerp;
        joint.slerpDrive = new JointDrive { positionSpring = held.stiffness, positionDamper = held.damping, maximumForce = float.MaxValue };
        bone.rotation = kept;
        Physics.SyncTransforms();
    }
}
