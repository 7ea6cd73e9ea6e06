# Loads exports as Godot loads any glTF, plays their clips, and compares Godot's boxes with those of the run time.
#
# godot --headless --fixed-fps 30 --path FOLDER --script res://check.gd
#
# FOLDER contains the files of export-readers: manifest.json, meeting.json, ragdolls.json, and the files that they name.
extends SceneTree

# As a share of the character's height.
const TOLERANCE := 1e-4
# In the scene's unit. Godot and the run time may disagree about pairs with a smaller overlap or distance.
const MARGIN := 0.002

var failures := 0


func _initialize() -> void:
	await check_all()
	print("failures: ", failures)
	quit(1 if failures > 0 else 0)


func check_all() -> void:
	print("Godot ", Engine.get_version_info().string)
	var manifest = read_json("manifest.json")
	if manifest == null or manifest.characters.is_empty():
		fail("manifest.json lists no character")
		return
	for character in manifest.characters:
		await check_character(character)
	await check_meeting(manifest.characters)
	var ragdolls = read_json("ragdolls.json")
	if ragdolls == null or ragdolls.is_empty():
		fail("ragdolls.json lists no character")
		return
	for ragdoll in ragdolls:
		await check_ragdoll(ragdoll)


func fail(what: String) -> void:
	failures += 1
	printerr("FAILED: ", what)


func read_json(file: String) -> Variant:
	return JSON.parse_string(FileAccess.get_file_as_string("res://" + file))


func load_scene(character: Dictionary, form := "omi") -> Node3D:
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	var file: String = "res://" + character.files[form].get_file()
	var result := document.append_from_file(file, state)
	if result != OK:
		fail("%s: Godot does not load it (error %d)" % [file, result])
		return null
	var scene: Node3D = document.generate_scene(state)
	root.add_child(scene)
	return scene


func shapes_of(scene: Node) -> Array[CollisionShape3D]:
	var shapes: Array[CollisionShape3D] = []
	for node in scene.find_children("*", "CollisionShape3D", true, false):
		if node.shape is BoxShape3D and node.get_parent() is Area3D:
			shapes.append(node)
	return shapes


func player_of(scene: Node) -> AnimationPlayer:
	var players := scene.find_children("*", "AnimationPlayer", true, false)
	return players[0] if players.size() == 1 else null


# The joint that an area is attached to.
func joint_of(area: Node) -> String:
	return (area.get_parent() as BoneAttachment3D).bone_name


func corners(shape: CollisionShape3D) -> PackedVector3Array:
	var half: Vector3 = (shape.shape as BoxShape3D).size / 2
	var found := PackedVector3Array()
	for index in 8:
		var sign := Vector3(1 if index & 1 else -1, 1 if index & 2 else -1, 1 if index & 4 else -1)
		found.append(shape.global_transform * (sign * half))
	return found


# The largest distance of a corner of one box from the nearest corner of the other, because equal boxes may have their corners
# in another order.
func difference(a: PackedVector3Array, b: PackedVector3Array) -> float:
	var worst := 0.0
	for pair in [[a, b], [b, a]]:
		for from in pair[0]:
			var nearest := INF
			for to in pair[1]:
				nearest = min(nearest, from.distance_to(to))
			worst = max(worst, nearest)
	return worst


func pose(scene: Node3D, clip: Variant, time: float) -> void:
	var player := player_of(scene)
	# Godot does not reset joints that a clip does not move, but the run time plays a clip from the rest pose.
	player.stop()
	for skeleton in scene.find_children("*", "Skeleton3D", true, false):
		skeleton.reset_bone_poses()
	if clip != null:
		player.play(clip)
		player.seek(time, true)
		player.pause()


func check_character(character: Dictionary) -> void:
	var scene := load_scene(character)
	if scene == null:
		return
	var expected: Dictionary = read_json(character.expected.get_file())
	var shapes := shapes_of(scene)
	if shapes.size() != expected.nodes.size():
		fail("%s: %d boxes in Godot, %d in the bake" % [character.name, shapes.size(), expected.nodes.size()])
		return
	var worst := 0.0
	var compared := 0
	for at in expected.poses:
		pose(scene, null if at.clip == null else expected.clips[at.clip], at.time)
		await process_frame
		var left: Array = shapes.map(corners)
		for one in at.boxes:
			var wanted := PackedVector3Array()
			for corner in one.corners:
				wanted.append(Vector3(corner[0], corner[1], corner[2]))
			# Each of Godot's boxes matches the nearest box of the run time, and no two boxes match the same one.
			var best := 0
			var least := INF
			for index in left.size():
				if wanted[0].distance_squared_to(left[index][0]) > 4 * wanted[0].distance_squared_to(wanted[7]) + 1e-6 \
						and left.size() > 1:
					continue
				var found := difference(wanted, left[index])
				if found < least:
					least = found
					best = index
			left.remove_at(best)
			worst = max(worst, least / expected.height)
			compared += 1
	var text := "%s: %d boxes in %d poses of %d clips, the farthest corner is off by %.7f of the height" \
			% [character.name, compared, expected.poses.size(), expected.clips.size(), worst]
	print(text)
	if worst > TOLERANCE:
		fail(text)
	scene.free()


# One character strikes the other, and Godot's areas report which joints overlap.
func check_meeting(characters: Array) -> void:
	var meeting = read_json("meeting.json")
	if meeting == null:
		fail("meeting.json is missing")
		return
	var by_name := {}
	for character in characters:
		by_name[character.name.get_file()] = character
	var a := load_scene(by_name["runa.glb"])
	var b := load_scene(by_name["bruno.glb"])
	if a == null or b == null:
		return
	var m: Array = meeting.world_from_b
	b.transform = Transform3D(Vector3(m[0], m[1], m[2]), Vector3(m[3], m[4], m[5]), Vector3(m[6], m[7], m[8]),
			Vector3(m[9], m[10], m[11]))
	# The pairs that overlap, from the signals of areas: a pair starts with the first and ends with the last of a joint's boxes.
	var touching := {}
	for shape in shapes_of(a):
		var area: Area3D = shape.get_parent()
		area.area_entered.connect(func(other): enter(touching, a, b, area, other, 1))
		area.area_exited.connect(func(other): enter(touching, a, b, area, other, -1))
	var agreed := 0
	var close := 0
	var most := 0
	for tick in meeting.ticks:
		pose(a, meeting.clip_a, tick.times[0])
		pose(b, meeting.clip_b, tick.times[1])
		# The first frame moves the attachments, the second frame the areas, and then the physics reports them.
		for frame in 4:
			await physics_frame
		var depths := {}
		for pair in tick.pairs:
			var key: String = pair.joints[0] + " > " + pair.joints[1]
			depths[key] = max(depths.get(key, -INF), pair.depth)
		var all := {}
		for key in depths: all[key] = true
		for key in touching: all[key] = true
		var count := 0
		for key in all:
			var in_godot: bool = touching.get(key, 0) > 0
			var depth: float = depths.get(key, -INF)
			if in_godot == (depth >= 0):
				agreed += 1 if in_godot else 0
			elif absf(depth) < MARGIN:
				close += 1
			else:
				fail("at %.3f s %s: Godot says %s, the run time %.4f" % [tick.times[0], key, in_godot, depth])
			count += 1 if in_godot else 0
		most = max(most, count)
	print("runa.glb strikes bruno.glb: %d ticks, %d touches agree, %d differ by less than %.4f, at most %d at once"
			% [meeting.ticks.size(), agreed, close, MARGIN, most])
	if agreed == 0:
		fail("nothing touched: the check could not fail")
	a.free()
	b.free()


func enter(touching: Dictionary, a: Node, b: Node, area: Node, other: Node, by: int) -> void:
	if not is_instance_valid(other) or not b.is_ancestor_of(other):
		return
	var key := joint_of(area) + " > " + joint_of(other)
	touching[key] = touching.get(key, 0) + by


# Each body of a ragdoll is a body of Godot, and its shapes are where the run time has the hitboxes. Godot reads no joints.
func check_ragdoll(ragdoll: Dictionary) -> void:
	var scene := load_scene(ragdoll, "omi-ragdoll")
	if scene == null:
		return
	await process_frame
	var bake: Dictionary = read_json(ragdoll.files.bake.get_file())
	var bodies := scene.find_children("*", "AnimatableBody3D", true, false)
	if bodies.size() != bake.bodies.size():
		fail("%s: %d bodies in Godot, %d in the bake" % [ragdoll.name, bodies.size(), bake.bodies.size()])
	var even: bool = ragdoll.warnings.all(func(warning): return not warning.contains("unevenly"))
	var worst := 0.0
	var shapes := 0
	for node in scene.find_children("*", "CollisionShape3D", true, false):
		shapes += 1
		var wanted := PackedVector3Array()
		for corner in ragdoll.corners[number_of(node.name)]:
			wanted.append(Vector3(corner[0], corner[1], corner[2]))
		var off := difference_of_shapes(node, wanted) / float(ragdoll.height)
		if even:
			worst = max(worst, off)
	var hitboxes := 0
	for body in bake.bodies:
		hitboxes += body.boxes.size()
	if shapes != hitboxes:
		fail("%s: %d shapes in Godot, %d in the bake" % [ragdoll.name, shapes, hitboxes])
	var text := "%s: %d bodies with %d shapes, the farthest is off by %.7f of the height" \
			% [ragdoll.name, bodies.size(), shapes, worst]
	print(text, "" if even else " (not compared: uneven scale)")
	if worst > TOLERANCE:
		fail(text)
	scene.free()


# The name of a shape's node ends with the number of its hitbox.
func number_of(node_name: String) -> int:
	return node_name.get_slice(" ", node_name.get_slice_count(" ") - 1).to_int()


# Boxes are compared by their corners. For other shapes, only the center is compared, because the box around them may be turned.
func difference_of_shapes(node: CollisionShape3D, wanted: PackedVector3Array) -> float:
	if node.shape is BoxShape3D:
		return difference(corners(node), wanted)
	var center := Vector3.ZERO
	for corner in wanted:
		center += corner / 8
	return node.global_position.distance_to(center)
