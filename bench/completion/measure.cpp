// SPDX-License-Identifier: MIT
// One cell of bench/completion/paper.py: learns on one part of a dataset, hides nodes of the rest,
// completes it by all methods and prints the mean scores as JSON.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "baselines.hpp"
#include "srgw/completion.hpp"
#include "srgw/io.hpp"
#include "srgw/types.hpp"

namespace srgw::bench {

namespace {

using nlohmann::ordered_json;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Cell {
  std::string dataset;
  double removed = 0.1, train = 0.9;
  std::uint64_t split = 0;
  Index size = 20;
  int threads = 0;     // of training; methods are timed on one
  bool paper = false;  // the paper's methods, or ours and the baselines
};

struct Split {
  std::vector<std::size_t> train, test;
};

/// A random subset with the same share of each class.
Split split_of(const Dataset& dataset, double share, std::uint64_t seed) {
  detail::Random random(seed, 0);
  std::vector<std::size_t> order(dataset.graphs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    std::swap(order[i], order[i + random.below(order.size() - i)]);
  }
  std::map<std::int64_t, double> sizes, taken;
  for (const std::size_t g : order) ++sizes[dataset.labels[g]];
  Split split;
  for (const std::size_t g : order) {
    const std::int64_t label = dataset.labels[g];
    (taken[label]++ < std::round(share * sizes[label]) ? split.train : split.test).push_back(g);
  }
  return split;
}

struct Test {
  PartialGraph graph;
  Matrix truth, features;
};

Test hidden(const Sample& sample, double rate, std::uint64_t seed, std::size_t graph) {
  const Matrix C = sample.source.structure.dense();
  const Index n = C.rows();
  const auto count = std::max<Index>(1, static_cast<Index>(rate * static_cast<double>(n)));
  detail::Random random(seed, 1 + graph);
  const detail::HalfSeen half =
      detail::hide_nodes(detail::neighbours_of(C), sample.features, count, random);
  std::vector<Index> order(half.shown.begin(), half.shown.end());
  order.insert(order.end(), half.hidden.begin(), half.hidden.end());
  Test test{{}, C(order, order), {}};
  if (sample.features.cols() > 0) test.features = sample.features(order, Eigen::all);
  test.graph = half_seen(test.truth.topLeftCorner(n - count, n - count), half.seen.features, n);
  return test;
}

/// Means of scores over graphs, those that exist; and the AUC of all their pairs together.
class Tally {
 public:
  void add(const Test& test, const Completion& answer, double seconds) {
    const CompletionScores scores = score(test.graph, answer, test.truth, test.features);
    for (Index i = 0; i < test.truth.rows(); ++i) {
      for (Index j = 0; j < i; ++j) {
        if (test.graph.free(i, j) != 0) {
          pairs_.emplace_back(answer.probabilities(i, j), test.truth(i, j) != 0);
        }
      }
    }
    count("accuracy_raw", scores.accuracy_raw);
    count("accuracy_aligned", scores.accuracy_aligned);
    count("accuracy_coded", scores.accuracy_coded);
    count("auc", scores.auc);
    count("average_precision", scores.average_precision);
    count("brier", scores.brier);
    count("edge_count_error", scores.edge_count_error);
    count("degree_error", scores.degree_error);
    count("feature_error", scores.feature_error);
    count("feature_error_coded", scores.feature_error_coded);
    count("milliseconds", 1e3 * seconds);
    count("value", answer.value);
  }
  [[nodiscard]] ordered_json json() const {
    ordered_json means{{"auc_of_all", area_under_curve()}};
    for (const auto& [name, sum] : sums_) means[name] = sum.first / sum.second;
    return means;
  }

 private:
  void count(const std::string& name, std::optional<double> number) {
    if (!number) return;
    sums_[name].first += *number;
    sums_[name].second += 1;
  }
  /// The share of (edge, other) that are in the right order, ties half.
  [[nodiscard]] double area_under_curve() const {
    auto sorted = pairs_;
    std::ranges::sort(sorted);
    double below = 0, edges = 0, right = 0;
    for (std::size_t at = 0; at < sorted.size();) {
      double tied_edges = 0, tied_others = 0;
      const double p = sorted[at].first;
      for (; at < sorted.size() && sorted[at].first == p; ++at) {
        (sorted[at].second ? tied_edges : tied_others) += 1;
      }
      right += tied_edges * (below + tied_others / 2);
      below += tied_others;
      edges += tied_edges;
    }
    return edges * below > 0 ? right / (edges * below) : 0.5;
  }

  std::map<std::string, std::pair<double, double>> sums_;
  std::vector<std::pair<double, bool>> pairs_;
};

/// Probabilities of all test pairs in tenths, and what share of them are edges.
class Reliability {
 public:
  void add(const Test& test, const Matrix& probabilities) {
    for (Index i = 0; i < test.truth.rows(); ++i) {
      for (Index j = 0; j < i; ++j) {
        if (test.graph.free(i, j) == 0) continue;
        const auto bin = std::min<Index>(9, static_cast<Index>(10 * probabilities(i, j)));
        bins_.row(bin) += Eigen::RowVector3d(1, probabilities(i, j), test.truth(i, j) != 0);
      }
    }
  }
  [[nodiscard]] ordered_json json() const {
    ordered_json rows = ordered_json::array();
    for (Index b = 0; b < 10; ++b) rows.push_back({bins_(b, 0), bins_(b, 1), bins_(b, 2)});
    return rows;
  }

 private:
  Matrix bins_ = Matrix::Zero(10, 3);
};

struct Variant {
  const char* name;
  Projection projection;
};

Run training_run(const Cell& cell) { return {.threads = cell.threads, .seed = cell.split}; }

Dictionary learned_dictionary(const std::vector<Sample>& training, const Cell& cell,
                              const Projection& projection) {
  Dictionary dictionary{{}, projection};
  Learned learned = learn(training, cell.size, projection, ClosedForm{}, training_run(cell));
  dictionary.unit = learned.unit;
  dictionary.atoms.push_back(std::move(learned.atom));
  return dictionary;
}

ordered_json measure(const Cell& cell) {
  const Dataset dataset = io::read_dataset(cell.dataset);
  const std::vector<Sample> samples = make_samples(dataset, fit_features(dataset));
  const Split split = split_of(dataset, cell.train, cell.split);
  std::vector<Sample> training;
  for (const std::size_t g : split.train) training.push_back(samples[g]);
  std::vector<Test> tests;
  for (const std::size_t g : split.test) {
    if (samples[g].source.structure.size() >= 3) {
      tests.push_back(hidden(samples[g], cell.removed, cell.split, g));
    }
  }
  std::map<std::string, Tally> tallies;
  Reliability reliability;
  const auto take = [&](const std::string& name, const Test& test, const auto& complete) {
    const double begin = now();
    const Completion answer = complete();
    const double seconds = now() - begin;
    tallies[name].add(test, answer, seconds);
    return answer;
  };

  const double begin = now();
  const Dictionary plain = learned_dictionary(training, cell, {});
  const double learning = now() - begin;
  const Run one{.threads = 1, .seed = cell.split};
  ordered_json answer{
      {"graphs", training.size()}, {"tests", tests.size()}, {"learning_seconds", learning}};
  if (cell.paper) {
    int lower = 0;
    for (const Test& test : tests) {
      const auto closed =
          take("alternate", test, [&] { return complete(plain, test.graph, Alternation{}, one); });
      const ProjectedAdam loop{.start = CompletionStart::degrees};
      const auto adam = take("adam", test, [&] { return complete(plain, test.graph, loop, one); });
      lower += static_cast<int>(closed.value <= adam.value * (1 + 1e-9));
    }
    answer["alternate_at_or_below_adam"] = lower;
    for (const auto& [name, projection] :
         {Variant{"sparse alternate", {.sparsity = 0.01}},
          Variant{"entropic alternate", {.method = MirrorDescent{.epsilon = 0.05}}},
          Variant{"entropic sparse alternate",
                  {.sparsity = 0.01, .method = MirrorDescent{.epsilon = 0.05}}}}) {
      const Dictionary dictionary = learned_dictionary(training, cell, projection);
      for (const Test& test : tests) {
        take(name, test, [&] { return complete(dictionary, test.graph, Alternation{}, one); });
      }
    }
    const LinearDictionary mixtures =
        learn(training, Unmixing{}, 8, cell.size, {}, training_run(cell)).model;
    const ProjectedAdam loop{.start = CompletionStart::degrees, .warm_plans = true};
    for (const Test& test : tests) {
      take("GDL alternate", test, [&] { return complete(mixtures, test.graph, {}, one); });
      take("GDL adam", test, [&] { return complete(mixtures, test.graph, loop, one); });
    }
  } else {
    const double second = now();
    const CompletionModel model =
        learn_completion(plain, training, {.rate = cell.removed}, training_run(cell));
    answer["training_seconds"] = now() - second;
    const Baselines baselines(training, cell.removed, cell.split);
    for (std::size_t t = 0; t < tests.size(); ++t) {
      const Test& test = tests[t];
      const Completion found =
          take("learned", test, [&] { return complete(plain, model, test.graph, {}, one); });
      reliability.add(test, found.probabilities);
      for (const auto& [name, filled] : baselines.complete(test.graph, cell.split + t)) {
        take(name, test, [&filled = filled] { return filled; });
      }
    }
    answer["reliability"] = reliability.json();
  }
  for (const auto& [name, tally] : tallies) answer["methods"][name] = tally.json();
  return answer;
}

Cell cell_of(const std::vector<std::string>& words) {
  Cell cell{.dataset = words.at(0)};
  for (std::size_t w = 1; w < words.size(); ++w) {
    if (words[w] == "--removed") cell.removed = std::stod(words.at(++w));
    if (words[w] == "--train") cell.train = std::stod(words.at(++w));
    if (words[w] == "--split") cell.split = std::stoull(words.at(++w));
    if (words[w] == "--size") cell.size = std::stol(words.at(++w));
    if (words[w] == "--threads") cell.threads = std::stoi(words.at(++w));
    if (words[w] == "--paper") cell.paper = true;
  }
  return cell;
}

}  // namespace

}  // namespace srgw::bench

int main(int count, char** values) {
  try {
    const auto answer = srgw::bench::measure(srgw::bench::cell_of({values + 1, values + count}));
    std::puts(answer.dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
