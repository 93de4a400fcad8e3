// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>

#include "base/message.hpp"
#include "base/whole_numbers.hpp"
#include "io/formats.hpp"
#include "io/formats/npy.hpp"
#include "io/label_text.hpp"
#include "ranks/parcel.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::fail_at;
using detail::Input;
using detail::quote;
using io::NodeLabels;
using nlohmann::ordered_json;

/// Lines of a name and a label.
NodeLabels parse_table(const Input& input, char separator) {
  const std::string_view text = detail::as_text(input);
  detail::LabelTable table =
      detail::parse_label_table({.file = input.name,
                                 .text = text,
                                 .columns = detail::label_columns(input.name, text, separator)},
                                separator);
  NodeLabels result;
  result.names = NodeNames(std::move(table.names));
  std::tie(result.labels, result.classes) = detail::number_classes(table.labels);
  return result;
}

std::string label_text(const Input& input, const ordered_json& value) {
  if (value.is_array() && !value.empty() && !value[0].is_array()) {
    return label_text(input, value[0]);
  }
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  fail_at({input.name}, "label {}, expected whole numbers or strings", quote(value.dump()));
}

NodeLabels parse_json(const Input& input) {
  NodeLabels result;
  std::vector<std::string> names, labels;
  if (detail::is_nested_deeper(input.bytes, 100)) {
    fail_at({input.name}, "more than 100 open brackets, expected an object from node to label");
  }
  try {
    const ordered_json document = ordered_json::parse(input.bytes);
    if (!document.is_object() && !document.is_array()) {
      fail_at({input.name}, "neither an object from node to label nor an array of labels");
    }
    for (const auto& item : document.items()) {
      if (document.is_object()) names.push_back(item.key());
      labels.push_back(label_text(input, item.value()));
    }
    if (document.is_array()) result.names = NodeNames::numbered(std::ssize(labels));
  } catch (const ordered_json::parse_error& error) {
    fail_at({input.name, detail::line_of(input.bytes, error.byte)},
            "not JSON, expected an object from node to label");
  } catch (const ordered_json::exception&) {
    fail_at({input.name}, "text that is not UTF-8, expected JSON");
  }
  if (!names.empty()) result.names = NodeNames(std::move(names));
  std::tie(result.labels, result.classes) = detail::number_classes(labels);
  return result;
}

/// Whether labels are in node order.
bool is_json_array(const Input& input) {
  const std::string_view text = detail::as_text(input);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[';
}

NodeLabels parse_by_ending(const Input& input, const std::filesystem::path& path) {
  const std::string extension = detail::extension_of(path);
  if (extension == ".csv") return parse_table(input, ',');
  if (extension == ".json") return parse_json(input);
  if (extension == ".npy") {
    NodeLabels result;
    result.labels =
        detail::to_integers(detail::first_column(detail::parse_npy(input), input.name), input.name);
    result.names = NodeNames::numbered(std::ssize(result.labels));
    return result;
  }
  if (extension == ".tsv" || extension == ".txt" || extension.empty()) {
    return parse_table(input, '\t');
  }
  fail_at({input.name}, "the ending {} is unknown, expected .tsv .txt .csv .npy or .json",
          quote(extension));
}

NodeLabels labels_of(const Input& input, const std::filesystem::path& path) {
  return detail::name_file_in_errors(input.name, [&] {
    NodeLabels result = parse_by_ending(input, path);
    if (result.labels.empty()) fail_at({input.name}, "no labels, expected one for each node");
    return result;
  });
}

}  // namespace

namespace detail {

std::pair<std::vector<std::int64_t>, std::vector<std::string>> number_classes(
    const std::vector<std::string>& texts, Ranks* ranks) {
  std::vector<std::int64_t> labels;
  for (const std::string& text : texts) {
    const auto number = to_exact_integer(text);
    if (!number) break;
    labels.push_back(*number);
  }
  const bool has_names = labels.size() != texts.size();
  if (!(ranks == nullptr ? has_names : any(*ranks, has_names))) return {labels, {}};
  labels.clear();
  std::vector<std::string> classes;
  std::unordered_map<std::string, std::int64_t> numbers;
  const auto add = [&](const std::string& text) {
    if (numbers.emplace(text, std::ssize(classes)).second) classes.push_back(text);
  };
  for (const std::string& text : texts) add(text);
  if (ranks != nullptr) {
    std::string own;  // each class once, with its end
    for (const std::string& text : classes) own += text + '\n';
    classes.clear();
    numbers.clear();
    for (const std::string& part : gather_texts(*ranks, own)) {
      for (LineReader lines("", part); lines.next();) add(std::string(lines.line()));
    }
  }
  for (const std::string& text : texts) labels.push_back(numbers.at(text));
  return {std::move(labels), std::move(classes)};
}

std::size_t label_columns(std::string_view file, std::string_view text, char separator) {
  LineReader lines(file, text);
  if (!lines.next_content("#%")) return 2;
  char split_at = separator;
  if (split_at == '\t' && lines.line().find('\t') == std::string_view::npos) split_at = ' ';
  std::vector<std::string> fields;
  const bool header = split_fields(trim(lines.line()), split_at, fields) && fields[0] == "node";
  return header ? std::max<std::size_t>(2, fields.size()) : 2;
}

io::Array first_column(const io::Array& array, const std::string& name) {
  if (array.shape.size() == 1) return array;
  if (array.shape.size() != 2 || array.shape[1] < 1) {
    fail_at({name}, "{} dimensions, expected 1, or 2 with a column for each level",
            array.shape.size());
  }
  return std::visit(
      [&]<class T>(const SharedArray<T>& values) {
        std::vector<T> first;
        for (Index i = 0; i < array.shape[0]; ++i) first.push_back(values[i * array.shape[1]]);
        return io::Array{{array.shape[0]}, SharedArray<T>(std::move(first))};
      },
      array.values);
}

LabelTable parse_label_table(const LinesOfFile& part, char separator) {
  LabelTable table;
  std::vector<std::string> fields;
  std::unordered_map<std::string, std::size_t> lines_of;
  LineReader lines(part.file, part.text);
  bool first = part.first;
  while (lines.next_content("#%")) {
    const Where where{part.file, lines.number() + part.lines_before};
    char split_at = separator;
    if (split_at == '\t' && lines.line().find('\t') == std::string_view::npos) split_at = ' ';
    if (!split_fields(trim(lines.line()), split_at, fields)) {
      fail_at(where, "a double quote is left open, expected its partner in the same line");
    }
    if (split_at != ',') std::erase(fields, std::string());
    if (fields.size() != part.columns) {
      fail_at(where, "{} fields, expected a node and its label{}", fields.size(),
              part.columns > 2 ? fmt::format(" in each of {} columns", part.columns - 1) : "");
    }
    const bool header = first && fields[0] == "node";
    first = false;
    if (header) continue;
    for (const std::string& field : fields) {
      if (field.empty()) fail_at(where, "an empty field, expected a node and its label");
      if (!is_utf8(field)) fail_at(where, "{} is not UTF-8, expected UTF-8", quote(field));
    }
    const auto [known, is_new] = lines_of.emplace(fields[0], where.line);
    if (!is_new) fail_label_twice(where, fields[0], known->second);
    table.names.push_back(fields[0]);
    table.labels.push_back(fields[1]);
    table.lines.push_back(where.line);
  }
  return table;
}

void fail_label_twice(const Where& where, const std::string& node, std::size_t line) {
  fail_at(where, "node {} has a label in line {} already, expected one", node, line);
}

void check(const NodeLabels& labels) {
  const auto differs = [&](const Assignment& level) {
    return level.size() != labels.labels.size();
  };
  if (std::ranges::any_of(labels.levels, differs)) {
    fail_argument("levels of another number of nodes than {}, expected as many",
                  labels.names.size());
  }
  if (std::ssize(labels.labels) == labels.names.size()) return;
  fail_argument("{} labels for {} nodes, expected as many", labels.labels.size(),
                labels.names.size());
}

std::string LabelText::head(Index count) const {
  if (extension_ == ".npy") {
    std::vector<Index> shape{count};
    if (levels_ > 0) shape.push_back(static_cast<Index>(levels_) + 1);
    return npy_header({.shape = std::move(shape), .values = SharedArray<std::int64_t>()});
  }
  const bool comma = extension_ == ".csv";
  if (extension_ == ".json" || (!comma && levels_ == 0)) return "";
  const char separator = comma ? ',' : '\t';
  std::string header = fmt::format("node{}label", separator);
  for (std::size_t l = 0; l < levels_; ++l) header += fmt::format("{}level_{}", separator, l);
  return header + "\n";
}

std::string LabelText::tail(Index count) const {
  if (extension_ != ".json") return "";
  return count == 0 ? "{}\n" : "\n}\n";
}

std::string LabelText::rows(const NodeLabels& labels, Index begin, Index end, bool first) const {
  std::string result;
  const auto out = std::back_inserter(result);
  const auto text = [&](Index i) {
    const std::int64_t label = labels.labels[i];
    return labels.classes.empty() ? std::to_string(label) : labels.classes.at(label);
  };
  const auto rest = [&](Index i, const char* separator) {
    std::string further;
    for (const Assignment& level : labels.levels) {
      further += fmt::format("{}{}", separator, level[i]);
    }
    return further;
  };
  const bool comma = extension_ == ".csv";
  for (Index i = begin; i < end; ++i) {
    if (extension_ == ".npy") {
      const std::int64_t label = labels.labels[i];
      result.append(reinterpret_cast<const char*>(&label), sizeof(label));
      for (const Assignment& level : labels.levels) {
        const std::int64_t other = level[i];
        result.append(reinterpret_cast<const char*>(&other), sizeof(other));
      }
      continue;
    }
    const std::string name = labels.names[i];
    if (extension_ == ".json") {
      std::string value = labels.classes.empty() ? text(i) : ordered_json(text(i)).dump();
      if (!labels.levels.empty()) value = fmt::format("[{}{}]", value, rest(i, ", "));
      fmt::format_to(out, "{}{}: {}", first && i == begin ? "{\n  " : ",\n  ",
                     ordered_json(name).dump(), value);
      continue;
    }
    const bool starts_comment = name.starts_with('#') || name.starts_with('%');
    if (name.find_first_of("\r\n") != std::string::npos || starts_comment ||
        (!comma && name.find_first_of("\t\"") != std::string::npos)) {
      fail_argument("{}: a node is called {}, which a line cannot hold; write .json", file_,
                    quote(name));
    }
    if (comma) {
      fmt::format_to(out, "{},{}{}\n", csv_field(name, ','), csv_field(text(i), ','), rest(i, ","));
    } else {
      fmt::format_to(out, "{}\t{}{}\n", name, text(i), rest(i, "\t"));
    }
  }
  return result;
}

}  // namespace detail

namespace io {

NodeLabels read_labels(const std::filesystem::path& path) {
  return labels_of(detail::open_input(path), path);
}

NodeLabels parse_labels(std::string_view bytes, const std::string& name) {
  return labels_of(detail::memory_input(bytes, name), name);
}

NodeLabels read_labels(const std::filesystem::path& path, const NodeNames& names) {
  const NodeLabels labels = read_labels(path);
  return detail::name_file_in_errors(path.string(), [&] { return join(labels, names); });
}

SomeLabels read_some_labels(const std::filesystem::path& path, const NodeNames& names,
                            bool refuses_unknown) {
  const Input input = detail::open_input(path);
  const NodeLabels read = labels_of(input, path);
  const std::string extension = detail::extension_of(path);
  const bool is_table = extension != ".json" && extension != ".npy";
  const auto where = [&](std::size_t k) {
    if (!is_table) return detail::Where{input.name};
    const auto table = detail::parse_label_table(
        {.file = input.name, .text = detail::as_text(input)}, extension == ".csv" ? ',' : '\t');
    return detail::Where{input.name, table.lines[k]};
  };
  SomeLabels result{std::vector<std::int64_t>(names.size(), -1), read.classes, 0};
  const auto count = static_cast<std::size_t>(read.names.size());
  for (std::size_t k = 0; k < count; ++k) {
    if (read.labels[k] < 0 || read.labels[k] > detail::largest_exact_integer) {
      fail_at(where(k), "label {}, expected whole numbers from 0 to 2^53 or names", read.labels[k]);
    }
  }
  const bool by_order = extension == ".npy" || (extension == ".json" && is_json_array(input));
  if (by_order) {
    if (read.names.size() != names.size()) {
      fail_at({input.name}, "{} labels without names, expected one for each of {} nodes", count,
              names.size());
    }
    result.labels = read.labels;
    return result;
  }
  const NameIndex index(names);
  for (std::size_t k = 0; k < count; ++k) {
    if (const auto node = index.find(read.names[static_cast<Index>(k)])) {
      result.labels[*node] = read.labels[k];
    } else if (refuses_unknown) {
      fail_at(where(k), "node {} is not in the graph, expected nodes of the graph",
              quote(read.names[static_cast<Index>(k)]));
    } else {
      ++result.unknown;
    }
  }
  return result;
}

NodeLabels join(const NodeLabels& labels, const NodeNames& names) {
  NodeLabels result{.names = names, .labels = {}, .classes = labels.classes};
  const NameIndex index(labels.names);
  result.labels.reserve(names.size());
  for (Index i = 0; i < names.size(); ++i) {
    const auto found = index.find(names[i]);
    if (!found) fail_argument("node {} has no label, expected one for each node", names[i]);
    result.labels.push_back(labels.labels[*found]);
  }
  return result;
}

void write_labels(const NodeLabels& labels, const std::filesystem::path& path) {
  detail::check(labels);
  detail::Output out(path);
  const detail::LabelText text(path, out.name(), labels.levels.size());
  const Index count = labels.names.size();
  out.write(text.head(count));
  constexpr Index piece = 8192;
  for (Index begin = 0; begin < count; begin += piece) {
    out.write(text.rows(labels, begin, std::min(count, begin + piece), begin == 0));
  }
  out.write(text.tail(count));
  out.finish();
}

void write_labels(const Assignment& labels, const std::filesystem::path& path,
                  const std::optional<NodeNames>& names) {
  write_labels({.names = names ? *names : NodeNames::numbered(std::ssize(labels)),
                .labels = {labels.begin(), labels.end()}},
               path);
}

NodeNames read_names(const std::filesystem::path& path) {
  const Input input = detail::open_input(path);
  return detail::name_file_in_errors(input.name, [&] {
    std::vector<std::string> names, fields;
    detail::LineReader lines(input);
    while (lines.next_content("#%")) {
      const bool comma = lines.line().find(',') != std::string_view::npos;
      const bool tab = lines.line().find('\t') != std::string_view::npos;
      if (!detail::split_fields(lines.line(), tab ? '\t' : comma ? ',' : '\n', fields)) {
        fail_at(lines.where(), "a double quote is left open, expected its partner");
      }
      if (!detail::is_utf8(fields[0])) {
        fail_at(lines.where(), "{} is not UTF-8, expected UTF-8", quote(fields[0]));
      }
      if (names.empty() && fields[0] == "node") continue;
      names.push_back(fields[0]);
    }
    NodeNames result(std::move(names));
    static_cast<void>(NameIndex(result));  // refuses a name that is given twice
    return result;
  });
}

}  // namespace io

}  // namespace srgw
