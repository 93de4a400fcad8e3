// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/message.hpp"
#include "draw/axes.hpp"
#include "srgw/draw.hpp"
#include "structure/eigen.hpp"

namespace srgw {

namespace {

using namespace detail;

/// Numbers of the classes in the order of their names; short numbers count as such: 2 before 10.
std::map<std::string, Index> number_classes(const std::vector<std::string>& classes) {
  std::vector<std::string> names(classes);
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() && a.find_first_not_of("0123456789") == std::string::npos &&
                   b.find_first_not_of("0123456789") == std::string::npos
               ? a.size() < b.size()
               : a < b;
  });
  std::map<std::string, Index> result;
  for (const std::string& name : names) result.try_emplace(name, std::ssize(result));
  return result;
}

}  // namespace

MainDirections main_directions(MatrixView rows) {
  if (rows.rows() == 0 || rows.cols() == 0 || !rows.allFinite()) {
    fail_argument("main directions of {} x {} numbers, expected some, all finite", rows.rows(),
                  rows.cols());
  }
  MainDirections result{Matrix::Zero(rows.rows(), 2)};
  const Eigen::RowVectorXd mean = rows.colwise().mean();
  const Matrix centred = rows.rowwise() - mean;
  const Eigen::MatrixXd covariance = centred.transpose() * centred;
  const EigenPairs pairs = eigen_pairs(covariance);
  const double total = covariance.trace();
  for (Index k = 0; k < std::min<Index>(2, rows.cols()); ++k) {
    const Index column = rows.cols() - 1 - k;  // eigenvalues come in rising order
    Eigen::VectorXd direction = pairs.vectors.col(column);
    Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0) direction = -direction;  // else the sign would be a matter of luck
    result.points.col(k) = centred * direction;
    const double share = total > 0 ? std::max(0.0, pairs.values[column]) / total : 0;
    (k == 0 ? result.first : result.second) = share;
  }
  return result;
}

Picture draw_embedding(const EmbeddingPicture& what) {
  constexpr double width = 680, height = 470, left = 84;
  if (!what.classes.empty() && std::ssize(what.classes) != what.rows.rows()) {
    fail_argument("picture of an embedding: classes of {} rows, expected {}", what.classes.size(),
                  what.rows.rows());
  }
  const MainDirections main = main_directions(what.rows);
  const auto classes = number_classes(what.classes);
  Canvas canvas;
  const double top = draw_titles(canvas, width, what.title, what.subtitle);
  const auto axis = [&](Index k) {
    const double room = 0.03 * (main.points.col(k).maxCoeff() - main.points.col(k).minCoeff());
    return Axis(main.points.col(k).minCoeff() - room, main.points.col(k).maxCoeff() + room);
  };
  const Chart chart{{margin + left, top, width - 2 * margin - left, height},
                    axis(0),
                    axis(1),
                    fmt::format("first direction ({:.0f} % of the variance)", 100 * main.first),
                    fmt::format("second direction ({:.0f} %)", 100 * main.second)};
  draw_axes(canvas, chart);
  const double radius = what.rows.rows() > 2000 ? 1.8 : what.rows.rows() > 300 ? 2.6 : 3.8;
  canvas.open("class=\"points\" fill-opacity=\"0.75\" stroke=\"#fff\" stroke-width=\"0.4\"");
  for (Index i = 0; i < main.points.rows(); ++i) {
    const std::string* name = what.classes.empty() ? nullptr : &what.classes[i];
    const Index k = name == nullptr ? 0 : classes.at(*name);
    canvas.circle(
        chart.at(main.points(i, 0), main.points(i, 1)), radius,
        fmt::format("fill=\"{}\"", category(k).hex()),
        name == nullptr ? fmt::format("graph {}", i) : fmt::format("graph {}, class {}", i, *name));
  }
  canvas.close();
  double end = chart.inner.bottom() + 50;
  std::vector<std::string> names(classes.size());
  for (const auto& [name, k] : classes) {
    const auto count = std::ranges::count(what.classes, name);
    names[k] = fmt::format("class {}: {} graph{}", name, count, count == 1 ? "" : "s");
  }
  end = draw_legend(canvas, {margin + left, end, width - 2 * margin - left, 0},
                    category_legend(names));
  return finish_picture(canvas, width, end + margin / 2, what.title, "Embedding");
}

}  // namespace srgw
