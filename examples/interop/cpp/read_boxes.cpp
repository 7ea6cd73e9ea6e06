// Reads .bonebox files and prints their boxes, one JSON object a line, the humanoid, the skin, the clips and the attacks.
// See ../README.md.

#include "bonebox_generated.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::uint16_t kFormatVersion = 1;
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 29;
constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'B', 'B', 'X', '\r', '\n', 0x1a, '\n'};

// Computes the CRC-32 of zlib and PNG.
std::uint32_t Crc32(const std::uint8_t* bytes, std::size_t size) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t byte = 0; byte < entries.size(); ++byte) {
      std::uint32_t value = byte;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xEDB88320u : 0u);
      entries[byte] = value;
    }
    return entries;
  }();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (std::size_t i = 0; i < size; ++i) crc = (crc >> 8) ^ table[(crc ^ bytes[i]) & 0xFF];
  return crc ^ 0xFFFFFFFFu;
}

// Reads little-endian numbers on any machine.
template <typename T>
T Unsigned(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return static_cast<T>(value);
}

void Require(bool is_right, const std::string& problem) {
  if (!is_right) throw std::runtime_error(problem);
}

// Returns the character in a file. The result points into `file`.
const bonebox::Character& Read(const std::vector<std::uint8_t>& file) {
  Require(file.size() >= kHeaderBytes, "cut off: shorter than a header");
  const std::uint8_t* header = file.data();
  Require(std::memcmp(header, kMagic.data(), kMagic.size()) == 0, "not a .bonebox file");
  Require(Unsigned<std::uint32_t>(header + 28) == Crc32(header, 28), "damaged: the header's checksum is wrong");
  const auto version = Unsigned<std::uint16_t>(header + 8);
  Require(version == kFormatVersion, "unsupported version " + std::to_string(version) + "; this program reads version 1");
  const auto payload_bytes = Unsigned<std::uint64_t>(header + 16);
  Require(payload_bytes <= kMaxFileBytes - kHeaderBytes, "limit: longer than a .bonebox file may be");
  Require(file.size() == kHeaderBytes + payload_bytes, "cut off, or too long: the header names another length");

  const std::uint8_t* payload = header + kHeaderBytes;
  Require(Unsigned<std::uint32_t>(header + 24) == Crc32(payload, payload_bytes), "damaged: the payload's checksum is wrong");
  // The verifier's own default of a million tables is below the format's limits.
  flatbuffers::Verifier verifier(payload, payload_bytes, /*max_depth=*/16, /*max_tables=*/1u << 27);
  Require(bonebox::VerifyCharacterBuffer(verifier), "malformed: the FlatBuffer is not one");
  return *bonebox::GetCharacter(payload);
}

std::string Quoted(const flatbuffers::String& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(letter));
      out += escape;
    } else {
      out += letter;
    }
  }
  return out + '"';
}

// Writes the fewest digits that read back to the same float; nine digits are always enough.
std::string Number(float number) {
  char text[32];
  for (int digits = 6; digits <= 9; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
    if (std::strtof(text, nullptr) == number) break;
  }
  return text;
}

std::string Vector(const bonebox::Vec3& v) {
  return "[" + Number(v.x()) + ", " + Number(v.y()) + ", " + Number(v.z()) + "]";
}

// Returns the movers of a box as a member of its line.
std::string MovedBy(const bonebox::Envelope& envelope, const bonebox::Character& character) {
  std::string line = ", \"moved_by\": [";
  if (envelope.movers()) {
    const char* comma = "";
    for (const bonebox::Mover* mover : *envelope.movers()) {
      Require(mover->joint() < character.joints()->size(), "invalid: a mover without a joint");
      line += comma + Quoted(*character.joints()->Get(mover->joint())->name());
      comma = ", ";
    }
  }
  std::size_t motions = 0;
  if (envelope.clusters()) {
    for (const bonebox::Cluster* cluster : *envelope.clusters()) motions += cluster->motions();
  }
  const std::size_t stored = envelope.motions() ? envelope.motions()->size() : 0;
  Require(motions == stored, "invalid: clusters with other motions than there are");
  line += "], \"clusters\": " + std::to_string(envelope.clusters() ? envelope.clusters()->size() : 0);
  return line + ", \"motions\": " + std::to_string(motions);
}

// Returns the name of an enumeration's value, as in VRM and in the JSON beside a bake.
std::string Name(std::string name) {
  Require(!name.empty(), "unsupported: a newer program knows this bone, source of the humanoid, shape, attack or state");
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

// Returns the hull of a box of that shape, whose triangles name vertices that exist.
const bonebox::Hull& CheckedHull(const bonebox::Box& box) {
  Require(box.hull() && box.hull()->vertices()->size() <= 64, "invalid: a hull without vertices, or with too many");
  const bonebox::Hull& hull = *box.hull();
  Require(hull.triangles()->size() % 3 == 0, "invalid: a hull with a part of a triangle");
  for (std::uint8_t index : *hull.triangles()) {
    Require(index < hull.vertices()->size(), "invalid: a triangle without a vertex");
  }
  return hull;
}

float HullVolume(const bonebox::Hull& hull) {
  struct Point {
    double x, y, z;
    Point operator-(const Point& other) const { return {x - other.x, y - other.y, z - other.z}; }
  };
  const auto point = [&](flatbuffers::uoffset_t index) {
    const bonebox::Vec3& vertex = *hull.vertices()->Get(index);
    return Point{vertex.x(), vertex.y(), vertex.z()};
  };
  double total = 0;
  for (flatbuffers::uoffset_t i = 0; i < hull.triangles()->size(); i += 3) {
    const auto corner = [&](flatbuffers::uoffset_t k) { return point(hull.triangles()->Get(i + k)) - point(0); };
    const Point a = corner(0), u = corner(1) - a, v = corner(2) - a;
    const Point normal{u.y * v.z - v.y * u.z, u.z * v.x - v.z * u.x, u.x * v.y - v.x * u.y};
    total += normal.x * a.x + normal.y * a.y + normal.z * a.z;
  }
  return static_cast<float>(std::max(total / 6.0, 0.0));
}

std::string HullLists(const bonebox::Hull& hull) {
  std::string line = ", \"hull\": { \"vertices\": [";
  for (flatbuffers::uoffset_t i = 0; i < hull.vertices()->size(); ++i) {
    line += (i ? ", " : "") + Vector(*hull.vertices()->Get(i));
  }
  line += "], \"triangles\": [";
  for (flatbuffers::uoffset_t i = 0; i < hull.triangles()->size(); i += 3) {
    const auto index = [&](flatbuffers::uoffset_t k) { return std::to_string(hull.triangles()->Get(i + k)); };
    line += (i ? ", [" : "[") + index(0) + ", " + index(1) + ", " + index(2) + "]";
  }
  return line + "] }";
}

std::string Line(const bonebox::Box& box, const bonebox::Envelope* envelope, const bonebox::Character& character) {
  Require(box.shape() <= bonebox::Shape_MAX, "unsupported shape; a newer program knows it");
  Require(character.joints() && box.joint() < character.joints()->size(), "invalid: a box without a joint");
  const bonebox::Vec3& half = *box.half_extents();
  const bonebox::Quat& q = *box.orientation();
  const double radius = half.x(), length = half.y(), pi = 3.14159265358979323846;
  float volume = static_cast<float>(pi * radius * radius * (4.0 / 3.0 * radius + 2.0 * (length - radius)));
  if (box.shape() == bonebox::Shape_Box) volume = 8.0f * half.x() * half.y() * half.z();
  if (box.shape() == bonebox::Shape_Hull) volume = HullVolume(CheckedHull(box));

  std::string line = "{ \"joint\": " + Quoted(*character.joints()->Get(box.joint())->name());
  line += ", \"joint_index\": " + std::to_string(box.joint());
  line += ", \"shape\": \"" + Name(bonebox::EnumNameShape(box.shape())) + "\", \"tags\": [";
  if (box.tags()) {
    for (flatbuffers::uoffset_t i = 0; i < box.tags()->size(); ++i) {
      line += (i ? ", " : "") + Quoted(*box.tags()->Get(i));
    }
  }
  line += "], \"center\": " + Vector(*box.center()) + ", \"half_extents\": " + Vector(half);
  line += ", \"orientation\": [" + Number(q.x()) + ", " + Number(q.y()) + ", " + Number(q.z()) + ", " + Number(q.w()) + "]";
  line += ", \"vertices\": " + std::to_string(box.vertices());
  line += ", \"hull_vertices\": " + std::to_string(box.hull_vertices());
  line += ", \"hull_volume\": " + Number(box.hull_volume()) + ", \"volume\": " + Number(volume);
  if (box.min_volume().has_value() && std::isfinite(volume / *box.min_volume())) {
    line += ", \"min_volume_ratio\": " + Number(volume / *box.min_volume());
  }
  if (box.shape() == bonebox::Shape_Hull) line += HullLists(CheckedHull(box));
  if (envelope) line += MovedBy(*envelope, character);
  if (box.role() != bonebox::Role_Hurt) line += ", \"role\": \"" + Name(bonebox::EnumNameRole(box.role())) + "\"";
  return line + " }";
}

std::string HumanoidLine(const bonebox::Humanoid& humanoid, const bonebox::Character& character) {
  std::string line = "{ \"humanoid\": { \"source\": \"" + Name(bonebox::EnumNameHumanoidSource(humanoid.source()));
  line += "\", \"bones\": {";
  const char* comma = " ";
  for (const bonebox::BoneJoint* pair : *humanoid.bones()) {
    Require(character.joints() && pair->joint() < character.joints()->size(), "invalid: a bone without a joint");
    line += comma + ("\"" + Name(bonebox::EnumNameHumanBone(pair->bone())) + "\": ");
    line += Quoted(*character.joints()->Get(pair->joint())->name());
    comma = ", ";
  }
  return line + " } } }";
}

// Writes a list as JSON.
template <typename List, typename ToText>
std::string Listed(const List* list, ToText to_text) {
  std::string line = "[";
  for (flatbuffers::uoffset_t i = 0; list && i < list->size(); ++i) line += (i ? ", " : "") + to_text(list->Get(i));
  return line + "]";
}

std::string ClipName(std::uint32_t clip, const bonebox::Character& character) {
  Require(character.clips() && clip < character.clips()->size(), "invalid: an attack or a state without a clip");
  return Quoted(*character.clips()->Get(clip)->name());
}

// Returns the boxes and the windows of an attack or a state as members of its line.
template <typename Item>
std::string Active(const Item& item, const bonebox::Character& character) {
  Require(item.boxes()->size() > 0, "invalid: an attack or a state without a box");
  const std::string boxes = Listed(item.boxes(), [&](std::uint16_t box) {
    Require(character.boxes() && box < character.boxes()->size(), "invalid: an attack or a state without a box");
    return std::to_string(box);
  });
  return ", \"boxes\": " + boxes + ", \"active\": " + Listed(item.active(), [](const bonebox::Window* window) {
           return "[" + Number(window->start()) + ", " + Number(window->end()) + "]";
         });
}

// The data of an attack stays text: the game that wrote it knows what it means.
std::string AttackLine(const bonebox::Attack& attack, const bonebox::Character& character) {
  std::string line = "{ \"attack\": { \"clip\": " + ClipName(attack.clip(), character);
  line += ", \"name\": " + Quoted(*attack.name());
  line += ", \"kind\": \"" + Name(bonebox::EnumNameAttackKind(attack.kind())) + "\"" + Active(attack, character);
  line += ", \"group\": " + Quoted(*attack.group()) + ", \"rank\": " + std::to_string(attack.rank());
  if (attack.rehit().has_value()) line += ", \"rehit\": " + Number(*attack.rehit());
  line += ", \"against\": " + Listed(attack.against(), [](const flatbuffers::String* tag) { return Quoted(*tag); });
  line += ", \"strength\": " + Number(attack.strength());
  if (attack.data()) line += ", \"data\": " + Quoted(*attack.data());
  return line + " } }";
}

std::string StateLine(const bonebox::ClipState& state, const bonebox::Character& character) {
  return "{ \"state\": { \"clip\": " + ClipName(state.clip(), character) + ", \"kind\": \"" +
         Name(bonebox::EnumNameStateKind(state.kind())) + "\"" + Active(state, character) + " } }";
}

// The next bytes of a stream of the skin or of a clip.
class Stream {
 public:
  explicit Stream(const flatbuffers::Vector<std::uint8_t>& bytes) : Stream(&bytes) {}

  // A missing list is an empty one.
  explicit Stream(const flatbuffers::Vector<std::uint8_t>* bytes)
      : at_(bytes ? bytes->data() : nullptr), end_(bytes ? bytes->data() + bytes->size() : nullptr) {}

  template <typename T>
  T Take() {
    Require(static_cast<std::size_t>(end_ - at_) >= sizeof(T), "invalid: a stream is cut off");
    at_ += sizeof(T);
    return Unsigned<T>(at_ - sizeof(T));
  }

  float Float() {
    const auto bits = Take<std::uint32_t>();
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

  // LEB128 of at most 64 bits.
  std::uint64_t Number() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = Take<std::uint8_t>();
      const std::uint64_t bits = byte & 0x7F;
      if (bits << shift >> shift != bits) break;
      number |= bits << shift;
      if (byte < 0x80) return number;
    }
    throw std::runtime_error("invalid: a number has more than 64 bits");
  }

  // Unsigned arithmetic wraps where signed arithmetic is undefined.
  std::uint64_t Difference() {
    const std::uint64_t number = Number();
    return (number >> 1) ^ (std::uint64_t{0} - (number & 1));
  }

  std::vector<std::uint32_t> Ascending(std::size_t count, std::uint64_t end) {
    std::vector<std::uint32_t> values;
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t skipped = Number();
      Require(next < end && skipped < end - next, "invalid: an index of the skin is too large");
      values.push_back(static_cast<std::uint32_t>(next + skipped));
      next += skipped + 1;
    }
    return values;
  }

  void End() const { Require(at_ == end_, "invalid: a stream has more bytes than entries"); }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

bool IsCompact(const bonebox::Skin& skin) { return skin.encoding() == bonebox::SkinEncoding_Compact; }

// The sums and bounds of a piece that the program prints.
struct PieceFigures {
  std::size_t influences = 0, chunks = 0, cut_triangles = 0;
  std::array<float, 3> low{}, high{};
  std::size_t normals = 0, texture_coordinates = 0;
  std::array<float, 3> normal_low{}, normal_high{};
  std::array<float, 2> texture_low{}, texture_high{};
};

// A triangle of a piece: its source triangle, and the corners of that one. `is_cut` says that the piece has parts of it.
struct SourceTriangle {
  std::uint64_t source;
  std::array<std::uint64_t, 3> corners;
  bool is_cut;
};

template <std::size_t N>
void Enlarge(std::array<float, N>& low, std::array<float, N>& high, const std::array<float, N>& at, bool is_first) {
  for (std::size_t axis = 0; axis < N; ++axis) {
    low[axis] = is_first ? at[axis] : std::fmin(low[axis], at[axis]);
    high[axis] = is_first ? at[axis] : std::fmax(high[axis], at[axis]);
  }
}

// An arithmetic shift to the right: a difference without its lowest bits.
std::uint64_t ShiftRight(std::uint64_t difference, int bits) {
  const std::uint64_t sign = difference >> 63 ? ~std::uint64_t{0} << (64 - bits) : 0;
  return (difference >> bits) | sign;
}

// The next half bytes of a stream, of each byte the lower half first.
class HalfBytes {
 public:
  explicit HalfBytes(Stream& stream) : stream_(stream) {}

  unsigned Half() {
    is_half_ = !is_half_;
    if (!is_half_) return upper_;
    const unsigned byte = stream_.Take<std::uint8_t>();
    upper_ = byte >> 4;
    return byte & 15;
  }

  // A number of at most 64 bits, 3 in a half byte.
  std::uint64_t Number() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 3) {
      const unsigned half = Half();
      const std::uint64_t bits = half & 7;
      if (bits << shift >> shift != bits) break;
      number |= bits << shift;
      if (half < 8) return number;
    }
    throw std::runtime_error("invalid: a number has more than 64 bits");
  }

  std::uint64_t Difference() {
    const std::uint64_t number = Number();
    return (number >> 1) ^ (std::uint64_t{0} - (number & 1));
  }

  void End() const { Require(!is_half_ || upper_ == 0, "invalid: half bytes end with a half byte that is not 0"); }

 private:
  Stream& stream_;
  unsigned upper_ = 0;
  bool is_half_ = false;
};

// The counts of a piece.
struct PieceCounts {
  std::uint64_t vertices, cuts, triangles, attributes;
};

// Reads the vertices and cuts of pieces. Later pieces name vertices and cuts of earlier ones.
class PieceReader {
 public:
  explicit PieceReader(const bonebox::Skin& skin)
      : skin_(skin), stream_(skin.piece_data()), bindings_(skin.bindings() ? skin.bindings()->size() : 0) {}

  Stream& Bytes() { return stream_; }

  // Returns the numbers of the piece's vertices.
  std::vector<std::uint64_t> ReadVertices(std::uint64_t count, PieceFigures& figures) {
    const std::uint64_t earlier = vertices_.size();
    std::vector<std::uint64_t> numbers;
    std::set<std::uint64_t> named;
    std::uint64_t influences = 0;
    while (numbers.size() < count) {
      const std::uint64_t kind = stream_.Number();
      Require(kind / 2 < count - numbers.size(), "invalid: a run of vertices is too long");
      const bool is_new = kind % 2 == 0;
      if (is_new) ReadBindings();
      for (std::uint64_t vertex = 0; vertex <= kind / 2; ++vertex) {
        if (is_new) {
          numbers.push_back(vertices_.size());
          vertices_.push_back(ReadVertex());
        } else {
          const std::uint64_t number = after_vertex_ + stream_.Difference();
          Require(number < earlier, "invalid: there is no earlier vertex with this number");
          Require(vertices_[number].influences <= 4, "invalid: a named vertex has too many influences");
          Require(named.insert(number).second, "invalid: a piece names a vertex twice");
          after_vertex_ = number + 1;
          numbers.push_back(number);
        }
        const Vertex& read = vertices_[numbers.back()];
        Require(read.influences >= influences, "invalid: vertices are not sorted by their number of influences");
        influences = read.influences;
        figures.influences += read.influences;
        Enlarge(figures.low, figures.high, read.position, numbers.size() == 1);
      }
    }
    return numbers;
  }

  // Returns the corners of each cut, as vertices of the piece.
  std::vector<std::vector<std::uint64_t>> ReadCuts(std::uint64_t count, const std::vector<std::uint64_t>& numbers) {
    const auto weight = [&] { IsCompact(skin_) ? void(stream_.Take<std::uint16_t>()) : void(stream_.Float()); };
    std::map<std::uint64_t, std::uint64_t> places;
    for (std::uint64_t place = 0; place < numbers.size(); ++place) places[numbers[place]] = place;
    std::vector<std::vector<std::uint64_t>> cuts;
    std::uint64_t first = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t difference = stream_.Difference(), kind = difference & 3;
      Require(kind < 3, "invalid: a cut of an unknown kind");
      std::vector<std::uint64_t> corners;
      if (kind == 2) {
        const std::uint64_t number = after_cut_ + ShiftRight(difference, 2);
        Require(number < cuts_.size(), "invalid: there is no earlier cut with this number");
        after_cut_ = number + 1;
        for (const std::uint64_t corner : cuts_[number]) {
          const auto place = places.find(corner);
          Require(place != places.end(), "invalid: a cut has no such corner");
          corners.push_back(place->second);
        }
      } else {
        first += ShiftRight(difference, 2);
        corners = {first, first + stream_.Difference()};
        weight();
        if (kind == 1) {
          corners.push_back(corners[1] + stream_.Difference());
          weight();
        }
        std::vector<std::uint64_t> corner_numbers;
        for (const std::uint64_t corner : corners) {
          Require(corner < numbers.size(), "invalid: a cut has no such corner");
          corner_numbers.push_back(numbers[corner]);
        }
        cuts_.push_back(std::move(corner_numbers));
      }
      cuts.push_back(std::move(corners));
    }
    return cuts;
  }

 private:
  struct Vertex {
    std::array<float, 3> position;
    std::uint64_t influences;
  };

  void ReadBindings() {
    const std::uint64_t count = stream_.Number();
    Require(count <= bindings_, "invalid: a vertex has too many influences");
    if (count > 0) {
      influences_ = count;
      stream_.Ascending(static_cast<std::size_t>(count), bindings_);
    }
    Require(influences_ > 0, "invalid: the first vertices have no bindings");
  }

  Vertex ReadVertex() {
    Vertex vertex{{}, influences_};
    for (int axis = 0; axis < 3; ++axis) {
      if (IsCompact(skin_)) {
        steps_[axis] += stream_.Difference();
        const auto whole = static_cast<double>(static_cast<std::int64_t>(steps_[axis]));
        vertex.position[axis] = static_cast<float>(std::ldexp(whole, skin_.step_exponent()));
      } else {
        vertex.position[axis] = stream_.Float();
      }
    }
    double sum = 0;
    bool is_above_zero = true;
    const auto add = [&](double weight) {
      sum += weight;
      is_above_zero = is_above_zero && weight > 0;
    };
    if (IsCompact(skin_)) {
      for (std::uint64_t i = 1; i < influences_; ++i) add(stream_.Take<std::uint16_t>() / 65536.0);
      add(1.0 - sum);
    } else if (influences_ == 1) {
      add(1.0);
    } else {
      for (std::uint64_t i = 0; i < influences_; ++i) add(stream_.Float());
    }
    Require(is_above_zero && std::abs(sum - 1.0) <= 1e-5, "invalid: weights of the skin are not shares of 1");
    return vertex;
  }

  const bonebox::Skin& skin_;
  Stream stream_;
  std::size_t bindings_;
  // All vertices that were stored, and the vertices of all cuts that were stored, by number.
  std::vector<Vertex> vertices_;
  std::vector<std::vector<std::uint64_t>> cuts_;
  std::array<std::uint64_t, 3> steps_{};
  std::uint64_t influences_ = 0, after_vertex_ = 0, after_cut_ = 0;
};

// The corners of a chunk in the order of their first use, and the vertex and the cut after those that were last new.
struct ChunkCorners {
  std::vector<std::uint64_t> known;
  std::array<std::uint64_t, 2> next;
  std::uint64_t vertices, end;

  std::uint64_t Read(HalfBytes& halves) {
    const unsigned code = halves.Half();
    if (code == 0) {
      const std::uint64_t difference = halves.Difference();
      const std::uint64_t corner = next[difference & 1] + ShiftRight(difference, 1);
      Require(corner < end, "invalid: a triangle has no such corner");
      next[corner >= vertices] = corner + 1;
      known.push_back(corner);
      return corner;
    }
    const std::uint64_t farther = code == 15 ? halves.Number() : 0;
    Require(farther < 3 * 64 && code + farther <= known.size(), "invalid: a triangle has no such corner");
    return known[known.size() - code - farther];
  }
};

// Returns the triangles in the order of the file.
std::vector<SourceTriangle> ReadTriangles(Stream& stream, const PieceCounts& counts,
                                          const std::vector<std::vector<std::uint64_t>>& cuts, PieceFigures& figures) {
  HalfBytes halves(stream);
  const std::uint64_t vertices = counts.vertices;
  // For each source triangle, the vertices between which its parts lie, and whether the triangle was cut.
  std::map<std::uint64_t, std::pair<std::set<std::uint64_t>, bool>> sources;
  std::vector<SourceTriangle> all;
  std::uint64_t first = 0;
  ChunkCorners corners{{}, {0, vertices}, vertices, vertices + cuts.size()};
  for (std::uint64_t read = 0; read < counts.triangles;) {
    const std::uint64_t less_one = halves.Number();
    Require(less_one < 64 && less_one < counts.triangles - read, "invalid: a chunk of a wrong size");
    const auto count = static_cast<std::size_t>(less_one + 1);
    corners.known.clear();
    std::vector<std::array<std::uint64_t, 3>> triangles(count);
    for (auto& triangle : triangles) {
      for (std::uint64_t& corner : triangle) corner = corners.Read(halves);
    }
    std::uint64_t source = 0;
    for (std::size_t i = 0; i < count; ++i) {
      source = i ? source + halves.Number() : (first += halves.Difference());
      auto& [between, is_cut] = sources[source];
      for (const std::uint64_t corner : triangles[i]) {
        if (corner < vertices) {
          between.insert(corner);
        } else {
          is_cut = true;
          between.insert(cuts[corner - vertices].begin(), cuts[corner - vertices].end());
        }
      }
      all.push_back({source, triangles[i], false});
    }
    read += count;
    ++figures.chunks;
  }
  std::map<std::uint64_t, std::array<std::uint64_t, 3>> cut_triangles;
  for (const auto& [source, parts] : sources) {
    if (!parts.second) continue;
    const std::uint64_t order = halves.Number();
    std::size_t corner = 0;
    for (const std::uint64_t digit : {order % 3, order / 3 % 3, order / 9}) {
      Require(parts.first.size() <= 3 && digit < parts.first.size(),
              "invalid: a cut triangle with other corners than its parts have");
      cut_triangles[source][corner++] = *std::next(parts.first.begin(), static_cast<std::ptrdiff_t>(digit));
    }
    ++figures.cut_triangles;
  }
  halves.End();
  for (SourceTriangle& triangle : all) {
    const auto cut = cut_triangles.find(triangle.source);
    triangle.is_cut = cut != cut_triangles.end();
    if (triangle.is_cut) triangle.corners = cut->second;
  }
  return all;
}

std::array<float, 3> ReadNormal(Stream& stream, bool is_compact) {
  if (!is_compact) {
    const float x = stream.Float(), y = stream.Float();
    return {x, y, stream.Float()};
  }
  const int low = stream.Take<std::uint8_t>(), middle = stream.Take<std::uint8_t>();
  const int high = stream.Take<std::uint8_t>();
  const int u = (low | (middle & 15) << 8) - 2047, v = (middle >> 4 | high << 4) - 2047;
  Require(u <= 2047 && v <= 2047, "invalid: a number of a normal is too large");
  const int z = 2047 - std::abs(u) - std::abs(v);
  const double x = z >= 0 ? u : u < 0 ? std::abs(v) - 2047 : 2047 - std::abs(v);
  const double y = z >= 0 ? v : v < 0 ? std::abs(u) - 2047 : 2047 - std::abs(u);
  const double length = std::sqrt(x * x + y * y + static_cast<double>(z) * z);
  return {static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length)};
}

void ReadAttributes(Stream& stream, const PieceCounts& piece, const bonebox::Skin& skin,
                    const std::vector<SourceTriangle>& triangles, PieceFigures& figures) {
  std::map<std::uint64_t, std::uint64_t> counts;
  std::uint64_t vertex = 0;
  std::array<std::uint64_t, 2> steps{};
  for (std::uint64_t i = 0; i < piece.attributes; ++i) {
    const std::uint64_t number = stream.Number();
    Require(number >> 2 < piece.vertices - vertex, "invalid: an attribute without a vertex");
    vertex += number >> 2;
    ++counts[vertex];
    if (number & 1) {
      const std::array<float, 3> normal = ReadNormal(stream, IsCompact(skin));
      Enlarge(figures.normal_low, figures.normal_high, normal, figures.normals++ == 0);
    }
    if (number & 2) {
      std::array<float, 2> coordinate;
      for (int axis = 0; axis < 2; ++axis) {
        if (IsCompact(skin)) {
          steps[axis] += stream.Difference();
          coordinate[axis] = static_cast<float>(static_cast<double>(static_cast<std::int64_t>(steps[axis])) / 16384.0);
        } else {
          coordinate[axis] = stream.Float();
        }
      }
      Enlarge(figures.texture_low, figures.texture_high, coordinate, figures.texture_coordinates++ == 0);
    }
  }
  std::set<std::uint64_t> known;
  for (const SourceTriangle& triangle : triangles) {
    if (counts.empty() || (triangle.is_cut && !known.insert(triangle.source).second)) continue;
    for (const std::uint64_t corner : triangle.corners) {
      const auto found = counts.find(corner);
      const std::uint64_t count = found == counts.end() ? 0 : found->second;
      Require(count == 1 || (count > 1 && stream.Number() < count), "invalid: a corner without an attribute");
    }
  }
}

// Prints the skin, then its pieces. Reads all streams, and prints their sums and bounds.
void PrintSkin(const bonebox::Skin& skin, const bonebox::Character& character) {
  const bool is_known = IsCompact(skin) || skin.encoding() == bonebox::SkinEncoding_Lossless;
  Require(is_known, "unsupported encoding of the skin; a newer program knows it");
  std::string pieces;
  std::uint64_t vertices = 0, cuts = 0, triangles = 0, cut_triangles = 0;
  std::uint64_t attributes = 0, normals = 0, texture_coordinates = 0;
  const auto field = [](const char* name, std::uint64_t number) {
    return ", \"" + std::string(name) + "\": " + std::to_string(number);
  };
  const auto point = [](const std::array<float, 3>& p) {
    return "[" + Number(p[0]) + ", " + Number(p[1]) + ", " + Number(p[2]) + "]";
  };
  const std::size_t matrices = skin.matrices() ? skin.matrices()->size() : 0;
  if (skin.bindings()) {
    for (const bonebox::SkinBinding* binding : *skin.bindings()) {
      Require(binding->matrix() < matrices, "invalid: a binding of the skin without a matrix");
    }
  }
  PieceReader reader(skin);
  Stream& stream = reader.Bytes();
  std::uint64_t next_joint = 0;
  for (std::uint32_t index = 0; index < skin.pieces(); ++index) {
    const std::uint64_t skipped = stream.Number(), joints = character.joints() ? character.joints()->size() : 0;
    Require(next_joint < joints && skipped < joints - next_joint, "invalid: a piece of the skin without a joint");
    const auto joint = static_cast<flatbuffers::uoffset_t>(next_joint + skipped);
    next_joint = joint + std::uint64_t{1};
    PieceCounts piece{};
    for (std::uint64_t* count : {&piece.vertices, &piece.cuts, &piece.triangles, &piece.attributes}) {
      *count = stream.Number();
    }
    Require(piece.triangles > 0, "invalid: a piece of the skin without triangles");
    PieceFigures figures;
    const std::vector<std::uint64_t> numbers = reader.ReadVertices(piece.vertices, figures);
    const auto corners = reader.ReadCuts(piece.cuts, numbers);
    ReadAttributes(stream, piece, skin, ReadTriangles(stream, piece, corners, figures), figures);
    attributes += piece.attributes;
    normals += figures.normals;
    texture_coordinates += figures.texture_coordinates;
    vertices += piece.vertices;
    cuts += piece.cuts;
    triangles += piece.triangles;
    cut_triangles += figures.cut_triangles;
    pieces += "{ \"joint\": " + Quoted(*character.joints()->Get(joint)->name());
    pieces += field("joint_index", joint) + field("vertices", piece.vertices);
    pieces += field("influences", figures.influences) + field("cuts", piece.cuts);
    pieces += field("triangles", piece.triangles) + field("chunks", figures.chunks);
    pieces += field("cut_triangles", figures.cut_triangles);
    pieces += ", \"low\": " + point(figures.low) + ", \"high\": " + point(figures.high);
    if (piece.attributes) pieces += field("attributes", piece.attributes);
    if (figures.normals) {
      pieces += ", \"normal_low\": " + point(figures.normal_low);
      pieces += ", \"normal_high\": " + point(figures.normal_high);
    }
    if (figures.texture_coordinates) {
      const auto &low = figures.texture_low, &high = figures.texture_high;
      pieces += ", \"texture_low\": [" + Number(low[0]) + ", " + Number(low[1]) + "]";
      pieces += ", \"texture_high\": [" + Number(high[0]) + ", " + Number(high[1]) + "]";
    }
    pieces += " }\n";
  }
  stream.End();
  std::string line = IsCompact(skin) ? "\"compact\", \"step_exponent\": " + std::to_string(skin.step_exponent())
                                     : "\"lossless\"";
  line += ", \"max_error\": " + Number(skin.max_error());
  line += field("bindings", skin.bindings() ? skin.bindings()->size() : 0) + field("vertices", vertices);
  line += field("cuts", cuts) + field("triangles", triangles) + field("cut_triangles", cut_triangles);
  line += ", \"meshes\": [";
  if (skin.meshes()) {
    const char* comma = "";
    for (const bonebox::SkinMesh* mesh : *skin.meshes()) {
      line += comma + ("{ \"name\": " + Quoted(*mesh->name())) + field("node", mesh->node());
      line += field("triangles", mesh->triangles()) + " }";
      comma = ", ";
    }
  }
  line += "]";
  if (attributes) {
    line += field("attributes", attributes) + field("normals", normals);
    line += field("texture_coordinates", texture_coordinates);
  }
  std::printf("{ \"skin\": { \"encoding\": %s } }\n%s", line.c_str(), pieces.c_str());
}

// The numbers of one channel of a clip.
std::vector<float> ReadChannel(Stream& stream, const bonebox::Clip& clip) {
  const unsigned kind = stream.Take<std::uint8_t>();
  const unsigned property = kind & 3, interpolation = kind >> 2 & 3, omitted = kind >> 5;
  const bool is_rotation = property == 1, is_spline = interpolation == 2, is_in_steps = kind & 16;
  Require(property < 3 && interpolation < 3, "unsupported channel; a newer program knows it");
  Require(is_in_steps ? !is_spline && omitted < (is_rotation ? 4u : 1u) : omitted == 0, "invalid: a channel of a wrong kind");
  const std::uint64_t timeline = stream.Number();
  Require(clip.timelines() && timeline < clip.timelines()->size(), "invalid: a channel without a timeline");
  const std::size_t keys = clip.timelines()->Get(static_cast<flatbuffers::uoffset_t>(timeline))->times()->size();
  const std::size_t width = is_rotation ? 4 : 3;
  std::vector<float> values;
  if (!is_in_steps) {
    for (std::size_t i = 0; i < keys * width * (is_spline ? 3 : 1); ++i) values.push_back(stream.Float());
    return values;
  }
  const int exponent = static_cast<std::int8_t>(stream.Take<std::uint8_t>());
  Require(exponent >= -100 && exponent <= 100, "invalid: the step of a channel is too small or too large");
  std::array<std::size_t, 3> bytes{};
  std::array<std::int32_t, 3> low{};
  for (int i = 0; i < 3; ++i) {
    bytes[i] = stream.Take<std::uint8_t>();
    const auto least = static_cast<std::int64_t>(stream.Difference());
    Require(bytes[i] <= 3 && least >= -(1 << 24) && least <= 1 << 24, "invalid: a component has too many steps or bytes");
    low[i] = static_cast<std::int32_t>(least);
  }
  Require(keys == 1 || bytes[0] + bytes[1] + bytes[2] > 0, "invalid: a channel of several keys has no bytes for them");
  values.resize(keys * width);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t component = is_rotation && i >= omitted ? i + 1 : i;
    for (std::size_t key = 0; key < keys; ++key) {
      std::int32_t steps = low[i];
      for (std::size_t byte = 0; byte < bytes[i]; ++byte) steps += stream.Take<std::uint8_t>() << (8 * byte);
      values[key * width + component] = std::ldexp(static_cast<float>(steps), exponent);
    }
  }
  for (std::size_t key = 0; is_rotation && key < keys; ++key) {
    double squares = 0;
    for (std::size_t component = 0; component < 4; ++component) {
      const double value = values[key * 4 + component];
      if (component != omitted) squares += value * value;
    }
    values[key * 4 + omitted] = static_cast<float>(std::sqrt(std::fmax(1.0 - squares, 0.0)));
  }
  return values;
}

// A clip: all channels are read, and the bounds of their numbers are printed.
void PrintClip(const bonebox::Clip& clip) {
  float start = 0, end = 0, low = 0, high = 0;
  if (clip.timelines()) {
    bool is_first = true;
    for (const bonebox::Timeline* timeline : *clip.timelines()) {
      Require(timeline->times()->size() > 0, "invalid: a timeline without keys");
      const float first = timeline->times()->Get(0), last = timeline->times()->Get(timeline->times()->size() - 1);
      start = is_first ? first : std::fmin(start, first);
      end = is_first ? last : std::fmax(end, last);
      is_first = false;
    }
  }
  std::size_t numbers = 0;
  if (clip.channel_data()) {
    Stream stream(*clip.channel_data());
    for (std::uint32_t channel = 0; channel < clip.channels(); ++channel) {
      stream.Number();  // How much greater the joint is than that of the channel before.
      for (const float value : ReadChannel(stream, clip)) {
        low = numbers ? std::fmin(low, value) : value;
        high = numbers ? std::fmax(high, value) : value;
        ++numbers;
      }
    }
    stream.End();
  }
  std::printf("{ \"clip\": { \"name\": %s, \"seconds\": %s, \"channels\": %u, \"numbers\": %zu", Quoted(*clip.name()).c_str(),
              Number(end - start).c_str(), clip.channels(), numbers);
  if (numbers) std::printf(", \"low\": %s, \"high\": %s", Number(low).c_str(), Number(high).c_str());
  std::printf(" } }\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: read_boxes FILE.bonebox...\n");
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    try {
      std::ifstream stream(argv[i], std::ios::binary);
      Require(stream.good(), "cannot be opened");
      const std::vector<std::uint8_t> file{std::istreambuf_iterator<char>(stream), {}};
      const bonebox::Character& character = Read(file);
      std::printf("{ \"algorithm_revision\": %u }\n", static_cast<unsigned>(character.algorithm_revision()));
      if (character.boxes()) {
        const auto& boxes = *character.boxes();
        const auto* envelopes = character.envelopes();
        Require(!envelopes || envelopes->size() == 0 || envelopes->size() == boxes.size(),
                "invalid: not one envelope for each box");
        for (flatbuffers::uoffset_t box = 0; box < boxes.size(); ++box) {
          const bonebox::Envelope* envelope = envelopes && envelopes->size() > 0 ? envelopes->Get(box) : nullptr;
          std::printf("%s\n", Line(*boxes.Get(box), envelope, character).c_str());
        }
      }
      if (character.humanoid()) std::printf("%s\n", HumanoidLine(*character.humanoid(), character).c_str());
      if (character.skin()) PrintSkin(*character.skin(), character);
      if (character.clips()) {
        for (const bonebox::Clip* clip : *character.clips()) PrintClip(*clip);
      }
      if (character.attacks()) {
        for (const bonebox::Attack* attack : *character.attacks()) {
          std::printf("%s\n", AttackLine(*attack, character).c_str());
        }
      }
      if (character.states()) {
        for (const bonebox::ClipState* state : *character.states()) {
          std::printf("%s\n", StateLine(*state, character).c_str());
        }
      }
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", argv[i], error.what());
      return 1;
    }
  }
  return 0;
}
