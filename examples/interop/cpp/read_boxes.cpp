// Reads .bonebox files and prints their boxes, one JSON object a line, and the humanoid. See ../README.md.

#include "bonebox_generated.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::uint16_t kFormatVersion = 1;
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 29;
constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'B', 'B', 'X', '\r', '\n', 0x1a, '\n'};

// CRC-32 of zlib and PNG.
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

// Little-endian, whatever the machine is.
template <typename T>
T Unsigned(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return static_cast<T>(value);
}

void Require(bool is_right, const std::string& problem) {
  if (!is_right) throw std::runtime_error(problem);
}

// The character in a file. It points into `file`.
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

// The fewest digits that read back to the same float; nine are always enough.
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

// What moves the box's surface; nothing where the file has no envelopes.
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

// The name of an enumeration's value, as VRM and the JSON beside a bake spell it.
std::string Name(std::string name) {
  Require(!name.empty(), "unsupported: a newer program knows this bone, this source of the humanoid, or this shape");
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

std::string Line(const bonebox::Box& box, const bonebox::Envelope* envelope, const bonebox::Character& character) {
  Require(box.shape() <= bonebox::Shape_MAX, "unsupported shape; a newer program knows it");
  Require(character.joints() && box.joint() < character.joints()->size(), "invalid: a box without a joint");
  const bonebox::Vec3& half = *box.half_extents();
  const bonebox::Quat& q = *box.orientation();
  const double radius = half.x(), length = half.y(), pi = 3.14159265358979323846;
  const float volume = box.shape() == bonebox::Shape_Box
                           ? 8.0f * half.x() * half.y() * half.z()
                           : static_cast<float>(pi * radius * radius * (4.0 / 3.0 * radius + 2.0 * (length - radius)));

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
  if (envelope) line += MovedBy(*envelope, character);
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
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", argv[i], error.what());
      return 1;
    }
  }
  return 0;
}
