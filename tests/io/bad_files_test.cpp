// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <map>

#include "io/read_text.hpp"
#include "support/data.hpp"

namespace srgw::test {
namespace {

struct Expected {
  std::string kind, message;
};

/// Lines `FILE KIND MESSAGE` of tests/data/bad/expected.txt; the message follows the path.
std::map<std::string, Expected> expectations() {
  std::map<std::string, Expected> result;
  std::ifstream file(test_data("bad/expected.txt"));
  for (std::string name, kind, message; file >> name >> kind && std::getline(file, message);) {
    result[name] = {kind, message.substr(1)};
  }
  return result;
}

std::string kind_name(Error::Kind kind) {
  constexpr const char* names[] = {"argument", "format", "io", "resource"};
  return names[static_cast<int>(kind)];
}

TEST(BadFiles, EachIsRefusedWithItsMessage) {
  const auto expected = expectations();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data("bad"))) {
    const std::string name = entry.path().filename().string();
    if (name == "expected.txt") continue;
    ++files;
    ASSERT_TRUE(expected.contains(name)) << name << " has no line in expected.txt";
    try {
      static_cast<void>(io::read_graph(entry.path()));
      ADD_FAILURE() << name << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), entry.path().string() + expected.at(name).message);
      EXPECT_EQ(kind_name(error.kind()), expected.at(name).kind) << name;
    }
  }
  EXPECT_EQ(files, expected.size());
  EXPECT_GE(files, 60);
}

/// The parallel path must not accept what the careful one refuses.
TEST(BadFiles, AreRefusedOnAnyNumberOfThreads) {
  for (const auto& [name, expected] : expectations()) {
    for (const int threads : {1, 4}) {
      EXPECT_THROW(static_cast<void>(io::read_graph(test_data("bad") / name, {.threads = threads})),
                   Error)
          << name;
    }
  }
}

/// Zeros, which shrink to a thousandth.
std::string gzipped_zeros(std::size_t size) {
  z_stream stream{};
  EXPECT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string zeros(1 << 20, '0'), packed, piece(1 << 16, '\0');
  for (std::size_t done = 0; done <= size; done += zeros.size()) {
    stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
    stream.avail_in = static_cast<uInt>(zeros.size());
    int status = Z_OK;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      status = ::deflate(&stream, done + zeros.size() > size ? Z_FINISH : Z_NO_FLUSH);
      packed.append(piece, 0, piece.size() - stream.avail_out);
    } while (stream.avail_out == 0 && status == Z_OK);
  }
  ::deflateEnd(&stream);
  return packed;
}

TEST(Bombs, GzipStopsAtTheLimit) {
  const std::string bomb = gzipped_zeros(std::size_t{64} << 20);
  EXPECT_LT(bomb.size(), 100000U);
  expect_error(
      [&] { return io::parse_graph(bomb, "bomb.txt.gz", {.max_unpacked_bytes = 1 << 20}); },
      "bomb.txt.gz: unpacks to more than 1048576 bytes from " + std::to_string(bomb.size()) +
          ", expected less; raise the limit of bytes if this is meant",
      Error::Kind::resource);
}

/// A deflated member as other programs write them, which says that it unpacks to `claimed` bytes.
std::string zip_of(std::string_view deflated, std::uint32_t claimed) {
  std::string bytes;
  const auto put = [&](std::uint32_t number, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
  };
  const auto sizes = [&] {
    put(8, 2), put(0, 4), put(0, 4);
    put(static_cast<std::uint32_t>(deflated.size()), 4), put(claimed, 4), put(5, 2), put(0, 2);
  };
  put(0x04034b50, 4), put(20, 2), put(0, 2), sizes();
  bytes += "a.npy";
  bytes += deflated;
  const auto directory = static_cast<std::uint32_t>(bytes.size());
  put(0x02014b50, 4), put(20, 2), put(20, 2), put(0, 2), sizes();
  put(0, 4), put(0, 4), put(0, 2), put(0, 4);
  bytes += "a.npy";
  const auto length = static_cast<std::uint32_t>(bytes.size()) - directory;
  put(0x06054b50, 4), put(0, 4), put(1, 2), put(1, 2), put(length, 4), put(directory, 4), put(0, 2);
  return bytes;
}

TEST(Bombs, ZipStopsAtTheLimitWhateverItClaims) {
  const std::string gzip = gzipped_zeros(std::size_t{64} << 20);
  const std::string_view deflated = std::string_view(gzip).substr(10, gzip.size() - 18);
  for (const std::uint32_t claimed : {0U, 1000U, 64U << 20, 0xFFFFFFFEU}) {
    EXPECT_THROW(static_cast<void>(io::parse_graph(zip_of(deflated, claimed), "bomb.npz",
                                                   {.max_unpacked_bytes = 1 << 20})),
                 Error)
        << claimed;
  }
}

TEST(Bombs, XmlMayNestDeeply) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "<a>";
  EXPECT_THROW(static_cast<void>(io::parse_graph(text, "deep.graphml")), Error);
  std::string closed = text;
  for (int i = 0; i < 200000; ++i) closed += "</a>";
  EXPECT_THROW(static_cast<void>(io::parse_graph(closed, "deep.graphml")), Error);
}

}  // namespace
}  // namespace srgw::test
