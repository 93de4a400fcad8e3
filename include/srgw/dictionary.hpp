// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/io.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "srgw/ranks.hpp"
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

/// The parts of every model: atoms, and how graphs of a dataset become samples. Dictionary below
/// and the models of baselines.hpp add how a graph is expressed by the atoms.
struct AtomModel {
  std::vector<Atom> atoms = {};
  FeatureMap features = {};       ///< how features are made of a dataset
  std::string structure = {};     ///< what the structures are: a value of `--structure`
  std::string node_weights = {};  ///< the same for the weights: a value of `--weights`
  /// Power of two below the largest entry of the structures that the model was learned from:
  /// steps of searches and starts are measured in it.
  double unit = 1;

  /// d, the columns of features; 0: none.
  [[nodiscard]] Index columns() const { return atoms.empty() ? 0 : atoms.front().features.cols(); }
};

/// Coordinates of a graph that is projected on an atom: some columns for each atom.
enum class Coordinate {
  weights,    ///< q, the target weights (m)
  sqrt,       ///< their square roots (m): distances are those of Hellinger
  value,      ///< the value of the divergence (1)
  form,       ///< q'B q, the mean entry that the atom has for the graph (1)
  spectrum,   ///< eigenvalues of D B D with D^2 = diag(q), largest first (m)
  quantiles,  ///< of the degrees B q under the weights q, at 1/20, 3/20, ... 19/20 (10)
  log_size,   ///< log n of the graph (1); once, whatever the number of atoms
};
constexpr auto names_of(Coordinate) {
  using C = Coordinate;
  return std::array{Named{C::weights, "weights"},   Named{C::sqrt, "sqrt"},
                    Named{C::value, "value"},       Named{C::form, "form"},
                    Named{C::spectrum, "spectrum"}, Named{C::quantiles, "quantiles"},
                    Named{C::log_size, "log-size"}};
}

/// Atoms that graphs are projected on, each by itself: several atoms are an ensemble.
struct Dictionary : AtomModel {
  Projection projection = {};  ///< the same for all atoms
  std::uint64_t graphs = 0;    ///< that it was learned from; 0: not known
  /// How its owner describes graphs, for programs that load it: see EmbedOptions.
  std::vector<Coordinate> coordinates = {Coordinate::weights};
  int random_starts = 0;
};

/// Throws unless there are atoms, all finite and with the same number of feature columns.
void check(const AtomModel& model);

/// Where learning may start.
enum class AtomStart {
  noise,  ///< B = unit (1/2 + noise), X = k-means of node features; plans from products (the paper)
  descriptors,  ///< plans from k-means on degrees and features of all nodes, then the best atom
  both,         ///< one after the other, and the lower loss is kept
};
constexpr auto names_of(AtomStart) {
  return std::array{Named{AtomStart::noise, "noise"}, Named{AtomStart::descriptors, "descriptors"},
                    Named{AtomStart::both, "both"}};
}

/// How Adam moves along gradients. Lengths are multiplied by AtomModel::unit.
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
      Field{"learning_rate", &O::learning_rate, 0, inf,
            "length of a step, of the unit of the structures"},
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
      Field{"start", &O::start, 0, 2, "noise, descriptors or both"},
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
      Field{"start", &O::start, 0, 2, "noise, descriptors or both"},
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

/// The result of learning for the graphs it was made from: atom, loss and losses are those of all
/// ranks, the rest is about the graphs of this one.
struct Learned {
  Atom atom;
  double unit = 1;                  ///< see AtomModel
  double loss = 0;                  ///< mean value of the graphs
  Matrix embedding = {};            ///< target weights q of each graph (K x m)
  std::vector<double> values = {};  ///< of each graph
  std::vector<Plan> plans = {};     ///< of each graph
  /// After each epoch (closed form: of the sums that made the atom, in which forgotten batches
  /// count less) or evaluation (the paper's scheme), of the start that was kept.
  std::vector<double> losses = {};
  int epochs = 0;  ///< of the start that was kept, without those after jumps
  int passes = 0;  ///< over the dataset: epochs of all starts, and those after jumps
  int starts = 0;  ///< that were begun
  int jumps = 0;   ///< that were begun, of all starts
  std::size_t graphs_of_pass = 0;  ///< learned from in a pass that was not finished
  Status status = Status::iteration_limit;
};

/// Learning as a value that goes on batch by batch, can be saved in between and taken up again
/// with the same result to the last bit. Looks at the samples, which must outlive it, unless they
/// are moved into it.
/// With Run::ranks each rank gives the graphs that it has, consecutive ones of the dataset, and
/// may have none; all calls that are not only looks are collective. The k-means that starts are
/// made from is that of the first rank, which needs memory for descriptors of all nodes.
class Learning {
 public:
  static constexpr const char* checkpoint_kind = "checkpoint";
  static constexpr int checkpoint_version = 3;  ///< what is written, and the newest that is read

  /// Throws, with the number of the graph, when samples are malformed or differ in their features;
  /// when there are none; and when `size` is not at least 1.
  Learning(std::span<const Sample> samples, Index size, const Projection& projection = {},
           const Learner& learner = ClosedForm{}, const Run& run = {});
  Learning(std::vector<Sample>&& samples, Index size, const Projection& projection = {},
           const Learner& learner = ClosedForm{}, const Run& run = {});
  Learning(Learning&&) noexcept;
  Learning& operator=(Learning&&) noexcept;
  ~Learning();

  /// The next batch; false: all is done. A batch that is stopped is thrown away: the next call
  /// makes it once more, with the same result as if nothing had happened.
  bool advance();
  [[nodiscard]] int epoch() const;  ///< passes over the dataset that are done, of all starts
  [[nodiscard]] Atom atom() const;  ///< as it is now
  [[nodiscard]] std::vector<double> losses() const;  ///< so far
  /// The best atom so far, and the plans of all graphs onto it.
  [[nodiscard]] Learned result();
  /// As result(), in well below a second, for runs that were stopped: where that is not enough to
  /// project all graphs, plans and values are those at hand, or of product plans.
  [[nodiscard]] Learned quick_result();

  /// All that the rest of the run depends on; on ranks that of all, on the first of them.
  [[nodiscard]] io::Archive checkpoint() const;
  /// Goes on where the checkpoint was made, on any number of ranks, each of which is given all of
  /// it. Throws when it is of other samples or options.
  void resume(const io::Archive& checkpoint);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Goes on to the end, or until the run is stopped or `go_on`, which is asked after each batch,
/// says so; on ranks, until that happens on one of them. The observer hears of each epoch
/// (iteration: epoch, value: loss).
[[nodiscard]] Learned finish(Learning& learning, const Run& run = {},
                             const std::function<bool()>& go_on = {});

/// Learns one atom of `size` nodes. Graphs are solved in parallel; the result does not depend on
/// the threads. The run is watched as by finish(); a stop before the first atom is an error.
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
  /// Goes on from an atom whose graphs are not known any more, as if so many graphs had used all of
  /// its nodes alike. `unit` is that of the model.
  void take(const Atom& atom, double unit, std::uint64_t graphs);
  /// Learns from a batch and gives its mean value on the atom before. Throws as Learning does.
  double partial_fit(std::span<const Sample> batch);
  [[nodiscard]] Atom atom() const;
  [[nodiscard]] double unit() const;           ///< see AtomModel; that of the first graphs
  [[nodiscard]] std::uint64_t graphs() const;  ///< seen so far

  [[nodiscard]] io::Archive checkpoint() const;
  void resume(const io::Archive& checkpoint);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// How the plan of a graph is searched from the product start.
enum class EmbedSearch {
  /// By row coordinate descent: faster and mostly lower than conditional gradient, to the same gap.
  /// With a penalty, entropy, mirror descent, asymmetric or scaled structures and on large graphs
  /// it
  /// does not apply, and `method` is used.
  rows,
  method,  ///< with the method of the dictionary, as in the paper
};

struct EmbedOptions {
  std::vector<Coordinate> coordinates = {Coordinate::weights};
  EmbedSearch search = EmbedSearch::rows;
  /// With some, the method of the dictionary is tried besides, from the product and from so many
  /// random labels; the lowest value is kept.
  int random_starts = 0;
  std::size_t first = 0;  ///< number of the first graph, from which messages count
};

/// Graphs as points.
struct Embedding {
  Matrix coordinates;  ///< one row for each graph: for each atom, its coordinates in order
  Matrix values;       ///< of the divergence, graphs x atoms; a single column with baselines
  double mean_value = 0;
};

/// Columns of each block of an embedding: for each atom those of each coordinate in order, then
/// that of log_size.
[[nodiscard]] std::vector<Index> embedding_blocks(const Dictionary& dictionary,
                                                  const EmbedOptions& options);
/// Columns of an embedding.
[[nodiscard]] Index embedding_columns(const Dictionary& dictionary, const EmbedOptions& options);

/// Projects graphs on all atoms of a dictionary, in parallel; the result does not depend on the
/// threads, and nothing is allocated for a graph but its row of the result. Throws, with the number
/// of the graph, when samples are malformed or not of the kind that the dictionary was learned on;
/// and an Error of kind `stopped` when the run is stopped, since some rows are no result.
[[nodiscard]] Embedding embed(const Dictionary& dictionary, std::span<const Sample> samples,
                              const EmbedOptions& options = {}, const Run& run = {});

/// Value of the divergence of each graph (row) on each atom (column), as embed() finds it. A graph
/// with as many nodes as an atom may be that atom, so it is also solved from the automatic start.
/// Throws as embed() does.
[[nodiscard]] Matrix distances(const Dictionary& targets, std::span<const Sample> samples,
                               const EmbedOptions& options = {}, const Run& run = {});

/// The mean terms of graphs with so many feature columns. With ranks, those of the graphs of all
/// ranks, whatever their number.
[[nodiscard]] FusedTerms fused_terms(std::span<const Sample> samples, Index columns,
                                     Ranks* ranks = nullptr);

/// A sentence with a remedy when one term, weighed by alpha, costs more than 20 times the other, so
/// that the other hardly matters; else nothing. At alpha 0 and 1 that is what was asked for.
[[nodiscard]] std::string drowned_term(const FusedTerms& terms, double alpha);

/// How columns are scaled before distances between rows are taken.
enum class RowScaling {
  none,
  blocks,     ///< each block of columns to mean 0 and variance 1 in all, so that all of them count
  quantiles,  ///< each column to the share of rows below, then blocks: outliers do not count
};
constexpr auto names_of(RowScaling) {
  return std::array{Named{RowScaling::blocks, "blocks"}, Named{RowScaling::quantiles, "quantiles"},
                    Named{RowScaling::none, "none"}};
}

/// Fitted on some rows, used for any.
struct RowScale {
  Matrix sorted;  ///< of each column, as a row: what quantiles are taken in; empty: none are
  Vector means, factors;  ///< then column c becomes (c - mean) * factor; empty: it stays

  [[nodiscard]] Matrix apply(MatrixView rows) const;
};
/// Blocks are numbers of columns, one behind the other; a single one keeps its variance, one that
/// does not vary becomes 0. Throws unless they add up to the columns and there are rows.
[[nodiscard]] RowScale row_scale(MatrixView rows, std::span<const Index> blocks,
                                 RowScaling scaling);

/// A graph that all graphs of a batch are matched with.
struct Template {
  Matrix structure;                    ///< B (m x m)
  Matrix features = {};                ///< Y (m x d); no columns: none
  std::optional<Vector> weights = {};  ///< hbar (m); given: balanced (GW, FGW)
  double alpha = 1;                    ///< weight of the structure; read where there are features
  /// M of all nodes of the batch, in the order of the graphs, instead of features.
  std::optional<MatrixSpan> cost = {};
};

struct TemplateOptions {
  Loss loss = Loss::square;
  double entropy = 0;  ///< as in Problem; the values include it, so that they are differentiable
  Method method = ConditionalGradient{.tolerance = 1e-9};
  /// Absent: row by row where that serves, otherwise Start::automatic; the product where the
  /// problem is balanced or has entropy.
  std::optional<Start> start = {};
  int count = 1;  ///< of starts
};

struct TemplateMatches {
  Matrix values;            ///< G x K: the objective of graph g and template k
  std::vector<Plan> plans;  ///< G x K, row by row
  Index unconverged = 0;    ///< solves that a limit stopped

  [[nodiscard]] const Plan& plan(Index graph, Index number) const {
    return plans[static_cast<std::size_t>(graph * values.cols() + number)];
  }
};

/// Matches each graph with each template, in parallel over the graphs. Without features the
/// structure is all that counts. Throws when graphs and templates do not fit together, and, since
/// half of the values are of no use, when the run is stopped.
[[nodiscard]] TemplateMatches match_templates(std::span<const Sample> graphs,
                                              std::span<const Template> templates,
                                              const TemplateOptions& options = {},
                                              const Run& run = {});

/// The arguments with derivatives.
struct TemplateParts {
  bool entries = true, weights = true, features = true;  ///< of graphs
  bool structures = true, template_features = true, template_weights = true, alpha = true;
  bool costs = true;
};

/// Derivatives of sum_gk factor_gk value_gk with the plans held fixed: by the envelope theorem
/// those of the optimal values wherever the plan is unique. Those in weights are up to a constant
/// in each graph or template, and centred. What was not asked for is empty.
struct TemplateGradients {
  /// In the stored entries of all structures, each row by row, one graph after the other.
  std::vector<double> entries;
  Vector weights;                                     ///< h of all graphs (N)
  Matrix features;                                    ///< of all graphs (N x d)
  std::vector<Matrix> structures, template_features;  ///< of each template
  std::vector<Vector> template_weights;               ///< of each; zeros where they are free
  Vector alpha;                                       ///< K
  std::vector<Matrix> costs;                          ///< of each template (N x m)
};

[[nodiscard]] TemplateGradients template_gradients(
    std::span<const Sample> graphs, std::span<const Template> templates,
    const TemplateOptions& options, const TemplateMatches& matches, MatrixView factors,
    const TemplateParts& parts = {}, const Run& run = {});

/// Structures of graphs whose edges are in one list, with nodes numbered through from graph to
/// graph, as PyTorch Geometric batches them.
struct SplitEdges {
  std::vector<Structure> structures;  ///< CSR; edges that occur more than once are added up
  std::vector<std::size_t> slots;     ///< where each edge is in TemplateGradients::entries
};
/// `weights` empty: ones. Throws when an edge leaves its graph.
[[nodiscard]] SplitEdges split_edges(std::span<const std::int64_t> from,
                                     std::span<const std::int64_t> to,
                                     std::span<const double> weights,
                                     std::span<const std::int64_t> sizes);

// Model files. A model is a Dictionary, or a LinearDictionary, Factorization or GraphCentres of
// baselines.hpp; other types do not link.

/// A model as named arrays with a header.
template <std::derived_from<AtomModel> Model>
[[nodiscard]] io::Archive to_archive(const Model& model);
/// The model of an archive. Throws when the archive holds something else.
template <std::derived_from<AtomModel> Model>
[[nodiscard]] Model from_archive(const io::Archive& archive);

template <std::derived_from<AtomModel> Model>
void save(const Model& model, const std::filesystem::path& path) {
  to_archive(model).write(path);
}
template <std::derived_from<AtomModel> Model>
[[nodiscard]] Model load(const std::filesystem::path& path);

}  // namespace srgw
