// SPDX-License-Identifier: MIT
#include "base/message.hpp"
#include "io/formats.hpp"
#include "io/formats/npy.hpp"

namespace srgw {

namespace {

using detail::fail_at;
using detail::Input;
using detail::quote;

/// A table of numbers as text: rows in node order, or named in the first column.
class FeatureTable {
 public:
  FeatureTable(const Input& input, const NodeNames& names, char separator)
      : name_(input.name), names_(names), index_(names), lines_(input), separator_(separator) {}

  Matrix read() {
    while (next()) {
      if (columns_ == 0 && read_header()) continue;
      read_row();
    }
    if (std::ssize(places_) != names_.size()) {
      fail_at({name_}, "{} rows, expected one for each of {} nodes", places_.size(), names_.size());
    }
    return matrix();
  }

 private:
  bool next() {
    if (!lines_.next_content("#")) return false;
    if (!detail::split_fields(lines_.line(), separator_, fields_)) {
      fail_at(lines_.where(), "a double quote is left open, expected its partner");
    }
    return true;
  }

  /// Whether the first line is a header; it tells how many fields there are.
  bool read_header() {
    columns_ = fields_.size();
    by_name_ = fields_[0] == "node" || fields_[0] == "name" || fields_[0] == "id";
    return by_name_ || !detail::to_number(fields_.back());
  }

  void read_row() {
    if (fields_.size() != columns_) {
      fail_at(lines_.where(), "{} fields, expected {} as in the first line", fields_.size(),
              columns_);
    }
    const std::size_t row = values_.size();
    for (std::size_t k = by_name_ ? 1 : 0; k < columns_; ++k) {
      const auto number = detail::to_number(fields_[k]);
      if (!number) {
        fail_at(lines_.where(), "feature {}, expected a finite number", quote(fields_[k]));
      }
      values_.push_back(*number);
    }
    width_ = static_cast<Index>(values_.size() - row);
    places_.push_back(by_name_ ? node() : std::ssize(places_));
  }

  [[nodiscard]] Index node() {
    const auto found = index_.find(fields_[0]);
    if (!found) fail_at(lines_.where(), "node {} is not in the graph", quote(fields_[0]));
    if (seen_.empty()) seen_.resize(names_.size(), 0);
    std::size_t& line = seen_[*found];
    if (line != 0) {
      fail_at(lines_.where(), "node {} has a row in line {} already, expected one",
              quote(fields_[0]), line);
    }
    line = lines_.number();
    return *found;
  }

  [[nodiscard]] Matrix matrix() const {
    Matrix result(names_.size(), width_);
    for (std::size_t row = 0; row < places_.size(); ++row) {
      result.row(places_[row]) = Eigen::Map<const Eigen::RowVectorXd>(
          values_.data() + static_cast<Index>(row) * width_, width_);
    }
    return result;
  }

  const std::string& name_;
  const NodeNames& names_;
  NameIndex index_;
  detail::LineReader lines_;
  char separator_;
  bool by_name_ = false;
  std::size_t columns_ = 0;  // fields of a line
  Index width_ = 0;          // features of a node
  std::vector<std::string> fields_;
  std::vector<double> values_;
  std::vector<Index> places_;      // node of each row
  std::vector<std::size_t> seen_;  // line of each node; 0: none yet
};

Matrix read_array(const Input& input, const NodeNames& names) {
  Matrix features = detail::to_matrix(detail::parse_npy(input), input.name);
  if (features.rows() != names.size()) {
    fail_at({input.name}, "{} rows, expected one for each of {} nodes", features.rows(),
            names.size());
  }
  if (!features.allFinite()) {
    fail_at({input.name}, "a feature that is not finite, expected finite numbers");
  }
  return features;
}

Matrix features_of(const Input& input, const std::filesystem::path& path, const NodeNames& names) {
  return detail::name_file_in_errors(input.name, [&] {
    const std::string extension = detail::extension_of(path);
    if (extension == ".npy") return read_array(input, names);
    return FeatureTable(input, names, extension == ".tsv" ? '\t' : ',').read();
  });
}

}  // namespace

namespace io {

Matrix read_features(const std::filesystem::path& path, const NodeNames& names) {
  return features_of(detail::open_input(path), path, names);
}

Matrix parse_features(std::string_view bytes, const std::string& name, const NodeNames& names) {
  return features_of(detail::memory_input(bytes, name), name, names);
}

}  // namespace io

}  // namespace srgw
