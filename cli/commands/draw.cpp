// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/chart_file.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "cli/saved_result.hpp"
#include "cli/standard_output.hpp"
#include "cli/stopping.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::cli {

namespace {

struct DrawArgs {
  Common common;
  std::vector<std::string> results;
  std::string output;
};

Picture draw_result(const io::Archive& archive, const std::string& file) {
  const SavedResult saved = saved_result(archive, file);
  const auto& result = saved.header.at("result");
  const DrawnGraph source{saved.input(0, file), saved.source, saved.names};
  if (!saved.labels.empty()) return partition_picture(source, saved.labels, saved.plan, result);
  const Graph identity = Graph::from_edges(saved.plan.columns(), {});
  const Graph& target = saved.target ? *saved.target : identity;
  const NodeNames names = saved.target ? saved.target_names : NodeNames::numbered(target.nodes());
  return draw_matching(
      matching_picture(source, {saved.input(1, "identity"), target, names}, saved.plan, result));
}

/// All atoms of a model, which does not record their use.
Picture draw_model(const io::Archive& archive, const std::string& file) {
  const Dictionary model = from_archive<Dictionary>(archive);
  std::vector<Picture> pictures;
  for (std::size_t a = 0; a < model.atoms.size(); ++a) {
    const Matrix& structure = model.atoms[a].structure;
    const Vector weights =
        Vector::Constant(structure.rows(), 1.0 / static_cast<double>(structure.rows()));
    pictures.push_back(draw_atom({.structure = structure,
                                  .weights = weights,
                                  .title = fmt::format("Atom {} of {}", a + 1, short_name(file)),
                                  .subtitle = fmt::format("{} nodes", structure.rows())}));
  }
  return stack_pictures(pictures);
}

Picture draw(const std::string& file) {
  set_task("drawing " + file);
  if (file.ends_with(".json")) return draw_chart_file(file);
  const io::Archive archive = io::Archive::read(file, "", 1);
  if (archive.kind() == result_kind) return draw_result(archive, file);
  if (archive.kind() == "dictionary") return draw_model(archive, file);
  throw Error(Error::Kind::format,
              fmt::format("{}: holds a {}, expected a result (--save), a model or a chart", file,
                          archive.kind()));
}

int run(const DrawArgs& args) {
  try {
    check_picture_file(args.output);
  } catch (const Error& error) {
    fail_usage("-o: {}", error.what());
  }
  takes_stdout({{"-o", args.output}}, args.common);
  check_folder_of(args.output);
  std::vector<Picture> pictures;
  for (const std::string& file : args.results) pictures.push_back(draw(file));
  set_task("writing " + args.output);
  const Picture picture = stack_pictures(pictures);
  save(picture, args.output);
  if (args.common.json) {
    print_json({{"picture", args.output}, {"width", picture.width}, {"height", picture.height}});
  }
  return exit_fine;
}

}  // namespace

Action add_draw(CLI::App& app) {
  auto args = std::make_shared<DrawArgs>();
  app.footer("Example: srgw draw result.npz -o result.svg");
  Options options(app);
  options.argument(
      "RESULT", args->results,
      "Result file of --save, model file of `srgw learn` or chart (.json); several are "
      "drawn below each other");
  options.file("-o,--output", args->output, "The picture, .svg or .svg.gz; - for stdout")
      ->required();
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
