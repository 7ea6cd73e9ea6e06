//! Reads bytes into a character. This is the only place where untrusted bytes of baked files enter the program.

use crate::attack::{Attack, AttackKind, ClipState, StateKind, Window};
use crate::byte_stream::StreamError;
use crate::character::{BakeWarning, BakedCharacter, Coverage, Hitbox, HitboxRole, HitboxShape, Source, WorstEscape};
use crate::clip_codec;
use crate::envelope::{Cluster, Envelope, Motion, Mover};
use crate::error::{LimitExceeded, ReadError};
use crate::generated::bonebox as wire;
use crate::header::{Header, payload};
use crate::hitbox_hull::HitboxHull;
use crate::limits::{
    MAX_ATTACKS, MAX_BODIES, MAX_BODY_PAIRS, MAX_BOXES, MAX_CHANNELS, MAX_CLIPS, MAX_CLUSTERS, MAX_HULL_VERTICES,
    MAX_JOINTS, MAX_MORPH_TARGETS, MAX_MOTIONS, MAX_MOVERS, MAX_OPTIONS, MAX_SKIN_BINDINGS, MAX_SKIN_MESHES,
    MAX_STRING_BYTES, MAX_TAGS, MAX_WARNINGS, MAX_WINDOWS,
};
use crate::ragdoll::{Constraint, ConstraintKind, LimitSource, Ragdoll, RagdollBody};
use crate::skin::{Skin, SkinBinding, SkinEncoding, SkinMesh, SkinMorphTarget, SkinPiece};
use crate::skin_codec;
use crate::version::FORMAT_MINOR_VERSION;
use glam::{Affine3A, Mat3, Quat, Vec3};
use planus::errors::{ErrorKind, ErrorLocation};
use planus::{ReadAsRoot as _, Vector};
use skeleton::humanoid::{HumanBone, Humanoid, HumanoidSource};
use skeleton::{Clip, ClipIndex, Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};

/// Reads a .bonebox file and checks the whole file.
///
/// The character that this function returns passes [`BakedCharacter::validate`]. Any bytes are safe to pass: time and
/// memory are bounded by the number of bytes. The reader skips fields that a newer minor version has added.
///
/// # Errors
/// Returns [`ReadError`] if the bytes are no valid file; [`ReadError::kind`] tells bad input, limits and versions
/// apart.
pub fn read(bytes: &[u8]) -> Result<BakedCharacter, ReadError> {
    let (header, payload) = payload(bytes)?;
    let character = Reader { header, unread: payload.len() }.character(payload)?;
    character.validate_decoded()?;
    Ok(character)
}

/// Copies the tables of a payload into the types of this crate.
struct Reader {
    header: Header,
    /// The number of payload bytes that no string, list or table has claimed yet. FlatBuffers allows many references to
    /// one string, so that a few bytes could expand to gigabytes. A .bonebox file stores everything at the place where
    /// it is used.
    unread: usize,
}

impl Reader {
    fn character(&mut self, payload: &[u8]) -> Result<BakedCharacter, ReadError> {
        let root = wire::CharacterRef::read_as_root(payload).map_err(|error| self.malformed(&error))?;
        let name = self.text(root.name())?;
        let source = self.get(root.source())?;
        let source = self.source(source)?;
        let options = self.list(root.options(), MAX_OPTIONS, "options", Self::option)?;
        let joints = self.list(root.joints(), MAX_JOINTS, "joints", Self::joint)?;
        let skeleton = Skeleton::new(joints)?;
        let boxes = self.list(root.boxes(), MAX_BOXES, "boxes", Self::hitbox)?;
        let clips = self.list(root.clips(), MAX_CLIPS, "clips", Self::clip)?;
        let coverage = self.get(root.coverage())?.map(|coverage| self.coverage(coverage)).transpose()?;
        let warnings = self.list(root.warnings(), MAX_WARNINGS, "warnings", Self::warning)?;
        let humanoid = self.get(root.humanoid())?.map(|humanoid| self.humanoid(humanoid, &skeleton)).transpose()?;
        let envelopes = self.list(root.envelopes(), MAX_BOXES, "envelopes", Self::envelope)?;
        let skin = self.get(root.skin())?.map(|skin| self.skin(skin)).transpose()?;
        Ok(BakedCharacter {
            name,
            source,
            algorithm_revision: self.get(root.algorithm_revision())?,
            options,
            skeleton,
            boxes,
            clips,
            coverage,
            warnings,
            humanoid,
            envelopes,
            skin,
            attacks: self.list(root.attacks(), MAX_ATTACKS, "attacks", Self::attack)?,
            states: self.list(root.states(), MAX_ATTACKS, "states", Self::state)?,
            ragdoll: self.get(root.ragdoll())?.map(|ragdoll| self.ragdoll(ragdoll)).transpose()?,
        })
    }

    fn ragdoll(&mut self, ragdoll: wire::RagdollRef<'_>) -> Result<Ragdoll, ReadError> {
        let pair = |pair: wire::BodyPairRef<'_>| [pair.first(), pair.second()];
        Ok(Ragdoll {
            bodies: self.list(ragdoll.bodies().map(Some), MAX_BODIES, "bodies", Self::body)?,
            no_collision: self.structs(ragdoll.no_collision(), MAX_BODY_PAIRS, "pairs of bodies", 4, pair)?,
        })
    }

    fn body(&mut self, body: wire::RagdollBodyRef<'_>) -> Result<RagdollBody, ReadError> {
        let inertia = self.get(body.inertia())?;
        Ok(RagdollBody {
            joint: JointIndex(self.get(body.joint())?),
            position: vec3(self.get(body.position())?),
            rotation: quat(self.get(body.rotation())?),
            boxes: self.structs(body.boxes().map(Some), MAX_BOXES, "boxes", 2, |index| index)?,
            mass: self.get(body.mass())?,
            center_of_mass: vec3(self.get(body.center_of_mass())?),
            inertia: [inertia.xx(), inertia.yy(), inertia.zz(), inertia.xy(), inertia.xz(), inertia.yz()],
            constraint: self.get(body.constraint())?.map(|one| self.constraint(one)).transpose()?,
        })
    }

    fn constraint(&mut self, one: wire::ConstraintRef<'_>) -> Result<Constraint, ReadError> {
        Ok(Constraint {
            parent: self.get(one.parent())?,
            kind: match self.get(one.kind())? {
                wire::ConstraintKind::Ball => ConstraintKind::Ball,
                wire::ConstraintKind::Hinge => ConstraintKind::Hinge,
            },
            anchor: vec3(self.get(one.anchor())?),
            parent_from_frame: quat(self.get(one.parent_from_frame())?),
            body_from_frame: quat(self.get(one.body_from_frame())?),
            limits: vec3(self.get(one.limits())?),
            stiffness: self.get(one.stiffness())?,
            damping: self.get(one.damping())?,
            limits_from: match self.get(one.limits_from())? {
                wire::LimitSource::Clips => LimitSource::Clips,
                wire::LimitSource::HumanRange => LimitSource::HumanRange,
                wire::LimitSource::Settings => LimitSource::Settings,
                wire::LimitSource::Unknown => LimitSource::Unknown,
            },
        })
    }

    fn attack(&mut self, attack: wire::AttackRef<'_>) -> Result<Attack, ReadError> {
        Ok(Attack {
            name: self.text(attack.name())?,
            clip: ClipIndex(self.get(attack.clip())?),
            kind: match self.get(attack.kind())? {
                wire::AttackKind::Strike => AttackKind::Strike,
                wire::AttackKind::Grab => AttackKind::Grab,
                wire::AttackKind::Throw => AttackKind::Throw,
            },
            boxes: self.structs(attack.boxes().map(Some), MAX_BOXES, "boxes", 2, |index| index)?,
            active: self.windows(attack.active())?,
            group: self.text(attack.group())?,
            rank: self.get(attack.rank())?,
            rehit: self.get(attack.rehit())?,
            against: self.list(attack.against(), MAX_TAGS, "tags", |reader, tag| reader.text(Ok(tag)))?,
            strength: self.get(attack.strength())?,
            data: self.get(attack.data())?.map(|data| self.text(Ok(data))).transpose()?,
        })
    }

    fn state(&mut self, state: wire::ClipStateRef<'_>) -> Result<ClipState, ReadError> {
        Ok(ClipState {
            clip: ClipIndex(self.get(state.clip())?),
            kind: match self.get(state.kind())? {
                wire::StateKind::Invulnerable => StateKind::Invulnerable,
                wire::StateKind::Guard => StateKind::Guard,
                wire::StateKind::Armor => StateKind::Armor,
                wire::StateKind::Grabbable => StateKind::Grabbable,
            },
            boxes: self.structs(state.boxes().map(Some), MAX_BOXES, "boxes", 2, |index| index)?,
            active: self.windows(state.active())?,
        })
    }

    fn windows(&mut self, list: planus::Result<Vector<'_, wire::WindowRef<'_>>>) -> Result<Vec<Window>, ReadError> {
        let window = |one: wire::WindowRef<'_>| Window { from: one.start(), to: one.end() };
        self.structs(list.map(Some), MAX_WINDOWS, "windows", 8, window)
    }

    fn source(&mut self, source: wire::SourceRef<'_>) -> Result<Source, ReadError> {
        let blake3 = self.get(source.blake3())?;
        self.claim(blake3.len())?;
        let blake3 = blake3.try_into().map_err(|_| ReadError::Malformed {
            place: "source.blake3".into(),
            problem: format!("{} bytes instead of 32", blake3.len()),
        })?;
        Ok(Source { file: self.text(source.file())?, blake3, generator: self.text(source.generator())? })
    }

    fn option(&mut self, option: wire::BakeOptionRef<'_>) -> Result<(String, String), ReadError> {
        Ok((self.text(option.key())?, self.text(option.value())?))
    }

    fn joint(&mut self, joint: wire::JointRef<'_>) -> Result<Joint, ReadError> {
        let name = self.text(joint.name())?;
        let rest = match (self.get(joint.trs())?, self.get(joint.matrix())?) {
            (Some(trs), None) => LocalTransform::Trs(Trs {
                translation: vec3(trs.translation()),
                rotation: quat(trs.rotation()),
                scale: vec3(trs.scale()),
            }),
            (None, Some(matrix)) => LocalTransform::Matrix(affine(matrix)),
            (trs, _) => {
                let problem = if trs.is_some() { "both trs and matrix" } else { "neither trs nor matrix" };
                return Err(ReadError::Malformed { place: format!("joint {name:?}"), problem: problem.into() });
            }
        };
        Ok(Joint {
            name,
            node: NodeIndex(self.get(joint.node())?),
            parent: self.get(joint.parent())?.map(JointIndex),
            rest,
            skinned: self.get(joint.skinned())?,
        })
    }

    fn hitbox(&mut self, baked: wire::BoxRef<'_>) -> Result<Hitbox, ReadError> {
        Ok(Hitbox {
            joint: JointIndex(self.get(baked.joint())?),
            shape: match self.get(baked.shape())? {
                wire::Shape::Box => HitboxShape::Box,
                wire::Shape::Capsule => HitboxShape::Capsule,
                wire::Shape::Sphere => HitboxShape::Sphere,
                wire::Shape::Hull => HitboxShape::Hull,
            },
            role: match self.get(baked.role())? {
                wire::Role::Hurt => HitboxRole::Hurt,
                wire::Role::Strike => HitboxRole::Strike,
                wire::Role::Grab => HitboxRole::Grab,
                wire::Role::Guard => HitboxRole::Guard,
                wire::Role::Sensor => HitboxRole::Sensor,
            },
            tags: self.list(baked.tags(), MAX_TAGS, "tags", |reader, tag| reader.text(Ok(tag)))?,
            center: vec3(self.get(baked.center())?),
            half_extents: vec3(self.get(baked.half_extents())?),
            orientation: quat(self.get(baked.orientation())?),
            vertices: self.get(baked.vertices())?,
            hull_vertices: self.get(baked.hull_vertices())?,
            hull_volume: self.get(baked.hull_volume())?,
            min_volume: self.get(baked.min_volume())?,
            hull: self.get(baked.hull())?.map(|hull| self.hull(hull)).transpose()?,
        })
    }

    fn hull(&mut self, hull: wire::HullRef<'_>) -> Result<HitboxHull, ReadError> {
        let vertices = self.get(hull.vertices())?;
        at_most(vertices.len(), MAX_HULL_VERTICES, "vertices", "a hull")?;
        self.claim(12 * vertices.len())?;
        let (triangles, rest) = self.bytes(hull.triangles())?.as_chunks::<3>();
        if !rest.is_empty() {
            let problem = format!("{} indices too many for whole triangles", rest.len());
            return Err(ReadError::Malformed { place: "the triangles of a hull".into(), problem });
        }
        Ok(HitboxHull { vertices: vertices.iter().map(vec3).collect(), triangles: triangles.to_vec() })
    }

    fn clip(&mut self, clip: wire::ClipRef<'_>) -> Result<Clip, ReadError> {
        let name = self.text(clip.name())?;
        let timelines =
            self.list(clip.timelines(), MAX_CHANNELS, "timelines", |reader, timeline: wire::TimelineRef<'_>| {
                reader.floats(timeline.times())
            })?;
        let count = self.get(clip.channels())? as usize;
        at_most(count, MAX_CHANNELS, "channels", "a clip")?;
        let bytes = self.get(clip.channel_data())?.unwrap_or_default();
        self.claim(bytes.len())?;
        let channels = clip_codec::decode(bytes, count, &timelines).map_err(|StreamError(problem)| {
            ReadError::Malformed { place: format!("the channels of clip {name:?}"), problem: problem.to_owned() }
        })?;
        Ok(Clip { name, timelines, channels })
    }

    fn coverage(&mut self, coverage: wire::CoverageRef<'_>) -> Result<Coverage, ReadError> {
        let worst = match self.get(coverage.worst())? {
            Some(worst) => Some(WorstEscape {
                joint: JointIndex(self.get(worst.joint())?),
                clip: self.get(worst.clip())?.map(ClipIndex),
                time: self.get(worst.time())?,
            }),
            None => None,
        };
        Ok(Coverage {
            surface_rest: self.get(coverage.surface_rest())?,
            surface_clips: self.get(coverage.surface_clips())?,
            own_rest: self.get(coverage.own_rest())?,
            own_clips: self.get(coverage.own_clips())?,
            every_sample_time: self.get(coverage.every_sample_time())?,
            max_escape: self.get(coverage.max_escape())?,
            worst,
        })
    }

    fn warning(&mut self, warning: wire::BakeWarningRef<'_>) -> Result<BakeWarning, ReadError> {
        let joint = self.get(warning.joint())?.map(|joint| self.text(Ok(joint))).transpose()?;
        Ok(BakeWarning { code: self.text(warning.code())?, joint, text: self.text(warning.text())? })
    }

    fn humanoid(&mut self, humanoid: wire::HumanoidRef<'_>, skeleton: &Skeleton) -> Result<Humanoid, ReadError> {
        let source = match self.get(humanoid.source())? {
            wire::HumanoidSource::Vrm => HumanoidSource::Vrm,
            wire::HumanoidSource::Guessed => HumanoidSource::Guessed,
            wire::HumanoidSource::Settings => HumanoidSource::Settings,
        };
        let list = self.get(humanoid.bones())?;
        at_most(list.len(), HumanBone::COUNT, "bones", "humanoid")?;
        self.claim(4 * list.len())?;
        let mut bones: Vec<(HumanBone, JointIndex)> = Vec::with_capacity(list.len());
        for one in list.iter() {
            let bone = one.bone().map_err(|unknown| self.malformed(&unknown.into()))?;
            let bone = HumanBone::ALL[usize::from(u8::from(bone))];
            if let Some((last, _)) = bones.last().filter(|(last, _)| *last >= bone) {
                let problem = format!("{bone} stands after {last}; bones are sorted, none twice");
                return Err(ReadError::Malformed { place: "humanoid.bones".into(), problem });
            }
            bones.push((bone, JointIndex(one.joint())));
        }
        Ok(Humanoid::new(skeleton, source, bones)?)
    }

    fn envelope(&mut self, envelope: wire::EnvelopeRef<'_>) -> Result<Envelope, ReadError> {
        let slack = self.get(envelope.slack())?;
        let (place_step, rest_step) = (self.get(envelope.place_step())?, self.get(envelope.rest_step())?);
        let movers = self.structs(envelope.movers(), MAX_MOVERS, "movers", Mover::BYTES, |mover| Mover {
            joint: JointIndex(mover.joint()),
            orientation: quat(mover.orientation()),
            scale: mover.scale(),
            center: vec3(mover.center()),
            slack: mover.slack(),
        })?;
        let motions = self.structs(envelope.motions(), MAX_MOTIONS, "motions", Motion::BYTES, |motion| Motion {
            mover: motion.mover(),
            low: [motion.low_x(), motion.low_y(), motion.low_z()],
            high: [motion.high_x(), motion.high_y(), motion.high_z()],
            low_weight: motion.low_weight(),
            high_weight: motion.high_weight(),
        })?;
        let counted = self.structs(envelope.clusters(), MAX_CLUSTERS, "clusters", Cluster::BYTES, |cluster| {
            let low = [cluster.low_x(), cluster.low_y(), cluster.low_z()];
            let high = [cluster.high_x(), cluster.high_y(), cluster.high_z()];
            (Cluster { low, high, motions: Vec::new() }, usize::from(cluster.motions()))
        })?;
        let (found, expected) = (motions.len(), counted.iter().map(|(_, motions)| *motions).sum::<usize>());
        if found != expected {
            let problem = format!("{found} motions, but its clusters name {expected}");
            return Err(ReadError::Malformed { place: "an envelope".into(), problem });
        }
        let mut motions = motions.into_iter();
        let with_motions = |(cluster, count): (Cluster, usize)| {
            let motions = motions.by_ref().take(count).collect();
            Cluster { motions, ..cluster }
        };
        let clusters = counted.into_iter().map(with_motions).collect();
        Ok(Envelope { slack, place_step, rest_step, movers, clusters })
    }

    fn skin(&mut self, skin: wire::SkinRef<'_>) -> Result<Skin, ReadError> {
        let encoding = match self.get(skin.encoding())? {
            wire::SkinEncoding::Lossless => SkinEncoding::Lossless,
            wire::SkinEncoding::Compact => SkinEncoding::Compact { step_exponent: self.get(skin.step_exponent())? },
        };
        let pieces = self.get(skin.pieces())? as usize;
        at_most(pieces, MAX_JOINTS, "pieces", "the skin")?;
        let data = self.optional_bytes(skin.piece_data())?;
        let malformed = |(index, StreamError(problem)): (usize, StreamError)| ReadError::Malformed {
            place: format!("skin.pieces[{index}]"),
            problem: problem.to_owned(),
        };
        let pieces = skin_codec::decode(data, pieces, encoding).map_err(malformed)?;
        Ok(Skin {
            encoding,
            max_error: self.get(skin.max_error())?,
            meshes: self.list(skin.meshes(), MAX_SKIN_MESHES, "meshes", Self::skin_mesh)?,
            bindings: self.skin_bindings(skin)?,
            morph_targets: self.morph_targets(skin, &pieces, encoding)?,
            pieces,
        })
    }

    fn morph_targets(
        &mut self,
        skin: wire::SkinRef<'_>,
        pieces: &[SkinPiece],
        encoding: SkinEncoding,
    ) -> Result<Vec<SkinMorphTarget>, ReadError> {
        let target = |reader: &mut Self, target: wire::MorphTargetRef<'_>| {
            Ok(SkinMorphTarget {
                name: reader.text(target.name())?,
                mesh: reader.get(target.mesh())?,
                number: reader.get(target.number())?,
                max_error: reader.get(target.max_error())?,
                pieces: Vec::new(),
            })
        };
        let mut targets = self.list(skin.morph_targets(), MAX_MORPH_TARGETS, "morph targets", target)?;
        let data = self.optional_bytes(skin.morph_data())?;
        let vertices: Vec<usize> = pieces.iter().map(|piece| piece.positions.len()).collect();
        let offsets = skin_codec::morphs::decode(data, targets.len(), &vertices, encoding);
        let offsets = offsets.map_err(|(index, StreamError(problem))| ReadError::Malformed {
            place: format!("the offsets of skin.morph_targets[{index}]"),
            problem: problem.to_owned(),
        })?;
        targets.iter_mut().zip(offsets).for_each(|(target, pieces)| target.pieces = pieces);
        Ok(targets)
    }

    fn skin_bindings(&mut self, skin: wire::SkinRef<'_>) -> Result<Vec<SkinBinding>, ReadError> {
        let matrices = self.structs(skin.matrices(), MAX_SKIN_BINDINGS, "matrices", 48, affine)?;
        let bindings = self.structs(skin.bindings(), MAX_SKIN_BINDINGS, "bindings", 4, |binding| {
            let joint_from_mesh = matrices.get(usize::from(binding.matrix())).copied();
            joint_from_mesh.map(|joint_from_mesh| SkinBinding { joint: JointIndex(binding.joint()), joint_from_mesh })
        })?;
        let missing = |index| ReadError::Malformed {
            place: format!("skin.bindings[{index}]"),
            problem: format!("its matrix does not exist; there are {} matrices", matrices.len()),
        };
        bindings.into_iter().enumerate().map(|(index, binding)| binding.ok_or_else(|| missing(index))).collect()
    }

    fn skin_mesh(&mut self, mesh: wire::SkinMeshRef<'_>) -> Result<SkinMesh, ReadError> {
        Ok(SkinMesh {
            name: self.text(mesh.name())?,
            node: NodeIndex(self.get(mesh.node())?),
            triangles: self.get(mesh.triangles())?,
        })
    }

    fn optional_bytes<'a>(&mut self, field: planus::Result<Option<&'a [u8]>>) -> Result<&'a [u8], ReadError> {
        let bytes = self.get(field)?.unwrap_or_default();
        self.claim(bytes.len())?;
        Ok(bytes)
    }

    fn bytes<'a>(&mut self, field: planus::Result<&'a [u8]>) -> Result<&'a [u8], ReadError> {
        let bytes = self.get(field)?;
        self.claim(bytes.len())?;
        Ok(bytes)
    }

    /// Reads a list of structs with this many bytes each. A missing list is the same as an empty list.
    fn structs<'a, W: planus::VectorRead<'a>, T>(
        &mut self,
        field: planus::Result<Option<Vector<'a, W>>>,
        limit: usize,
        what: &'static str,
        bytes: usize,
        copy: impl FnMut(W) -> T,
    ) -> Result<Vec<T>, ReadError> {
        let Some(list) = self.get(field)? else { return Ok(Vec::new()) };
        at_most(list.len(), limit, what, "a list")?;
        self.claim(bytes * list.len())?;
        Ok(list.iter().map(copy).collect())
    }

    fn get<T>(&self, field: planus::Result<T>) -> Result<T, ReadError> {
        field.map_err(|error| self.malformed(&error))
    }

    fn text(&mut self, field: planus::Result<&str>) -> Result<String, ReadError> {
        let text = self.get(field)?;
        at_most(text.len(), MAX_STRING_BYTES, "bytes of text", "a string")?;
        self.claim(text.len())?;
        Ok(text.to_owned())
    }

    fn floats(&mut self, field: planus::Result<Vector<'_, f32>>) -> Result<Vec<f32>, ReadError> {
        let floats = self.get(field)?;
        self.claim(4 * floats.len())?;
        // The loop uses indices, because the compiler then emits a block copy; it does not with planus' iterator.
        Ok((0..floats.len()).map(|index| floats.get(index).unwrap_or_default()).collect())
    }

    /// Reads a list. A missing list is the same as an empty list.
    fn list<'a, W, T>(
        &mut self,
        field: planus::Result<Option<Vector<'a, planus::Result<W>>>>,
        limit: usize,
        what: &'static str,
        mut copy: impl FnMut(&mut Self, W) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError>
    where
        W: planus::VectorReadInner<'a, Error = planus::Error>,
    {
        let Some(list) = self.get(field)? else { return Ok(Vec::new()) };
        at_most(list.len(), limit, what, "a list")?;
        self.claim(4 * list.len())?;
        let mut items = Vec::with_capacity(list.len());
        for item in list.iter() {
            let item = self.get(item)?;
            items.push(copy(self, item)?);
        }
        Ok(items)
    }

    fn claim(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.unread = self.unread.checked_sub(bytes).ok_or_else(|| ReadError::Malformed {
            place: "payload".into(),
            problem: "strings or lists share their bytes; each must be stored where it is used".into(),
        })?;
        Ok(())
    }

    fn malformed(&self, error: &planus::Error) -> ReadError {
        let place = place(&error.source_location);
        let ErrorKind::UnknownEnumTag { source } = error.error_kind else {
            return ReadError::Malformed { place, problem: error.error_kind.to_string() };
        };
        let problem = format!("unknown value {}", source.tag);
        let minor_version = self.header.minor_version;
        if minor_version > FORMAT_MINOR_VERSION {
            return ReadError::UnknownFeature { place, problem, minor_version };
        }
        ReadError::Malformed { place, problem }
    }
}

/// planus names its own types, such as `[BoxRef]` and `get`; the message names those of the schema.
fn place(at: &ErrorLocation) -> String {
    let table = at.type_.trim_matches(['[', ']']).trim_end_matches("Ref");
    let place = match at.method {
        "read_as_root" => "the root table".into(),
        "get" => format!("an entry in a list of {table}"),
        field => format!("{table}.{field}"),
    };
    format!("{place} at payload byte {}", at.byte_offset)
}

fn at_most(found: usize, limit: usize, what: &'static str, place: &str) -> Result<(), ReadError> {
    if found <= limit {
        return Ok(());
    }
    let (limit, found) = (limit as u64, found as u64);
    Err(ReadError::Limit(LimitExceeded { place: place.into(), what, limit, found }))
}

fn vec3(v: wire::Vec3Ref<'_>) -> Vec3 {
    Vec3::new(v.x(), v.y(), v.z())
}

fn quat(q: wire::QuatRef<'_>) -> Quat {
    Quat::from_xyzw(q.x(), q.y(), q.z(), q.w())
}

fn affine(m: wire::AffineRef<'_>) -> Affine3A {
    let linear = Mat3::from_cols(vec3(m.x_axis()), vec3(m.y_axis()), vec3(m.z_axis()));
    Affine3A::from_mat3_translation(linear, vec3(m.translation()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ReadErrorKind;
    use crate::version::FORMAT_VERSION;
    use crate::write::seal;
    use planus::{Builder, Offset};

    const ORIGIN: wire::Vec3 = wire::Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    const UPRIGHT: wire::Quat = wire::Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    const REST: wire::Trs = wire::Trs { translation: ORIGIN, rotation: UPRIGHT, scale: ORIGIN };
    const MATRIX: wire::Affine = wire::Affine { x_axis: ORIGIN, y_axis: ORIGIN, z_axis: ORIGIN, translation: ORIGIN };

    type Boxes = Vec<Offset<wire::Box>>;

    /// A file of one joint, as another writer might make it.
    fn file(
        blake3: &[u8],
        trs: Option<wire::Trs>,
        matrix: Option<wire::Affine>,
        boxes: fn(&mut Builder) -> Boxes,
    ) -> Vec<u8> {
        let builder = &mut Builder::new();
        let boxes = boxes(builder);
        let source = wire::Source::create(builder, "a.glb", blake3, "another writer");
        let joint = wire::Joint::create(builder, "root", 0, None::<u16>, true, trs, matrix);
        let none = (None::<Offset<[_]>>, None::<Offset<[_]>>, None::<Offset<wire::Coverage>>, None::<Offset<[_]>>);
        let humanoid = None::<Offset<wire::Humanoid>>;
        let envelopes = None::<Offset<[_]>>;
        let root = wire::Character::create(
            builder,
            "a",
            source,
            none.0,
            vec![joint],
            boxes,
            none.1,
            none.2,
            none.3,
            humanoid,
            envelopes,
            None::<Offset<wire::Skin>>,
            0,
            None::<Offset<[_]>>,
            None::<Offset<[_]>>,
            None::<Offset<wire::Ragdoll>>,
        );
        seal(0, builder.finish(root, None))
    }

    /// A file of 20 joints without names of bones, and these bones.
    fn file_with_bones(bones: &[(wire::HumanBone, u16)]) -> Vec<u8> {
        let builder = &mut Builder::new();
        let source = wire::Source::create(builder, "a.glb", [0; 32], "another writer");
        let joint = |builder: &mut Builder, index: u16| {
            wire::Joint::create(builder, format!("{index}"), 0, None::<u16>, true, Some(REST), None::<wire::Affine>)
        };
        let joints: Vec<_> = (0..20).map(|index| joint(builder, index)).collect();
        let bones: Vec<_> = bones.iter().map(|&(bone, joint)| wire::BoneJoint { bone, joint }).collect();
        let humanoid = wire::Humanoid::create(builder, wire::HumanoidSource::Vrm, bones);
        let none = (None::<Offset<[_]>>, None::<Offset<[_]>>, None::<Offset<wire::Coverage>>, None::<Offset<[_]>>);
        let root = wire::Character::create(
            builder,
            "a",
            source,
            none.0,
            joints,
            Boxes::new(),
            none.1,
            none.2,
            none.3,
            humanoid,
            None::<Offset<[_]>>,
            None::<Offset<wire::Skin>>,
            0,
            None::<Offset<[_]>>,
            None::<Offset<[_]>>,
            None::<Offset<wire::Ragdoll>>,
        );
        seal(0, builder.finish(root, None))
    }

    #[test]
    fn bones_are_sorted_and_each_has_a_joint_of_its_own() {
        let required =
            || wire::HumanBone::ENUM_VALUES.into_iter().zip(HumanBone::ALL).filter(|(_, one)| one.is_required());
        let good: Vec<_> = required().map(|(bone, _)| bone).zip(2..).collect();
        let character = read(&file_with_bones(&good)).unwrap();
        let humanoid = character.humanoid.as_ref().unwrap();
        assert_eq!((humanoid.source(), humanoid.joint(HumanBone::Hips)), (HumanoidSource::Vrm, Some(JointIndex(2))));
        assert_eq!(read(&crate::write(&character).unwrap()), Ok(character));

        let changed = |change: fn(&mut Vec<(wire::HumanBone, u16)>)| {
            let mut bones = good.clone();
            change(&mut bones);
            file_with_bones(&bones)
        };
        let order = "humanoid.bones: hips stands after spine; bones are sorted, none twice";
        assert_eq!(problem(&changed(|bones| bones.swap(0, 1))), order);
        let twice = "humanoid.bones: hips stands after hips; bones are sorted, none twice";
        assert_eq!(problem(&changed(|bones| bones.insert(0, bones[0]))), twice);
        type Change = fn(&mut Vec<(wire::HumanBone, u16)>);
        let changes: [(Change, &str); 4] = [
            (|bones| bones.truncate(3), "no joint was found for the bone leftUpperLeg"),
            (|bones| bones[1].1 = 2, "the joint \"2\" is given to the bones hips and spine"),
            (|bones| bones[1].1 = 20, "the bone spine names the joint \"number 20\""),
            (Vec::clear, "no joint was found for the bone hips"),
        ];
        for (change, message) in changes {
            let error = read(&changed(change)).unwrap_err();
            assert!(matches!(error, ReadError::Invalid(_)) && error.to_string().contains(message), "{error}");
        }
    }

    fn no_boxes(_: &mut Builder) -> Boxes {
        Vec::new()
    }

    fn problem(file: &[u8]) -> String {
        match read(file) {
            Err(ReadError::Malformed { place, problem }) => format!("{place}: {problem}"),
            other => format!("not malformed: {other:?}"),
        }
    }

    #[test]
    fn reads_what_another_writer_made() {
        let character = read(&file(&[7; 32], Some(REST), None, no_boxes)).unwrap();
        assert_eq!(character.source.blake3, [7; 32]);
        assert_eq!(character.skeleton.joints()[0].name, "root");
        assert_eq!(read(&crate::write(&character).unwrap()), Ok(character));
    }

    #[test]
    fn a_hash_of_another_length_is_malformed() {
        for length in [0, 31, 33] {
            let problem = problem(&file(&vec![0; length], Some(REST), None, no_boxes));
            assert_eq!(problem, format!("source.blake3: {length} bytes instead of 32"));
        }
    }

    #[test]
    fn a_joint_has_one_rest_transform() {
        let both = problem(&file(&[0; 32], Some(REST), Some(MATRIX), no_boxes));
        assert_eq!(both, "joint \"root\": both trs and matrix");
        let neither = problem(&file(&[0; 32], None, None, no_boxes));
        assert_eq!(neither, "joint \"root\": neither trs nor matrix");
        assert!(read(&file(&[0; 32], None, Some(MATRIX), no_boxes)).is_ok());
    }

    /// Writes a box of the first joint that has these tags.
    fn box_with_tags(builder: &mut Builder, tags: Option<Offset<[Offset<str>]>>) -> Offset<wire::Box> {
        wire::Box::create(
            builder,
            0,
            wire::Shape::Box,
            tags,
            ORIGIN,
            ORIGIN,
            UPRIGHT,
            0,
            0,
            0.0,
            None::<f32>,
            None::<Offset<wire::Hull>>,
            wire::Role::Hurt,
        )
    }

    /// The file has one string of 60 KB and 65,536 * 256 tags that refer to it: a terabyte if the reader copied the
    /// string for each tag.
    #[test]
    #[cfg_attr(miri, ignore = "minutes for 65,536 boxes, read by the same code as one")]
    fn shared_strings_are_refused_before_they_unfold() {
        let bomb = file(&[0; 32], Some(REST), None, |builder| {
            let tag = builder.create_string("x".repeat(60_000));
            let tags = builder.create_vector(vec![tag; MAX_TAGS]);
            let baked = box_with_tags(builder, Some(tags));
            vec![baked; MAX_BOXES]
        });
        assert!(problem(&bomb).contains("share their bytes"), "{}", problem(&bomb));
    }

    #[test]
    #[cfg_attr(miri, ignore = "minutes for 65,537 boxes, read by the same code as one")]
    fn more_than_the_limit_is_told_apart() {
        let many = file(&[0; 32], Some(REST), None, |builder| {
            let baked = box_with_tags(builder, None);
            vec![baked; MAX_BOXES + 1]
        });
        let error = read(&many).unwrap_err();
        assert_eq!(error.kind(), ReadErrorKind::Limit);
        assert_eq!(
            error.to_string(),
            "a list: 65537 boxes, but a .bonebox file holds at most 65536; split the character or leave the excess out"
        );
    }

    #[test]
    fn versions_are_told_apart() {
        let mut file = file(&[0; 32], Some(REST), None, no_boxes);
        let version = |file: &mut [u8], version: u16, minor: u16| {
            file[8..10].copy_from_slice(&version.to_le_bytes());
            file[10..12].copy_from_slice(&minor.to_le_bytes());
            let checksum = crc32fast::hash(&file[..28]);
            file[28..32].copy_from_slice(&checksum.to_le_bytes());
            read(file)
        };
        assert!(version(&mut file, FORMAT_VERSION, FORMAT_MINOR_VERSION + 7).is_ok());
        let newer = version(&mut file, FORMAT_VERSION + 1, 0).unwrap_err();
        assert_eq!(newer.kind(), ReadErrorKind::UnsupportedVersion);
        assert!(newer.to_string().contains("update the program"), "{newer}");
        let older = version(&mut file, 0, 9).unwrap_err();
        assert_eq!(older.kind(), ReadErrorKind::UnsupportedVersion);
        assert!(older.to_string().contains("bake the character again"), "{older}");
    }

    #[test]
    fn the_gap_in_the_header_is_zero_in_this_version() {
        let mut file = file(&[0; 32], Some(REST), None, no_boxes);
        file[13] = 1;
        let checksum = crc32fast::hash(&file[..28]);
        file[28..32].copy_from_slice(&checksum.to_le_bytes());
        assert_eq!(problem(&file), "header bytes 12 to 15: not zero");
        file[10] = FORMAT_MINOR_VERSION as u8 + 1;
        let checksum = crc32fast::hash(&file[..28]);
        file[28..32].copy_from_slice(&checksum.to_le_bytes());
        assert!(read(&file).is_ok());
    }
}
