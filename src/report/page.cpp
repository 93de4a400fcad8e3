// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/message.hpp"
#include "draw/canvas.hpp"
#include "io/output.hpp"
#include "report/bundle.hpp"
#include "report/page_data.hpp"
#include "report/style.hpp"
#include "srgw/report.hpp"

namespace srgw {

namespace {

using detail::xml_text;

constexpr std::size_t most_plain_rows = 500;

/// Text whose lines are kept.
std::string lines_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += xml_text(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

void add_table(std::string& out, const std::vector<std::string>& columns,
               const std::vector<std::vector<std::string>>& rows) {
  out += "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>";
  for (const std::string& column : columns) {
    out += fmt::format("<th scope=\"col\">{}</th>", xml_text(column));
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += fmt::format("<td>{}</td>", xml_text(cell));
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
}

/// The nodes of the graph as a plain table.
void add_members(std::string& out, const Report& report) {
  const auto with_graph = std::ranges::find_if(
      report.sections, [](const ReportSection& section) { return section.graph.has_value(); });
  if (with_graph == report.sections.end()) return;
  const ReportGraph& graph = *with_graph->graph;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(most_plain_rows, graph.cluster.size()); ++i) {
    const std::int32_t k = graph.cluster[i];
    rows.push_back({graph.names[static_cast<Index>(i)], k < 0 ? "no cluster" : graph.clusters[k],
                    fmt::format("{}", graph.degree[i])});
  }
  add_table(out, {"node", "cluster", "neighbours"}, rows);
  if (graph.cluster.size() > most_plain_rows) {
    out += fmt::format("<p class=\"note\">The first {} of {} nodes.</p>\n", most_plain_rows,
                       graph.cluster.size());
  }
}

void add_section(std::string& out, const Report& report, const ReportSection& section) {
  out += fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n",
      section.id, xml_text(section.title));
  for (const std::string& sentence : section.sentences) {
    out += fmt::format("<p>{}</p>\n", xml_text(sentence));
  }
  if (!section.facts.empty()) {
    out += "<dl>\n";
    for (const ReportFact& fact : section.facts) {
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xml_text(fact.name), xml_text(fact.value));
    }
    out += "</dl>\n";
  }
  if (section.table) {
    const auto& rows = section.table->rows;
    out += "<div class=\"table\">\n";
    add_table(out, section.table->columns,
              {rows.begin(),
               rows.begin() + static_cast<std::ptrdiff_t>(std::min(most_plain_rows, rows.size()))});
    if (rows.size() > most_plain_rows) {
      out += fmt::format("<p class=\"note\">The first {} of {} rows.</p>\n", most_plain_rows,
                         rows.size());
    }
    out += "</div>\n";
  }
  if (section.chart) {
    out += fmt::format("<div class=\"chart\">\n{}</div>\n",
                       svg(detail::drawing_of(*section.chart, section.title)));
  }
  if (section.graph || section.picture) {
    out += fmt::format("<div class=\"{}\">\n", section.graph ? "graph" : "picture");
    if (section.picture) out += svg(*section.picture);
    out += "</div>\n";
  }
  if (section.members) {
    out += "<div class=\"table members\">\n";
    add_members(out, report);
    out += "</div>\n";
  }
  if (!section.code.empty()) {
    out += fmt::format("<pre tabindex=\"0\"><code>{}</code></pre>\n", lines_text(section.code));
  }
  for (const std::string& text : section.notes) {
    out += fmt::format("<p class=\"note\">{}</p>\n", xml_text(text));
  }
  out += "</section>\n";
}

/// A page may use what it brings along and nothing else, whatever a name in it says.
constexpr const char* policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: "
    "blob:; base-uri 'none'; form-action 'none'";

void add_head(std::string& out, const Report& report) {
  out += fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#{}\">To the result</a>\n<header>\n"
      "<button id=\"theme\" type=\"button\" hidden>light / dark</button>\n<h1>{}</h1>\n",
      policy, xml_text(report.title), detail::page_style,
      report.sections.empty() ? "" : report.sections.front().id, xml_text(report.title));
  out += fmt::format("<p class=\"subtitle\">{}</p>\n<nav aria-label=\"Sections\">\n",
                     xml_text(report.subtitle));
  for (const ReportSection& section : report.sections) {
    out += fmt::format("<a href=\"#{}\">{}</a>\n", section.id, xml_text(section.title));
  }
  out += "</nav>\n</header>\n<main>\n";
}

void check(const Report& report) {
  if (report.sections.empty()) detail::fail_argument("report: nothing in it, expected a section");
  for (const ReportSection& section : report.sections) {
    const bool plain = !section.id.empty() && std::ranges::all_of(section.id, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
    });
    if (!plain) detail::fail_argument("report: section id '{}', expected a word", section.id);
  }
}

}  // namespace

bool report_has_scripts() { return !detail::bundle_script().empty(); }
std::string_view report_licences() { return detail::bundle_licences(); }

std::string html(const Report& report) {
  check(report);
  std::string out;
  add_head(out, report);
  for (const ReportSection& section : report.sections) add_section(out, report, section);
  out += "</main>\n<footer>\n";
  if (report_has_scripts()) {
    out += fmt::format(
        "<details><summary>Licences of the scripts in this page</summary>\n"
        "<pre>{}</pre></details>\n</footer>\n",
        lines_text(report_licences()));
    out += "<script type=\"application/json\" id=\"data\">";
    out += detail::page_data(report);
    out += "</script>\n<script>";
    out += detail::bundle_script();
    out += "</script>\n";
  } else {
    out +=
        "<p>This page is plain: the program was built without the scripts that let charts and "
        "graphs answer the pointer (they need npm at build time).</p>\n</footer>\n";
  }
  out += "</body>\n</html>\n";
  return out;
}

void check_report_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  for (const char* ending : {".html", ".htm", ".html.gz"}) {
    if (name.ends_with(ending)) return;
  }
  detail::fail_argument("report {}, expected a file that ends in .html", name);
}

void save(const Report& report, const std::filesystem::path& path) {
  check_report_file(path);
  const std::string text = html(report);
  detail::Output out(path);
  out.write(text);
  out.finish();
}

}  // namespace srgw
