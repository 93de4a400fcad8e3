// SPDX-License-Identifier: MIT
#include "cli/chart_file.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

using JsonValue = nlohmann::json;

/// The keys of one object; errors begin with its place, as in "series[1]: ".
class Keys {
 public:
  explicit Keys(const JsonValue& object, std::string where = {})
      : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail_input("{}no object, expected one", where_);
  }

  [[nodiscard]] std::string text(const char* key, bool required = false) const {
    return read<std::string>(key, "a text", required);
  }
  [[nodiscard]] bool flag(const char* key) const { return read<bool>(key, "true or false", false); }
  [[nodiscard]] std::vector<std::string> texts(const char* key, bool required) const {
    return read<std::vector<std::string>>(key, "a list of texts", required);
  }
  /// Numbers; null is an absent one.
  [[nodiscard]] std::vector<double> numbers(const char* key) const {
    std::vector<double> result;
    for (const JsonValue& item : list(key)) result.push_back(number(item, key));
    return result;
  }
  [[nodiscard]] Matrix matrix(const char* key) const {
    const JsonValue& rows = list(key);
    Matrix result(std::ssize(rows), rows.empty() ? 0 : std::ssize(rows.front()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].is_array() || std::ssize(rows[i]) != result.cols()) {
        fail_input("{}{}[{}], expected a list of {} numbers", where_, key, i, result.cols());
      }
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        result(static_cast<Index>(i), static_cast<Index>(j)) = number(rows[i][j], key);
      }
    }
    return result;
  }
  [[nodiscard]] std::vector<Keys> objects(const char* key) const {
    std::vector<Keys> result;
    for (const JsonValue& item : list(key)) {
      result.emplace_back(item, fmt::format("{}{}[{}]: ", where_, key, result.size()));
    }
    return result;
  }

 private:
  template <class T>
  [[nodiscard]] T read(const char* key, const char* what, bool required) const {
    if (!object_.contains(key)) {
      if (required) fail_input("{}no {}, expected {}", where_, key, what);
      return {};
    }
    try {
      return object_.at(key).get<T>();
    } catch (const JsonValue::exception&) {
      fail_input("{}{} is {}, expected {}", where_, key, object_.at(key).dump(), what);
    }
  }

  [[nodiscard]] const JsonValue& list(const char* key) const {
    if (!object_.contains(key) || !object_.at(key).is_array()) {
      fail_input("{}{} is absent or no list, expected a list", where_, key);
    }
    return object_.at(key);
  }

  [[nodiscard]] double number(const JsonValue& item, const char* key) const {
    if (item.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!item.is_number()) fail_input("{}{} has {}, expected numbers", where_, key, item.dump());
    return item.get<double>();
  }

  const JsonValue& object_;
  std::string where_;
};

Picture bars_of(const Keys& keys) {
  BarsPicture bars{.groups = keys.texts("groups", true),
                   .series = {},
                   .values = {},
                   .y_label = keys.text("y_label"),
                   .title = keys.text("title"),
                   .subtitle = keys.text("subtitle")};
  for (const Keys& series : keys.objects("series")) {
    bars.series.push_back(series.text("name", true));
    bars.values.push_back(series.numbers("values"));
  }
  return draw_bars(bars);
}

Picture curves_of(const Keys& keys) {
  CurvesPicture curves{.series = {},
                       .x_label = keys.text("x_label"),
                       .y_label = keys.text("y_label"),
                       .log_y = keys.flag("log_y"),
                       .title = keys.text("title"),
                       .subtitle = keys.text("subtitle")};
  for (const Keys& series : keys.objects("series")) {
    curves.series.push_back({series.text("name", true), series.numbers("x"), series.numbers("y")});
  }
  return draw_curves(curves);
}

Picture points_of(const Keys& keys) {
  return draw_embedding({.rows = keys.matrix("rows"),
                         .classes = keys.texts("classes", false),
                         .title = keys.text("title"),
                         .subtitle = keys.text("subtitle")});
}

}  // namespace

Picture draw_chart_file(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw Error(Error::Kind::io, fmt::format("{}: cannot be read", file));
  try {
    const JsonValue json = JsonValue::parse(in);
    const Keys keys(json);
    const std::string chart = keys.text("chart", true);
    if (chart == "bars") return bars_of(keys);
    if (chart == "curves") return curves_of(keys);
    if (chart == "points") return points_of(keys);
    fail_input("chart is '{}', expected bars, curves or points", chart);
  } catch (const JsonValue::exception& error) {
    throw Error(Error::Kind::format, fmt::format("{}: {}", file, error.what()));
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::stopped) throw;
    throw Error(Error::Kind::format, fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace srgw::cli
