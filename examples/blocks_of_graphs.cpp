// SPDX-License-Identifier: MIT
// A graph with two blocks and most edges between them, summarised by a coarse graph and a block
// model; and the graphon of graphs of three sizes that are drawn alike.
#include <srgw/srgw.hpp>

#include <cstdio>
#include <vector>

namespace {

srgw::Graph draw(srgw::Index first, srgw::Index second, std::uint64_t seed) {
  srgw::Matrix p(2, 2);
  p << 0.05, 0.4,  //
      0.4, 0.2;
  return srgw::generate(srgw::StochasticBlockModel{.sizes = {first, second}, .probabilities = p},
                        seed)
      .graph;
}

}  // namespace

int main() {
  const srgw::Graph graph = draw(60, 40, 1);

  const srgw::Coarsening coarse = srgw::coarsen(graph, {.nodes = 10});
  std::printf("coarse graph    %td nodes, %td edges, value %.4f\n", coarse.nodes(),
              coarse.graph.edges(), coarse.value);

  // The number of blocks is that with the shortest description.
  const srgw::BlockModel model = srgw::fit_block_model(graph);
  std::printf("blocks          %td, probability of an edge between them %.2f, inside %.2f %.2f\n",
              model.blocks(), model.probabilities(0, 1), model.probabilities(0, 0),
              model.probabilities(1, 1));

  const std::vector<srgw::Graph> graphs = {draw(30, 20, 1), draw(60, 40, 2), draw(90, 60, 3)};
  const srgw::Graphon graphon = srgw::fit_graphon(graphs, {.steps = 2});
  std::printf("graphon         widths %.2f %.2f, between them %.2f\n", graphon.widths[0],
              graphon.widths[1], graphon.values(0, 1));
  const srgw::Graph drawn = srgw::sample(graphon, 200, 0).graph;
  std::printf("drawn from it   %td nodes, %td edges\n", drawn.nodes(), drawn.edges());
  return model.blocks() == 2 && graphon.steps() == 2 ? 0 : 1;
}
