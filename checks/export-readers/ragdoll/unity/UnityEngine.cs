// The parts of Unity's scripting interface that the script uses, after its reference, so that a compiler can check the script.
using System;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 right { get { return new Vector3(1, 0, 0); } }
        public static Vector3 up { get { return new Vector3(0, 1, 0); } }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return a; }
        public static Vector3 operator *(float a, Vector3 b) { return b; }
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion Inverse(Quaternion rotation) { return rotation; }
        public static Quaternion operator *(Quaternion a, Quaternion b) { return a; }
        public static Vector3 operator *(Quaternion a, Vector3 b) { return b; }
    }

    public struct Mathf { public const float Rad2Deg = 57.29578f; }

    public static class Debug { public static void LogError(object message) { } }
    public static class JsonUtility { public static T FromJson<T>(string json) { return default(T); } }

    public static class Physics
    {
        public static void IgnoreCollision(Collider collider1, Collider collider2) { }
        public static void SyncTransforms() { }
    }

    public class Object { public string name { get; set; } }
    public class TextAsset : Object { public string text { get { return ""; } } }

    public class GameObject : Object
    {
        public GameObject(string name) { this.name = name; }
        public Transform transform { get { return null; } }
        public T AddComponent<T>() where T : Component { return null; }
    }

    public class Component : Object
    {
        public Transform transform { get { return null; } }
        public GameObject gameObject { get { return null; } }
        public T[] GetComponentsInChildren<T>() { return null; }
    }

    public class Behaviour : Component { }
    public class MonoBehaviour : Behaviour { }

    public class Transform : Component
    {
        public Vector3 position { get; set; }
        public Quaternion rotation { get; set; }
        public void SetParent(Transform parent, bool worldPositionStays) { }
        public void SetPositionAndRotation(Vector3 position, Quaternion rotation) { }
    }

    public class Rigidbody : Component
    {
        public float mass { get; set; }
        public Vector3 centerOfMass { get; set; }
    }

    public class Collider : Component { public Rigidbody attachedRigidbody { get { return null; } } }
    public class SphereCollider : Collider { public float radius { get; set; } }
    public class CapsuleCollider : Collider { public float radius { get; set; } public float height { get; set; } }
    public class BoxCollider : Collider { public Vector3 size { get; set; } }

    public struct SoftJointLimit { public float limit { get; set; } }
    public struct JointDrive
    {
        public float positionSpring { get; set; }
        public float positionDamper { get; set; }
        public float maximumForce { get; set; }
    }
    public enum ConfigurableJointMotion { Locked, Limited, Free }
    public enum RotationDriveMode { XYAndZ, Slerp }

    public class Joint : Component
    {
        public Rigidbody connectedBody { get; set; }
        public Vector3 axis { get; set; }
    }

    public class ConfigurableJoint : Joint
    {
        public Vector3 secondaryAxis { get; set; }
        public ConfigurableJointMotion xMotion { get; set; }
        public ConfigurableJointMotion yMotion { get; set; }
        public ConfigurableJointMotion zMotion { get; set; }
        public ConfigurableJointMotion angularXMotion { get; set; }
        public ConfigurableJointMotion angularYMotion { get; set; }
        public ConfigurableJointMotion angularZMotion { get; set; }
        public SoftJointLimit lowAngularXLimit { get; set; }
        public SoftJointLimit highAngularXLimit { get; set; }
        public SoftJointLimit angularYLimit { get; set; }
        public SoftJointLimit angularZLimit { get; set; }
        public RotationDriveMode rotationDriveMode { get; set; }
        public JointDrive slerpDrive { get; set; }
    }
}
