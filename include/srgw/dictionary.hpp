// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/io.hpp"
#include "srgw/plan.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/solve.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A target graph that many graphs are projected on.
struct Atom {
  Matrix structure;      ///< B (m x m)
  Matrix features = {};  ///< X (m x d); no columns: none

  [[nodiscard]] Index size() const { return structure.rows(); }
};

/// How a graph is projected on an atom: the plan T that minimises
///     alpha E(C, B; T) + (1 - alpha) sum_ik |F_i - X_k|^2 T_ik + sparsity sum_k sqrt(q_k)
///     + entropy sum_ik T_ik (log T_ik - 1).
/// Sparsity and mirror descent give the four variants of the paper.
struct Projection {
  double alpha = 0.5;  ///< read where there are features
  double sparsity = 0, entropy = 0;
  Method method = ConditionalGradient{};
};

/// What is kept of learning: atoms of one kind, and how graphs are projected on them.
struct Dictionary {
  std::vector<Atom> atoms = {};   ///< several are an ensemble
  Projection projection = {};     ///< the same for all
  FeatureMap features = {};       ///< how features are made of a dataset
  std::string structure = {};     ///< what the structures are, in the words of the program
  std::string node_weights = {};  ///< the same of the weights

  /// d, the columns of features; 0: none.
  [[nodiscard]] Index columns() const { return atoms.empty() ? 0 : atoms.front().features.cols(); }
};

/// Throws unless there are atoms, all finite and with the same number of feature columns.
void check(const Dictionary& dictionary);

/// Where learning may start.
enum class AtomStart {
  noise,        ///< B = 1/2 + noise, X = k-means of node features; plans from products (the paper)
  descriptors,  ///< plans from k-means on degrees and features of all nodes, then the best atom
  both,         ///< one after the other, and the lower loss is kept
};

/// How Adam moves along gradients.
struct AdamSteps {
  double learning_rate = 0.01;
  double feature_learning_rate = 0;  ///< 0: the same
  double first_decay = 0.9, second_decay = 0.99;
  double guard = 1e-15;  ///< next to the root of the second moment
};

constexpr auto fields(const AdamSteps&) {
  using O = AdamSteps;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"learning_rate", &O::learning_rate, 0, inf, "length of a step"},
      Field{"feature_learning_rate", &O::feature_learning_rate, 0, inf,
            "of the features; 0: the same"},
      Field{"first_decay", &O::first_decay, 0, 1, "of the mean of gradients"},
      Field{"second_decay", &O::second_decay, 0, 1, "of the mean of their squares"},
      Field{"guard", &O::guard, 0, inf, "added to the root of that mean"},
  };
}

/// The scheme of the paper: batches drawn at random, plans from product starts, and a step of Adam
/// on the atom with the plans held fixed. Every `evaluate_every` epochs the whole dataset is
/// projected, and the atom with the lowest mean value is the result.
struct AdamScheme {
  AtomStart start = AtomStart::noise;
  int epochs = 100;
  int batch = 32;
  AdamSteps steps = {};
  int evaluate_every = 5;  ///< epochs
  int patience = 0;        ///< evaluations without gain until the end; 0: all epochs are made
};

constexpr auto fields(const AdamScheme&) {
  using O = AdamScheme;
  return std::tuple{
      Field{"start", &O::start, 0, 0, "noise, descriptors or both"},
      Field{"epochs", &O::epochs, 1, 1e9, "passes over the dataset at most"},
      Field{"batch", &O::batch, 1, 1e9, "graphs in a step"},
      Field{"steps", &O::steps, 0, 0, ""},
      Field{"evaluate_every", &O::evaluate_every, 1, 1e9, "epochs from evaluation to evaluation"},
      Field{"patience", &O::patience, 0, 1e9, "evaluations without gain until the end; 0: none"},
  };
}

/// Plans and the atom take turns, the atom in closed form, after every batch: with the plans of all
/// graphs kept, each turn can only lower the loss. Needs no learning rate.
struct ClosedForm {
  AtomStart start = AtomStart::both;
  int epochs = 20;
  int batch = 32;
  double tolerance = 1e-4;  ///< on the relative gain of an epoch
  /// In an epoch a graph goes on from its last plan, and tries the product (row by row, as embed()
  /// does, where that serves) and so many random plans besides; the best is kept. Without warm
  /// plans the last plan is forgotten.
  bool warm_plans = true;
  bool try_product = true;
  int random_plans = 1;
  bool revive = true;  ///< whether target nodes that no graph uses are set on badly fitted nodes
  /// So many times, once all this is done, the two target nodes that matter least are made one and
  /// the other is set on a badly fitted node; what lowers the loss is kept.
  int jumps = 10;
  /// Below 1, in the first half of the epochs the atom is that of the last batches only: what the
  /// former ones say is multiplied by this at each batch.
  double forgetting = 0.5;
};

constexpr auto fields(const ClosedForm&) {
  using O = ClosedForm;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"start", &O::start, 0, 0, "noise, descriptors or both"},
      Field{"epochs", &O::epochs, 1, 1e9, "passes over the dataset at most"},
      Field{"batch", &O::batch, 1, 1e9, "graphs from one atom to the next"},
      Field{"tolerance", &O::tolerance, 0, inf, "on the relative gain of an epoch"},
      Field{"warm_plans", &O::warm_plans, 0, 1, "whether graphs go on from their last plan"},
      Field{"try_product", &O::try_product, 0, 1, "whether product starts are tried besides"},
      Field{"random_plans", &O::random_plans, 0, 1e6, "random starts tried besides"},
      Field{"revive", &O::revive, 0, 1, "whether unused target nodes are set on bad fits"},
      Field{"jumps", &O::jumps, 0, 1e9, "target nodes that are tried elsewhere at the end"},
      Field{"forgetting", &O::forgetting, 0, 1, "what a batch leaves of the former ones"},
  };
}

using Learner = std::variant<ClosedForm, AdamScheme>;

/// What learning found, for the graphs it was made from: atom, loss and losses are those of all
/// ranks, the rest is about the graphs of this one.
struct Learned {
  Atom atom;
  double loss = 0;                  ///< mean value of the graphs
  Matrix embedding = {};            ///< target weights q of each graph (K x m)
  std::vector<double> values = {};  ///< of each graph
  std::vector<Plan> plans = {};     ///< of each graph
  /// After each epoch (closed form: of the sums that made the atom, in which forgotten batches
  /// count less) or evaluation (the paper's scheme), of the start that was kept.
  std::vector<double> losses = {};
  int epochs = 0;  ///< of all starts
  Status status = Status::iteration_limit;
};

/// Learning as a value that goes on batch by batch, can be saved in between and taken up again
/// with the same result to the last bit. Looks at the samples, which must outlive it.
/// With Run::ranks each rank gives the graphs that it has, consecutive ones of the dataset, and
/// may have none; all calls that are not only looks are collective. The k-means that starts are
/// made from is that of the first rank, which needs memory for descriptors of all nodes.
class Learning {
 public:
  static constexpr const char* checkpoint_kind = "checkpoint";
  static constexpr int checkpoint_version = 2;  ///< what is written, and the newest that is read

  /// Throws, with the number of the graph, when samples are malformed or differ in their features;
  /// when there are none; and when `size` is not at least 1.
  Learning(std::span<const Sample> samples, Index size, const Projection& projection = {},
           const Learner& learner = ClosedForm{}, const Run& run = {});
  Learning(Learning&&) noexcept;
  Learning& operator=(Learning&&) noexcept;
  ~Learning();

  /// The next batch; false: all is done.
  bool advance();
  [[nodiscard]] int epoch() const;
  [[nodiscard]] const Atom& atom() const;                   ///< as it is now
  [[nodiscard]] const std::vector<double>& losses() const;  ///< so far
  /// The best atom so far, and the plans of all graphs onto it.
  [[nodiscard]] Learned result();

  /// All that the rest of the run depends on; on ranks that of all, on the first of them.
  [[nodiscard]] io::Archive checkpoint() const;
  /// Goes on where the checkpoint was made, on any number of ranks, each of which is given all of
  /// it. Throws when it is of other samples or options.
  void resume(const io::Archive& checkpoint);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Goes on to the end, or until the time limit fires, the observer says so, or `go_on` does, which
/// is asked after each batch; on ranks, until that happens on one of them. The observer hears of
/// each epoch (iteration: epoch, value: loss).
[[nodiscard]] Learned finish(Learning& learning, const Run& run = {},
                             const std::function<bool()>& go_on = {});

/// Learns one atom of `size` nodes. Graphs are solved in parallel; the result does not depend on
/// the threads. The run is watched as by finish().
[[nodiscard]] Learned learn(std::span<const Sample> samples, Index size,
                            const Projection& projection = {},
                            const Learner& learner = ClosedForm{}, const Run& run = {});

/// How an atom follows an unbounded stream of batches.
struct OnlineAverages {
  double forgetting = 0.99;  ///< what a batch leaves of what the former ones say
};
constexpr auto fields(const OnlineAverages&) {
  using O = OnlineAverages;
  return std::tuple{
      Field{"forgetting", &O::forgetting, 0, 1, "what a batch leaves of the former ones"}};
}

struct OnlineOptions {
  std::variant<OnlineAverages, AdamSteps> update = OnlineAverages{};
  AtomStart start = AtomStart::descriptors;  ///< on the first batch
};

/// An atom that learns from batches as they come; graphs are not kept.
class OnlineDictionary {
 public:
  explicit OnlineDictionary(Index size, const Projection& projection = {},
                            const OnlineOptions& options = {}, const Run& run = {});
  OnlineDictionary(OnlineDictionary&&) noexcept;
  OnlineDictionary& operator=(OnlineDictionary&&) noexcept;
  ~OnlineDictionary();

  /// Goes on from what was learned from a dataset, as if its graphs had been the only batch so far.
  /// Throws unless the samples are those of `learned`.
  void take(std::span<const Sample> samples, const Learned& learned);
  /// Learns from a batch and gives its mean value on the atom before. Throws as Learning does.
  double partial_fit(std::span<const Sample> batch);
  [[nodiscard]] const Atom& atom() const;
  [[nodiscard]] std::uint64_t graphs() const;  ///< seen so far

  [[nodiscard]] io::Archive checkpoint() const;
  void resume(const io::Archive& checkpoint);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A model as named arrays with a header, and back. Throws when the archive is no such model.
[[nodiscard]] io::Archive to_archive(const Dictionary& dictionary);
[[nodiscard]] Dictionary dictionary_from(const io::Archive& archive);
void save(const Dictionary& dictionary, const std::filesystem::path& path);
[[nodiscard]] Dictionary load_dictionary(const std::filesystem::path& path);

}  // namespace srgw
