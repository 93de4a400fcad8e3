// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/io.hpp"

namespace srgw {

// JSON of what models are made of. Options are objects with the names of their fields, enumerators
// are numbers; a field that is missing keeps its default, one outside of its range is a format
// error.

template <class Options>
requires requires(const Options& options) { fields(options); }
void to_json(nlohmann::json& json, const Options& options) {
  json = nlohmann::json::object();
  for_each_field(options, [&](const auto& field, const auto& value) {
    json[std::string(field.name)] = value;
  });
}

template <class Options>
requires requires(const Options& options) { fields(options); }
void from_json(const nlohmann::json& json, Options& options) {
  try {
    for_each_field(options, [&](const auto& field, auto& value) {
      const auto found = json.find(std::string(field.name));
      if (found == json.end()) return;
      // Before a number is narrowed: 99999999999999 as an int is 276447231, and 1.5 is 1.
      using T = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        const double number = found->is_number() ? found->template get<double>() : field.smallest;
        const bool exact = std::is_floating_point_v<T> || number == std::floor(number);
        if (!exact || !(number >= field.smallest && number <= field.largest)) {
          detail::fail_range(field.name, number, field.smallest, field.largest);
        }
      }
      found->get_to(value);
    });
    check_fields(options);
  } catch (const Error& error) {
    throw Error(Error::Kind::format, fmt::format("header of the model: {}", error.what()));
  }
}

void to_json(nlohmann::json& json, const Projection& projection);
void from_json(const nlohmann::json& json, Projection& projection);
void to_json(nlohmann::json& json, const FeatureMap& map);
void from_json(const nlohmann::json& json, FeatureMap& map);

namespace detail {

// A function describe(parts, object) names each part of an object once. With a PartsWriter it
// writes them: values go into the JSON header of an archive, arrays beside it. With a PartsReader
// it reads them back.

class PartsWriter {
 public:
  static constexpr bool reads = false;
  PartsWriter(io::Archive& archive, nlohmann::json& header) : archive_(archive), header_(header) {}

  /// Parts whose values are one object of the header.
  [[nodiscard]] PartsWriter inside(const char* name) { return {archive_, header_[name]}; }
  void value(const char* name, const auto& value) { header_[name] = value; }
  /// Only where it is not the usual value.
  void optional_value(const char* name, const auto& value, const auto& usual) {
    if (value != usual) header_[name] = value;
  }
  /// The setup that a reader must have been given too.
  void setup(const nlohmann::json& setup) { header_["setup"] = setup; }

  void array(const std::string& name, const Matrix& matrix) { archive_.add(name, matrix); }
  void array(const std::string& name, const Vector& vector) {
    archive_.add(name, std::vector<double>(vector.begin(), vector.end()));
  }
  template <class T>
  void array(const std::string& name, const std::vector<T>& values) {
    archive_.add(name, values);
  }
  /// Nothing where the matrix is empty.
  void optional_array(const std::string& name, const Matrix& matrix) {
    if (matrix.size() > 0) archive_.add(name, matrix);
  }
  /// Numbers that need not be finite, which JSON cannot write.
  void numbers(const std::string& name, const auto&... number) {
    archive_.add(name, std::vector<double>{static_cast<double>(number)...});
  }

 private:
  io::Archive& archive_;
  nlohmann::json& header_;
};

class PartsReader {
 public:
  static constexpr bool reads = true;
  PartsReader(const io::Archive& archive, const nlohmann::json& header)
      : archive_(archive), header_(header) {}

  [[nodiscard]] PartsReader inside(const char* name) const { return {archive_, header_.at(name)}; }
  template <class T>
  void value(const char* name, T& value) const {
    const nlohmann::json& found = header_.at(name);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      // Else a number that does not fit would become another one.
      const bool fits =
          found.is_number_unsigned()
              ? std::in_range<T>(found.get<std::uint64_t>())
              : found.is_number_integer() && std::in_range<T>(found.get<std::int64_t>());
      if (!fits) fail_argument("{} is {}, expected a whole number", name, found.dump());
    }
    found.get_to(value);
  }
  void optional_value(const char* name, auto& value, const auto& usual) const {
    value = usual;
    if (header_.contains(name)) this->value(name, value);
  }
  /// Throws, with the first difference, unless the writer was given the same.
  void setup(const nlohmann::json& setup) const;

  void array(const std::string& name, Matrix& matrix) const { matrix = archive_.matrix(name); }
  void array(const std::string& name, Vector& vector) const {
    const auto& values = archive_.values<double>(name);
    vector = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  }
  template <class T>
  void array(const std::string& name, std::vector<T>& values) const {
    const auto& found = archive_.values<T>(name);
    values.assign(found.begin(), found.end());
  }
  void optional_array(const std::string& name, Matrix& matrix) const {
    if (archive_.has(name)) array(name, matrix);
  }
  template <class... Number>
  void numbers(const std::string& name, Number&... number) const {
    const auto& found = archive_.values<double>(name);
    if (found.size() != sizeof...(number)) {
      fail_argument("{} has {} values, expected {}", name, found.size(), sizeof...(number));
    }
    std::size_t next = 0;
    (read_number(name, found[next++], number), ...);
  }

 private:
  template <class Number>
  static void read_number(const std::string& name, double found, Number& number) {
    if constexpr (std::is_integral_v<Number> && !std::is_same_v<Number, bool>) {
      // Beyond the range of the type the conversion is undefined.
      using Limits = std::numeric_limits<Number>;
      constexpr auto smallest = static_cast<double>(Limits::lowest());
      constexpr auto largest = static_cast<double>(Limits::max());
      if (!(found >= smallest && found < largest)) fail_range(name, found, smallest, largest);
    }
    number = static_cast<Number>(found);
  }

  const io::Archive& archive_;
  const nlohmann::json& header_;
};

/// An archive with what `describe(parts)` names.
template <class Describe>
[[nodiscard]] io::Archive write_parts(const char* kind, int version, const Describe& describe) {
  io::Archive archive(kind, version);
  nlohmann::json header = nlohmann::json::object();
  PartsWriter parts(archive, header);
  describe(parts);
  archive.set_header(header.dump());
  return archive;
}

/// Reads them back. An archive of another kind, or a header that lacks something, is a format
/// error.
template <class Describe>
void read_parts(const io::Archive& archive, std::string_view kind, const Describe& describe) {
  if (archive.kind() != kind) {
    throw Error(Error::Kind::format,
                fmt::format("the archive holds a {}, expected a {}", archive.kind(), kind));
  }
  try {
    const nlohmann::json header = nlohmann::json::parse(archive.header());
    PartsReader parts(archive, header);
    describe(parts);
  } catch (const nlohmann::json::exception& error) {
    throw Error(Error::Kind::format, fmt::format("header of the {}: {}", kind, error.what()));
  }
}

void describe_atom(auto& parts, const std::string& name, auto& atom) {
  parts.array(name + "_structure", atom.structure);
  parts.array(name + "_features", atom.features);
}

// Parts that checkpoints of a dataset and of a stream have in common.

void describe_moments(auto& parts, auto& moments) {
  describe_atom(parts, "first_moment", moments.first);
  describe_atom(parts, "second_moment", moments.second);
  parts.value("steps", moments.steps);
}

void describe_sums(auto& parts, const std::string& name, auto& sums) {
  parts.array(name + "_cross", sums.cross);
  parts.array(name + "_uses", sums.uses);
  parts.array(name + "_features", sums.features);
  parts.array(name + "_masses", sums.masses);
  parts.numbers(name + "_numbers", sums.kappa, sums.squares, sums.extra, sums.value, sums.count,
                sums.symmetric);
}

/// The name of the file of a model, and its parts besides those that all models have:
///     static constexpr const char* kind;
///     static void describe(auto& parts, auto& model);
template <class Model>
struct ModelFile;
inline constexpr int model_version = 1;

template <>
struct ModelFile<Dictionary> {
  static constexpr const char* kind = "dictionary";
  static void describe(auto& parts, auto& model) {
    parts.value("projection", model.projection);
    parts.optional_value("graphs", model.graphs, std::uint64_t{0});
    parts.optional_value("random_starts", model.random_starts, 0);
    describe_coordinates(parts, model.coordinates);
  }

 private:
  static void describe_coordinates(auto& parts, auto& coordinates) {
    const std::vector<std::string> usual = {std::string(name(Coordinate::weights))};
    std::vector<std::string> words;
    for (const Coordinate coordinate : coordinates) words.emplace_back(name(coordinate));
    parts.optional_value("coordinates", words, usual);
    if constexpr (std::remove_cvref_t<decltype(parts)>::reads) {
      coordinates.clear();
      try {
        for (const auto& word : words) {
          coordinates.push_back(from_name<Coordinate>(word, "coordinate"));
        }
      } catch (const Error& error) {
        throw Error(Error::Kind::format, fmt::format("header of the model: {}", error.what()));
      }
    }
  }
};

template <class Model>
void describe_model(auto& parts, Model& model) {
  parts.value("features", model.features);
  parts.value("structure", model.structure);
  parts.value("node_weights", model.node_weights);
  parts.optional_value("unit", model.unit, 1.0);
  std::size_t atoms = model.atoms.size();
  parts.value("atoms", atoms);
  for (std::size_t a = 0; a < atoms; ++a) {
    if constexpr (std::remove_cvref_t<decltype(parts)>::reads) model.atoms.emplace_back();
    describe_atom(parts, "atom" + std::to_string(a), model.atoms[a]);
  }
  ModelFile<std::remove_const_t<Model>>::describe(parts, model);
}

}  // namespace detail

template <std::derived_from<AtomModel> Model>
io::Archive to_archive(const Model& model) {
  check(model);
  return detail::write_parts(detail::ModelFile<Model>::kind, detail::model_version,
                             [&](auto& parts) { detail::describe_model(parts, model); });
}

template <std::derived_from<AtomModel> Model>
Model from_archive(const io::Archive& archive) {
  Model model;
  detail::read_parts(archive, detail::ModelFile<Model>::kind,
                     [&](auto& parts) { detail::describe_model(parts, model); });
  check(model);
  return model;
}

template <std::derived_from<AtomModel> Model>
Model load(const std::filesystem::path& path) {
  return from_archive<Model>(
      io::Archive::read(path, detail::ModelFile<Model>::kind, detail::model_version));
}

}  // namespace srgw
