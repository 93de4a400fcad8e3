// SPDX-License-Identifier: MIT
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/solving.hpp"

namespace srgw::cli {

namespace {

void add_problem(CLI::App& app, Solving& solving) {
  Options options(app, "Problem");
  options.text("--structure", solving.structure, "NAME",
               "Matrix of a graph: adjacency, modularity, stability:t, heat:t, "
               "normalized-adjacency, laplacian, normalized-laplacian, shortest-path[:d]");
  options.text("--weights", solving.weights, "NAME",
               "Node weights: auto (those of the structure), uniform, degree, power:b or a file");
  const bool balanced = solving.may_be_balanced;
  options
      .text("--target-weights", solving.target_weights, "NAME",
            "Only with gw and fgw: weights of the target nodes, as for --weights, or a file")
      ->group(balanced ? "Problem" : "");
  CLI::Option* divergence = add_divergence(app, solving.divergence);
  if (!balanced) {
    divergence->type_name("srgw|srfgw")
        ->description("srfgw uses node features. Default: srfgw with --features, else srgw");
  }
  options.file("--features", solving.features, "Node features, .csv or .npy");
  CLI::Option* alpha = options.text(
      "--alpha", solving.alpha, "X",
      "Weight of the structure; features have weight 1 - X. Default with features: 0.5");
  if (balanced) {
    alpha->type_name("X|balanced")
        ->description(
            "Weight of the structure; features have weight 1 - X; balanced: both cost the same on "
            "one target node. Default with features: 0.5")
        ->check(check_choice({"balanced"}) | check_number(0, 1, false));
  } else {
    alpha->check(check_number(0, 1, false));
  }
  add_loss(app, solving.loss);
  add_sparsity(app, solving.sparsity);
  options.choice("--entropic-mode", solving.entropic_mode, {"proximal", "entropic"},
                 "Meaning of --epsilon: inverse step length, or weight of the entropy");
  options.choice("--symmetric", solving.symmetric, {"auto", "yes", "no"},
                 "yes: fail if a matrix is not symmetric; auto: detect symmetry");
}

void add_running(CLI::App& app, Solving& solving) {
  Options options(app, "Running");
  options.text("--max-memory", solving.max_memory, "SIZE",
               "Stop if the estimated memory exceeds SIZE, for example 500M or 2G");
  options.flag("--strict", solving.strict, "Exit with code 4 if the solver did not converge");
  options.file("--plan", solving.plan_file,
               "Write the plan (nodes x target nodes), .npy, .csv or .tsv");
  options.file("--save", solving.save, "Write the result with a manifest, .npz; see `srgw draw`");
}

}  // namespace

CLI::Option* add_divergence(CLI::App& app, std::string& divergence) {
  return Options(app, "Problem")
      .choice("--divergence", divergence, {"srgw", "srfgw", "gw", "fgw"},
              "gw and fgw keep the target weights fixed; srfgw and fgw use node features. Default: "
              "srfgw with node features, else srgw");
}

void add_alpha(CLI::App& app, double& alpha) {
  Options(app, "Problem")
      .number("--alpha", alpha, "Weight of the structure; features have weight 1 - X", 0, 1);
}

void add_loss(CLI::App& app, Loss& loss) {
  Options(app, "Problem")
      .choice("--loss", loss, "Loss between an entry of the source and one of the target");
}

void add_sparsity(CLI::App& app, double& sparsity) {
  Options(app, "Problem")
      .number("--sparsity", sparsity,
              "Weight of the penalty that makes target weights sparse; 0: no penalty");
}

void add_start(CLI::App& app, std::string& start) {
  Options(app, "Method").text("--start", start, "NAME", start_help());
}

void add_solving(CLI::App& app, Solving& solving, const Defaults& defaults) {
  solving.structure = defaults.structure;
  solving.start = defaults.start;
  solving.may_be_balanced = defaults.may_be_balanced;
  const bool chooses = solving.start == "auto";
  add_problem(app, solving);
  add_start(app, solving.start);
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
         "Number of starts; the best result is kept")
      ->type_name("N")
      ->default_str(chooses ? "auto" : "1")
      ->group("Method");
  add_method_flags(app, solving.flags);
  add_reading(app, solving.reading);
  add_running(app, solving);
  add_seed(app, solving.seed);
  add_progress(app, solving.common);
  add_common(app, solving.common);
}

}  // namespace srgw::cli
