// SPDX-License-Identifier: MIT
#include "cli/exit_code.hpp"
#include "cli/solving.hpp"

namespace srgw::cli {

namespace {

void add_problem(CLI::App& app, Solving& solving, bool may_be_balanced) {
  const std::string group = "Problem";
  app.add_option("--structure", solving.structure,
                 "Matrix of a graph: adjacency, modularity, stability:t, heat:t, "
                 "normalized-adjacency, laplacian, normalized-laplacian, shortest-path[:d]")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  app.add_option("--weights", solving.weights,
                 "Weights of the nodes: auto (those of the structure), uniform, degree, power:b or "
                 "a file")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  app.add_option("--target-weights", solving.target_weights,
                 "Weights of the target nodes, with gw and fgw: a word as for --weights, or a file")
      ->type_name("WORD")
      ->group(may_be_balanced ? group : "");
  app.add_option("--divergence", solving.divergence, "By default srfgw with --features, else srgw")
      ->type_name(may_be_balanced ? "srgw|srfgw|gw|fgw" : "srgw|srfgw")
      ->check(silent(CLI::IsMember({"srgw", "srfgw", "gw", "fgw"})))
      ->group(group);
  app.add_option("--features", solving.features, "Features of the nodes, .csv or .npy")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--alpha", solving.alpha,
                 "Weight of the structure against the features, by default 0.5")
      ->type_name("X")
      ->check(silent(CLI::Range(0.0, 1.0)))
      ->group(group);
  app.add_option("--loss", solving.loss, "What a pair of entries costs")
      ->type_name("square|kl")
      ->check(silent(CLI::IsMember({"square", "kl"})))
      ->capture_default_str()
      ->group(group);
  app.add_option("--sparsity", solving.sparsity,
                 "Weight of the penalty on target weights: fewer target nodes are used")
      ->type_name("X")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(group);
  app.add_option("--entropic-mode", solving.entropic_mode,
                 "What --epsilon means: length of the steps, or weight of the entropy")
      ->type_name("proximal|entropic")
      ->check(silent(CLI::IsMember({"proximal", "entropic"})))
      ->capture_default_str()
      ->group(group);
  app.add_option("--symmetric", solving.symmetric,
                 "yes refuses structures that are not; by default looked up")
      ->type_name("auto|yes|no")
      ->check(silent(CLI::IsMember({"auto", "yes", "no"})))
      ->group(group);
}

void add_running(CLI::App& app, Solving& solving) {
  const std::string group = "Running";
  app.add_option("--max-memory", solving.max_memory, "Refuse to run when about more is needed")
      ->type_name("SIZE")
      ->group(group);
  app.add_flag("--strict", solving.strict, "Exit with 4 when not converged")->group(group);
  app.add_option("--plan", solving.plan_file,
                 "Write the plan (nodes x target nodes), .npy .csv or .tsv")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--save", solving.save, "Write the result with a manifest, .npz")
      ->type_name("FILE")
      ->group(group);
}

}  // namespace

void add_solving(CLI::App& app, Solving& solving, const Defaults& defaults) {
  solving.structure = defaults.structure;
  solving.start = defaults.start;
  solving.may_be_balanced = defaults.may_be_balanced;
  const bool chooses = solving.start == "auto";
  add_problem(app, solving, defaults.may_be_balanced);
  const std::string group = "Method";
  app.add_option("--start", solving.start, start_help())
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  app.add_option_function<std::string>(
         "--starts",
         [&solving, chooses](const std::string& text) {
           const auto count = to_index(text);
           if (chooses && text == "auto") return;
           if (!count || *count < 1 || *count > 100'000) {
             fail_usage("--starts {}, expected {}a whole number from 1 to 100000", text,
                        chooses ? "auto or " : "");
           }
           solving.starts = static_cast<int>(*count);
         },
         "Number of starts, of which the best is kept")
      ->type_name("N")
      ->default_str(chooses ? "auto" : "1")
      ->group(group);
  add_method_flags(app, solving.flags);
  add_reading(app, solving.reading);
  add_running(app, solving);
  add_seed(app, solving.seed);
  add_progress(app, solving.common);
  add_common(app, solving.common);
}

}  // namespace srgw::cli
