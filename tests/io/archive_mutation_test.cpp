// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "cli/saved_result.hpp"
#include "io/read_text.hpp"
#include "srgw/baselines.hpp"
#include "srgw/completion.hpp"
#include "srgw/dictionary.hpp"
#include "support/samples.hpp"

// Files of all kinds of archives whose bytes were changed, or whose arrays and headers were changed
// and packed again with right checksums.

namespace srgw::test {
namespace {

using io::Archive;

/// One kind of archive: a good one, and what is done with such a file.
struct Kind {
  std::string name;
  std::function<Archive()> make;
  std::function<void(const Archive& archive, const std::filesystem::path& file)> use;
};

std::vector<Sample> samples() { return random_samples(4, 2); }
constexpr Index size = 3;

Dataset small_dataset() {
  Dataset dataset{.name = "small", .names = {"a", "b"}, .labels = {0, 1}};
  for (const std::uint64_t seed : {1U, 2U}) {
    dataset.graphs.push_back(random_graph({.nodes = 6, .seed = seed}));
    dataset.node_labels.emplace_back(6, 1);
    dataset.node_features.emplace_back(Matrix::Constant(6, 2, .5));
  }
  return dataset;
}

Archive written(const std::function<void(const std::filesystem::path&)>& write,
                const std::string& kind) {
  const TemporaryFolder folder;
  write(folder / "a.npz");
  return Archive::read(folder / "a.npz", kind, std::numeric_limits<int>::max());
}

Archive saved_partition() {
  const Graph graph = random_graph({.nodes = 6, .seed = 1});
  Archive archive(cli::result_kind, cli::result_version);
  nlohmann::ordered_json header{{"inputs", {{{"file", "a.txt"}}}}};
  cli::add_graphs(archive, header, {.source = &graph});
  cli::add_names(archive, header, "names", NodeNames(std::vector<std::int64_t>{1, 3, 5, 7, 9, 11}));
  archive.add("plan_indptr", std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6});
  archive.add("plan_indices", std::vector<NodeId>{0, 0, 0, 1, 1, 1});
  archive.add("plan_data", std::vector<double>(6, 1. / 6));
  archive.add("plan_shape", std::vector<std::int64_t>{6, 2});
  archive.add("weights", std::vector<double>(6, 1. / 6));
  archive.add("target_weights", std::vector<double>{.5, .5});
  archive.add("labels", std::vector<NodeId>{0, 0, 0, 1, 1, 1});
  archive.set_header(header.dump());
  return archive;
}

Dictionary learned_dictionary(Index columns) {
  const auto data = random_samples(4, columns);
  const Learned learned = learn(data, size, {}, ClosedForm{.epochs = 2});
  return {{.atoms = {learned.atom}}};
}

template <class Model>
void load_and_embed(const Archive& archive, const std::filesystem::path&) {
  const auto model = from_archive<Model>(archive);
  const Run run{.threads = 1, .time_limit = 0.5};
  if constexpr (std::is_same_v<Model, Dictionary>) {
    static_cast<void>(embed(model, samples(), {}, run));
  } else {
    static_cast<void>(embed(model, samples(), run));
  }
}

std::vector<Kind> kinds() {
  return {
      {"graph",
       [] {
         const io::NamedGraph graph{
             .graph = random_graph({.nodes = 8, .seed = 3}),
             .names = NodeNames(std::vector<std::int64_t>{2, 3, 5, 7, 11, 13, 17, 19}),
             .node_attributes = {{"x", std::vector<double>(8, .5)}}};
         return written(
             [&](const auto& path) { io::write_graph(graph, path, {.format = "packed"}); },
             "graph");
       },
       [](const Archive&, const auto& file) { static_cast<void>(io::read_graph(file)); }},
      {"dataset",
       [] {
         return written([](const auto& path) { io::write_dataset(small_dataset(), path); },
                        "dataset");
       },
       [](const Archive&, const auto& file) { static_cast<void>(io::read_dataset(file)); }},
      {"dictionary", [] { return to_archive(learned_dictionary(2)); }, load_and_embed<Dictionary>},
      {"linear",
       [] { return to_archive(learn(samples(), Unmixing{}, 2, size, {.epochs = 1}).model); },
       load_and_embed<LinearDictionary>},
      {"factorization",
       [] {
         return to_archive(learn(random_samples(4, 2), Factoring{}, 2, size, {.epochs = 1}).model);
       },
       load_and_embed<Factorization>},
      {"centres",
       [] {
         return to_archive(
             learn(samples(), GraphKMeansOptions{.clusters = 2, .size = 3, .max_rounds = 1}).model);
       },
       load_and_embed<GraphCentres>},
      {"checkpoint",
       [] {
         const auto data = samples();
         Learning learning(data, size);
         static_cast<void>(learning.advance());
         return learning.checkpoint();
       },
       [](const Archive& archive, const auto&) {
         const auto data = samples();
         Learning learning(data, size);
         learning.resume(archive);
         static_cast<void>(learning.advance());
       }},
      {"completion",
       [] {
         const Dictionary dictionary = learned_dictionary(0);
         Archive archive = to_archive(dictionary);
         add_completion(learn_completion(dictionary, random_samples(4, 0),
                                         {.half_seen = 20, .rounds = 2, .leaves = 3}),
                        archive);
         return archive;
       },
       [](const Archive& archive, const auto&) { static_cast<void>(completion_from(archive)); }},
      {"result", saved_partition,
       [](const Archive& archive, const auto& file) {
         static_cast<void>(cli::saved_result(archive, file.string()));
       }},
  };
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  /// The archive with some of its arrays or its header changed.
  Archive mutate(const Archive& good) {
    std::map<std::string, io::Array> arrays = good.arrays();
    std::string header = good.header();
    for (std::size_t changes = 1 + below(2); changes > 0; --changes) {
      if (below(4) == 0 || arrays.empty()) {
        change_text(header);
      } else {
        change_arrays(arrays);
      }
    }
    Archive bad(good.kind(), good.version());
    try {
      bad.set_header(header);
    } catch (const Error&) {
      bad.set_header(good.header());  // what is no JSON is found by flipped bytes
    }
    for (auto& [name, array] : arrays) bad.add(name, std::move(array));
    return bad;
  }

  std::string mutate_bytes(std::string bytes) {
    for (std::size_t changes = 1 + below(3); changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = below(bytes.size());
      switch (below(4)) {
        case 0: bytes.resize(at); break;
        case 1: bytes[at] = static_cast<char>(random_()); break;
        case 2: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
        default: bytes.erase(at, below(64));
      }
    }
    return bytes;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  void change_arrays(std::map<std::string, io::Array>& arrays) {
    auto chosen = std::next(arrays.begin(), static_cast<std::ptrdiff_t>(below(arrays.size())));
    auto other = std::next(arrays.begin(), static_cast<std::ptrdiff_t>(below(arrays.size())));
    switch (below(6)) {
      case 0: std::swap(chosen->second, other->second); break;
      case 1: arrays.erase(chosen); break;
      case 2: chosen->second = other->second; break;
      default:
        std::visit([&](auto& values) { change_values(values, chosen->second); },
                   chosen->second.values);
    }
  }

  template <class T>
  void change_values(SharedArray<T>& shared, io::Array& array) {
    std::vector<T> values(shared.begin(), shared.end());
    const std::size_t at = below(values.size());
    switch (below(5)) {
      case 0:  // cut or grown
        values.resize(below(2 * values.size() + 2));
        array.shape = {std::ssize(values)};
        break;
      case 1:  // another shape of the same values
        array.shape = {std::ssize(values), 1};
        break;
      case 2:
        if (!values.empty()) values[at] = hostile<T>();
        break;
      default:
        if (!values.empty()) {
          auto* bytes = reinterpret_cast<unsigned char*>(&values[at]);
          bytes[below(sizeof(T))] ^= static_cast<unsigned char>(1U << below(8));
        }
    }
    shared = SharedArray<T>(std::move(values));
  }

  template <class T>
  T hostile() {
    using Limits = std::numeric_limits<T>;
    switch (below(5)) {
      case 0: return Limits::max();
      case 1: return Limits::lowest();
      case 2: return static_cast<T>(std::is_floating_point_v<T> ? Limits::quiet_NaN() : T{0});
      case 3: return static_cast<T>(Limits::max() / 2);
      default: return static_cast<T>(1000000);
    }
  }

  void change_text(std::string& text) {
    static const std::vector<std::string> words{"-1",   "1e308", "4294967296", "[]",
                                                "null", "\"x\"", "{}",         "99999999999999"};
    const std::size_t at = text.find_first_of("0123456789", below(text.size()));
    if (at != std::string::npos && below(3) != 0) {
      std::size_t end = at;
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
      text.replace(at, end - at, words[below(words.size())]);
    } else if (!text.empty()) {
      text[below(text.size())] = static_cast<char>(' ' + below(95));
    }
  }

  std::mt19937 random_;
};

class ArchiveMutations : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ArchiveMutations, testing::ValuesIn(kinds()),
                         [](const auto& test) { return test.param.name; });

/// Peak of the memory of this process.
std::size_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

/// SRGW_TEST_MUTATIONS: how many of each kind. SRGW_TEST_MUTATION_SEED: the seed of the first.
int setting(const char* name, int usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::atoi(text);
}

TEST_P(ArchiveMutations, AreReadOrRefusedInBoundedMemory) {
  const Kind& kind = GetParam();
  const TemporaryFolder folder;
  const auto file = folder / "bad.npz";
  const Archive good = kind.make();
  good.write(file);
  const std::string bytes = file_text(file);
  const auto use = [&] { kind.use(Archive::read(file, good.kind(), good.version()), file); };
  ASSERT_NO_THROW(use());
  const std::size_t before = peak_bytes();
  int refused = 0;
  const int wanted = setting("SRGW_TEST_MUTATIONS", 250);
  const int first = setting("SRGW_TEST_MUTATION_SEED", 0);
  for (int i = first; i < first + wanted; ++i) {
    Mutator mutator(static_cast<unsigned>(i));
    if (i % 4 == 0) {
      write_file(file, mutator.mutate_bytes(bytes));
    } else {
      mutator.mutate(good).write(file);
    }
    try {
      use();
    } catch (const Error& error) {
      ++refused;
      EXPECT_FALSE(std::string(error.what()).empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << kind.name << " mutation " << i << ": " << error.what();
    }
  }
  EXPECT_GT(refused, wanted / 4);
  EXPECT_LT(peak_bytes(), before + (std::size_t{1} << 28));
}

}  // namespace
}  // namespace srgw::test
