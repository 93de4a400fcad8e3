// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>

#include "base/message.hpp"
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
  detail::LabelTable table =
      detail::parse_label_table({.file = input.name, .text = detail::as_text(input)}, separator);
  NodeLabels result;
  result.names = NodeNames(std::move(table.names));
  std::tie(result.labels, result.classes) = detail::number_classes(table.labels);
  return result;
}

std::string label_text(const Input& input, const ordered_json& value) {
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

NodeLabels parse_by_ending(const Input& input, const std::filesystem::path& path) {
  const std::string extension = detail::extension_of(path);
  if (extension == ".csv") return parse_table(input, ',');
  if (extension == ".json") return parse_json(input);
  if (extension == ".npy") {
    NodeLabels result;
    result.labels = detail::to_integers(detail::parse_npy(input), input.name);
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
    if (fields.size() != 2) {
      fail_at(where, "{} fields, expected a node and its label", fields.size());
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
  if (std::ssize(labels.labels) == labels.names.size()) return;
  fail_argument("{} labels for {} nodes, expected as many", labels.labels.size(),
                labels.names.size());
}

std::string LabelText::head(Index count) const {
  if (extension_ == ".npy") {
    return npy_header({.shape = {count}, .values = SharedArray<std::int64_t>()});
  }
  return extension_ == ".csv" ? "node,label\n" : "";
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
  const bool comma = extension_ == ".csv";
  for (Index i = begin; i < end; ++i) {
    if (extension_ == ".npy") {
      const std::int64_t label = labels.labels[i];
      result.append(reinterpret_cast<const char*>(&label), sizeof(label));
      continue;
    }
    const std::string name = labels.names[i];
    if (extension_ == ".json") {
      fmt::format_to(out, "{}{}: {}", first && i == begin ? "{\n  " : ",\n  ",
                     ordered_json(name).dump(),
                     labels.classes.empty() ? text(i) : ordered_json(text(i)).dump());
      continue;
    }
    const bool starts_comment = name.starts_with('#') || name.starts_with('%');
    if (name.find_first_of("\r\n") != std::string::npos || starts_comment ||
        (!comma && name.find_first_of("\t\"") != std::string::npos)) {
      fail_argument("{}: a node is called {}, which a line cannot hold; write .json", file_,
                    quote(name));
    }
    if (comma) {
      fmt::format_to(out, "{},{}\n", csv_field(name, ','), csv_field(text(i), ','));
    } else {
      fmt::format_to(out, "{}\t{}\n", name, text(i));
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
  const detail::LabelText text(path, out.name());
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
