"""Opens USDA files with OpenUSD, runs all of its validators, and compares bodies, joints and colliders with the bakes.

Usage: check.py RAGDOLLS.JSON, the list that `export-readers` wrote. Lengths may differ by 1e-5 of the character's height, rotations by
1e-5, and masses, inertias and angles by 1e-5 of their size.
"""

import json
import math
import sys

from pxr import Gf, Usd, UsdGeom, UsdPhysics, UsdValidation

TOLERANCE = 1e-5


def main():
    print("OpenUSD", ".".join(map(str, Usd.GetVersion())))
    with open(sys.argv[1], encoding="utf-8") as file:
        ragdolls = json.load(file)
    registry = UsdValidation.ValidationRegistry()
    validators = registry.GetOrLoadAllValidators()
    counts = {"characters": 0, "bodies": 0, "joints": 0, "colliders": 0}
    for ragdoll in ragdolls:
        with open(ragdoll["files"]["bake"], encoding="utf-8") as file:
            bake = json.load(file)
        stage = Usd.Stage.Open(ragdoll["files"]["usda"])
        check = Check(ragdoll, bake, stage)
        check.validate(validators)
        check.parse()
        check.bodies()
        check.joints()
        counts["characters"] += 1
        for kind, count in check.counts.items():
            counts[kind] += count
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()), f"and {len(validators)} validators")
    print(f"largest distance from the bake: {Check.worst:.1e} of the height ({Check.worst_place})")


class Check:
    worst, worst_place = 0.0, ""

    def __init__(self, ragdoll, bake, stage):
        self.ragdoll, self.bake, self.stage = ragdoll, bake, stage
        self.counts = {}
        root = stage.GetDefaultPrim().GetPath()
        self.prims = list(stage.GetPrimAtPath(root.AppendChild("bodies")).GetChildren())
        self.joint_prims = list(stage.GetPrimAtPath(root.AppendChild("joints")).GetChildren())
        self.cache = UsdGeom.XformCache()

    def true(self, is_so, what):
        if not is_so:
            raise SystemExit(f"{self.ragdoll['name']}: {what}")

    def near(self, found, expected, what):
        off = (Gf.Vec3d(found) - Gf.Vec3d(*expected)).GetLength() / self.ragdoll["height"]
        if off > Check.worst:
            Check.worst, Check.worst_place = off, f"{self.ragdoll['name']}, {what}"
        self.true(off <= TOLERANCE, f"{what}: {found} is {off} of the height from {expected}")

    def same_turn(self, found, expected, what):
        """`expected` is a list x, y, z, w. A quaternion and its negative are the same rotation."""
        x, y, z, w = expected
        length = math.sqrt(x * x + y * y + z * z + w * w)
        imaginary = found.GetImaginary()
        dot = (found.GetReal() * w + imaginary[0] * x + imaginary[1] * y + imaginary[2] * z) / length
        self.true(abs(abs(dot) - 1.0) <= TOLERANCE, f"{what}: {found} is not {expected}")

    def close(self, found, expected, what):
        self.true(abs(found - expected) <= TOLERANCE * max(1e-30, abs(expected)), f"{what}: {found}, not {expected}")

    def validate(self, validators):
        errors = UsdValidation.ValidationContext(validators).Validate(self.stage)
        self.true(not errors, "; ".join(f"{error.GetName()}: {error.GetMessage()}" for error in errors))

    def parse(self):
        """The physics parser that engines use finds what the bake has, and nothing is invalid."""
        load = getattr(UsdPhysics, "UsdPhysicsLoadStageFromPrimRange", None) or UsdPhysics.LoadUsdPhysicsFromRange
        found = load(self.stage, ["/"])
        counts = {}
        for kind, (paths, descriptions) in found.items():
            self.true(all(one.isValid for one in descriptions), f"{kind}: invalid among {list(map(str, paths))}")
            counts[kind.name] = len(paths)
        constraints = [body["constraint"] for body in self.bake["bodies"] if "constraint" in body]
        hinges = sum(one["kind"] == "hinge" for one in constraints)
        parents = {one["parent"] for one in constraints}
        trees = sum("constraint" not in body and index in parents for index, body in enumerate(self.bake["bodies"]))
        shapes = sum(count for kind, count in counts.items() if kind.endswith("Shape"))
        wanted = {"Scene": 1, "RigidBody": len(self.bake["bodies"]), "RevoluteJoint": hinges}
        wanted |= {"D6Joint": len(constraints) - hinges, "Articulation": trees}
        for kind, count in wanted.items():
            self.true(counts.get(kind, 0) == count, f"{counts.get(kind, 0)} {kind}, not {count}")
        hitboxes = sum(len(body["boxes"]) for body in self.bake["bodies"])
        self.true(shapes == hitboxes, f"{shapes} shapes, not {hitboxes}")
        self.counts = {"bodies": len(self.bake["bodies"]), "joints": len(constraints), "colliders": shapes}

    def bodies(self):
        self.true(len(self.prims) == len(self.bake["bodies"]), "another number of bodies")
        for prim, body in zip(self.prims, self.bake["bodies"]):
            what = f"body {body['joint']!r}"
            self.true(prim.GetAttribute("bonebox:joint").Get() == body["joint"], f"{what}: another joint")
            world = self.cache.GetLocalToWorldTransform(prim)
            self.near(world.ExtractTranslation(), body["position"], what)
            self.same_turn(world.ExtractRotationQuat(), body["rotation"], what)
            mass = UsdPhysics.MassAPI(prim)
            self.close(mass.GetMassAttr().Get(), body["mass"], f"{what}, mass")
            self.near(mass.GetCenterOfMassAttr().Get(), body["center_of_mass"], f"{what}, center of mass")
            self.inertia(mass, body, what)
            hitboxes = [shape.GetAttribute("bonebox:hitbox").Get() for shape in prim.GetChildren()]
            self.true(hitboxes == body["boxes"], f"{what}: hitboxes {hitboxes}, not {body['boxes']}")
            for shape, hitbox in zip(prim.GetChildren(), hitboxes):
                self.collider(shape, hitbox, f"{what}, hitbox {hitbox}")
        pairs = set()
        for first, prim in enumerate(self.prims):
            for path in UsdPhysics.FilteredPairsAPI(prim).GetFilteredPairsRel().GetTargets():
                pairs.add((first, self.index(path)))
        for joint in self.joint_prims:
            if not UsdPhysics.Joint(joint).GetCollisionEnabledAttr().Get():
                pairs.add(tuple(sorted(self.ends(UsdPhysics.Joint(joint)))))
        missing = {tuple(pair) for pair in self.bake["no_collision"]} - pairs
        self.true(not missing, f"pairs {missing} collide")

    def inertia(self, mass, body, what):
        xx, yy, zz, xy, xz, yz = body["inertia"]
        expected = Gf.Matrix3d(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        # Gf multiplies rows from the left, so the rotation's matrix is the transposed one.
        turn = Gf.Matrix3d(Gf.Quatd(mass.GetPrincipalAxesAttr().Get()))
        moments = mass.GetDiagonalInertiaAttr().Get()
        found = turn.GetTranspose() * Gf.Matrix3d(Gf.Vec3d(moments)) * turn
        size = max(xx, yy, zz)
        off = max(abs(found[i][j] - expected[i][j]) for i in range(3) for j in range(3)) / size
        self.true(off <= TOLERANCE, f"{what}: the inertia is off by {off}")

    def collider(self, prim, hitbox, what):
        corners = self.ragdoll["corners"][hitbox]
        world = self.cache.GetLocalToWorldTransform(prim)
        if prim.IsA(UsdGeom.Mesh):
            api = UsdPhysics.MeshCollisionAPI(prim)
            self.true(api.GetApproximationAttr().Get() == UsdPhysics.Tokens.convexHull, f"{what}: no convex hull")
            points = [world.Transform(Gf.Vec3d(point)) for point in UsdGeom.Mesh(prim).GetPointsAttr().Get()]
            expected = self.ragdoll["hulls"][hitbox]
            self.true(len(points) == len(expected), f"{what}: {len(points)} points, not {len(expected)}")
            for found, vertex in zip(points, expected):
                self.near(found, vertex, what)
            return
        shape = [UsdGeom.Cube, UsdGeom.Capsule, UsdGeom.Sphere]
        kind = next(kind for kind in shape if prim.IsA(kind))
        low, high = kind(prim).GetExtentAttr().Get()
        found = [world.Transform(Gf.Vec3d(*((high if at >> axis & 1 else low)[axis] for axis in range(3)))) for at in range(8)]
        self.near(sum(found, Gf.Vec3d(0)) / 8, sum((Gf.Vec3d(*one) for one in corners), Gf.Vec3d(0)) / 8, what)
        if kind is UsdGeom.Cube:
            for corner in found:
                nearest = min(corners, key=lambda one: (corner - Gf.Vec3d(*one)).GetLength())
                self.near(corner, nearest, what)
            return
        # A box around a capsule may be rolled about it, so only its ends and its radius are compared.
        _, _, halves = box(corners)
        radius = kind(prim).GetRadiusAttr().Get()
        self.near((radius, 0, 0), (halves[0], 0, 0), f"{what}, radius")
        if kind is UsdGeom.Capsule:
            self.true(kind(prim).GetAxisAttr().Get() == "Y", f"{what}: another axis")
            height = kind(prim).GetHeightAttr().Get()
            self.near((0.5 * height + radius, 0, 0), (halves[1], 0, 0), f"{what}, height")
            for sign in (-1, 1):
                end = world.Transform(Gf.Vec3d(0, sign * (0.5 * height + radius), 0))
                tops = [Gf.Vec3d(*one) for at, one in enumerate(corners) if (at >> 1 & 1) == (sign > 0)]
                self.near(end, sum(tops, Gf.Vec3d(0)) / 4, f"{what}, end")

    def index(self, path):
        return next(at for at, prim in enumerate(self.prims) if prim.GetPath() == path)

    def ends(self, joint):
        return [self.index(one.GetTargets()[0]) for one in (joint.GetBody0Rel(), joint.GetBody1Rel())]

    def joints(self):
        held = [(at, body["constraint"]) for at, body in enumerate(self.bake["bodies"]) if "constraint" in body]
        self.true(len(self.joint_prims) == len(held), "another number of joints")
        for prim, (at, constraint) in zip(self.joint_prims, held):
            what = f"joint of {self.bake['bodies'][at]['joint']!r}"
            joint = UsdPhysics.Joint(prim)
            self.true(self.ends(joint) == [constraint["parent"], at], f"{what}: other bodies")
            self.near(joint.GetLocalPos0Attr().Get(), constraint["anchor"], what)
            self.near(joint.GetLocalPos1Attr().Get(), (0, 0, 0), what)
            self.same_turn(joint.GetLocalRot0Attr().Get(), constraint["parent_from_frame"], what)
            self.same_turn(joint.GetLocalRot1Attr().Get(), constraint["body_from_frame"], what)
            # Both frames stand at the child's origin in the rest pose.
            world = self.cache.GetLocalToWorldTransform(self.prims[constraint["parent"]])
            anchor = world.Transform(Gf.Vec3d(joint.GetLocalPos0Attr().Get()))
            self.near(anchor, self.bake["bodies"][at]["position"], f"{what}, anchor")
            self.limits(prim, constraint, what)

    def limits(self, prim, constraint, what):
        degrees = [math.degrees(limit) for limit in constraint["limits"]]
        if constraint["kind"] == "hinge":
            hinge = UsdPhysics.RevoluteJoint(prim)
            self.true(hinge.GetAxisAttr().Get() == "X", f"{what}: another axis")
            found = [(hinge.GetLowerLimitAttr().Get(), hinge.GetUpperLimitAttr().Get())]
            axes = ["angular"]
        else:
            axes = ["rotX", "rotY", "rotZ"]
            found = []
            for axis in axes:
                limit = UsdPhysics.LimitAPI(prim, axis)
                found.append((limit.GetLowAttr().Get(), limit.GetHighAttr().Get()))
            for axis in ["transX", "transY", "transZ"]:
                limit = UsdPhysics.LimitAPI(prim, axis)
                self.true(limit.GetLowAttr().Get() > limit.GetHighAttr().Get(), f"{what}: {axis} is not locked")
        for (low, high), expected in zip(found, degrees):
            self.close(high, expected, what)
            self.close(low, -expected, what)
        if constraint["stiffness"] > 0 or constraint["damping"] > 0:
            for axis in axes:
                drive = UsdPhysics.DriveAPI(prim, axis)
                self.close(drive.GetDampingAttr().Get(), constraint["damping"] * math.pi / 180, f"{what}, damping")
                self.close(drive.GetStiffnessAttr().Get(), constraint["stiffness"] * math.pi / 180, f"{what}, stiffness")
                self.true(drive.GetTypeAttr().Get() == UsdPhysics.Tokens.force, f"{what}: the drive is no force")


def box(corners):
    """The center of a box, its axes, and its half extents."""
    corners = [Gf.Vec3d(*corner) for corner in corners]
    center = sum(corners, Gf.Vec3d(0)) / 8
    edges = [(corners[bit] - corners[0]) / 2 for bit in (1, 2, 4)]
    return center, [edge.GetNormalized() for edge in edges], [edge.GetLength() for edge in edges]


if __name__ == "__main__":
    main()
