// SPDX-License-Identifier: MIT
#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/overloaded.hpp"
#include "draw/canvas.hpp"
#include "draw/colours.hpp"
#include "report/json.hpp"

namespace srgw::detail {

namespace {

constexpr Index palette_size = 24;

void write(JsonWriter& json, const std::vector<std::string>& texts) {
  json.array(texts, [&](const std::string& text) { json.text(text); });
}
void write(JsonWriter& json, const std::vector<double>& numbers) {
  json.array(numbers, [&](double number) { json.number(number); });
}

void write(JsonWriter& json, const CurvesPicture& curves) {
  json.key("kind").text("curves").key("series").begin_array();
  for (const Series& series : curves.series) {
    json.begin_object().key("name").text(series.name);
    json.key("x");
    write(json, series.x);
    json.key("y");
    write(json, series.y);
    json.end_object();
  }
  json.end_array().key("xLabel").text(curves.x_label).key("yLabel").text(curves.y_label);
  json.key("logY").boolean(curves.log_y).key("logX").boolean(curves.log_x);
}

void write(JsonWriter& json, const HierarchyPicture& hierarchy) {
  const HierarchyPlaces places = arrange_hierarchy(hierarchy.levels);
  json.key("kind").text("hierarchy").key("levels").begin_array();
  for (std::size_t l = 0; l < hierarchy.levels.size(); ++l) {
    const HierarchyLevel& level = hierarchy.levels[l];
    json.begin_object().key("marked").boolean(level.marked);
    json.key("sizes").array(level.sizes, [&](Index size) { json.whole(size); });
    json.key("parents").array(level.parents, [&](NodeId parent) { json.whole(parent); });
    json.key("colours").array(places.colour[l], [&](Index colour) { json.whole(colour); });
    json.key("begin");
    write(json, places.begin[l]);
    json.key("end");
    write(json, places.end[l]);
    json.end_object();
  }
  json.end_array();
}

void write(JsonWriter& json, const BarsPicture& bars) {
  json.key("kind").text("bars").key("groups");
  write(json, bars.groups);
  json.key("series");
  write(json, bars.series);
  json.key("values").array(bars.values, [&](const std::vector<double>& row) { write(json, row); });
  json.key("yLabel").text(bars.y_label);
}

void write(JsonWriter& json, const ReportPoints& points) {
  const MainDirections main = main_directions(points.rows);
  std::map<std::string, Index> numbers;
  std::vector<std::string> names;
  for (const std::string& name : points.classes) {
    if (numbers.try_emplace(name, std::ssize(names)).second) names.push_back(name);
  }
  json.key("kind").text("points").key("x").begin_array();
  for (Index i = 0; i < main.points.rows(); ++i) json.number(main.points(i, 0));
  json.end_array().key("y").begin_array();
  for (Index i = 0; i < main.points.rows(); ++i) json.number(main.points(i, 1));
  json.end_array().key("classes");
  json.array(names, [&](const std::string& name) { json.text("class " + name); });
  json.key("classOf").array(points.classes,
                            [&](const std::string& name) { json.whole(numbers.at(name)); });
  json.key("labels").begin_array();
  for (std::size_t i = 0; i < points.classes.size(); ++i) {
    json.text(fmt::format("graph {}, class {}", i, points.classes[i]));
  }
  json.end_array();
  json.key("xLabel").text(fmt::format("first direction ({:.0f} %)", 100 * main.first));
  json.key("yLabel").text(fmt::format("second direction ({:.0f} %)", 100 * main.second));
}

void write(JsonWriter& json, const ReportCells& cells) {
  json.key("kind").text("cells").key("names");
  write(json, cells.names);
  json.key("values").begin_array();
  for (Index row = 0; row < cells.values.rows(); ++row) {
    json.begin_array();
    for (Index column = 0; column < cells.values.cols(); ++column) {
      json.number(cells.values(row, column));
    }
    json.end_array();
  }
  json.end_array().key("unit").text(cells.unit);
}

void write_places(JsonWriter& json, const Matrix& points) {
  constexpr double resolution = 10000;
  const Eigen::RowVector2d low = points.colwise().minCoeff();
  const double size = std::max(1e-12, (points.colwise().maxCoeff() - low).maxCoeff());
  for (const Index column : {Index{0}, Index{1}}) {
    json.key(column == 0 ? "x" : "y").begin_array();
    for (Index i = 0; i < points.rows(); ++i) {
      const double t = (points(i, column) - low[column]) / size;
      // Pages count upwards, pictures downwards.
      json.whole(std::lround(resolution * (column == 0 ? t : 1 - t)));
    }
    json.end_array();
  }
}

void write_names(JsonWriter& json, const NodeNames& names) {
  json.key("names").begin_array();
  for (Index i = 0; i < names.size() && !names.are_numbers(); ++i) json.text(names[i]);
  json.end_array().key("ids").begin_array();
  for (Index i = 0; i < names.size() && names.are_numbers() && !names.are_indices(); ++i) {
    json.whole(names.number(i));
  }
  json.end_array();
}

void write(JsonWriter& json, const ReportGraph& graph) {
  write_names(json, graph.names);
  write_places(json, graph.points);
  json.key("cluster").array(graph.cluster, [&](std::int32_t k) { json.whole(k); });
  json.key("degree").array(graph.degree, [&](std::uint32_t d) { json.whole(d); });
  const std::size_t n = graph.cluster.size();
  const double base = n > 10000 ? 1.5 : n > 2000 ? 2.2 : n > 300 ? 3.5 : 7;
  double mean = 1e-12;
  for (const std::uint32_t d : graph.degree) mean += d / static_cast<double>(n);
  json.key("size").begin_array();
  for (const std::uint32_t d : graph.degree) {
    json.number(std::round(10 * base * std::clamp(0.6 + 0.4 * std::sqrt(d / mean), 0.6, 2.5)) / 10);
  }
  json.end_array().key("clusters");
  write(json, graph.clusters);
  json.key("colours").begin_array();
  for (Index k = 0; k < std::ssize(graph.clusters); ++k) json.text(category(k).hex());
  json.end_array().key("edges").begin_array();
  for (const auto& [a, b] : graph.edges) json.whole(a).whole(b);
  json.end_array().key("memberships").begin_array();
  for (const auto& one : graph.memberships) {
    json.begin_array().whole(one.node).whole(one.cluster);
    json.whole(std::lround(100 * one.share)).end_array();
  }
  json.end_array();
}

void write(JsonWriter& json, const ReportTable& table) {
  json.key("columns");
  write(json, table.columns);
  json.key("rows").array(table.rows,
                         [&](const std::vector<std::string>& row) { write(json, row); });
}

Picture draw_cells(const ReportCells& cells, const std::string& title) {
  const auto count = static_cast<double>(cells.names.size());
  const double side = std::clamp(count * 24, 160.0, 480.0), cell = side / count;
  Canvas canvas;
  const double width = side + 2 * margin + 60;
  const double top = draw_titles(canvas, width, "", "") + 16;
  const double largest = std::max(1e-300, cells.values.maxCoeff());
  for (Index a = 0; a < cells.values.rows(); ++a) {
    for (Index b = 0; b < cells.values.cols(); ++b) {
      canvas.rect(
          {margin + 60 + cell * static_cast<double>(b), top + cell * static_cast<double>(a), cell,
           cell},
          fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"0.4\"",
                      grey(std::sqrt(std::max(0.0, cells.values(a, b)) / largest)).hex(), faint));
    }
    if (cell < 11) continue;
    canvas.text({margin + 54, top + cell * (static_cast<double>(a) + 0.5) + 4},
                shorten(cells.names[a], small_size, 54),
                {.size = small_size, .anchor = Anchor::end, .colour = soft_ink});
  }
  return {width, top + side + margin, title, canvas.take()};
}

}  // namespace

std::string page_data(const Report& report) {
  JsonWriter json;
  json.begin_object().key("palette").begin_array();
  for (Index k = 0; k < palette_size; ++k) json.text(category(k).hex());
  json.end_array().key("sections").begin_array();
  for (const ReportSection& section : report.sections) {
    json.begin_object().key("id").text(section.id).key("members").boolean(section.members);
    if (section.chart) {
      json.key("chart").begin_object();
      std::visit([&](const auto& chart) { write(json, chart); }, *section.chart);
      json.end_object();
    }
    if (section.table) {
      json.key("table").begin_object();
      write(json, *section.table);
      json.end_object();
    }
    if (section.graph) {
      json.key("graph").begin_object();
      write(json, *section.graph);
      json.end_object();
    }
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

Picture drawing_of(const ReportChart& chart, const std::string& title) {
  return std::visit(Overloaded{
                        [](const CurvesPicture& curves) { return draw_curves(curves); },
                        [](const BarsPicture& bars) { return draw_bars(bars); },
                        [](const HierarchyPicture& levels) { return draw_hierarchy(levels); },
                        [](const ReportPoints& points) {
                          return draw_embedding({.rows = points.rows, .classes = points.classes});
                        },
                        [&](const ReportCells& cells) { return draw_cells(cells, title); },
                    },
                    chart);
}

}  // namespace srgw::detail
