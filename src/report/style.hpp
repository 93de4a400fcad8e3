// SPDX-License-Identifier: MIT
#pragma once

namespace srgw::detail {

/// How the page looks: light and dark, wide and narrow, on paper.
inline constexpr const char page_style[] = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1c1c; --soft: #55595e; --faint: #dfe3e6;
  --panel: #f6f7f8; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --paper: #15181c;
  --ink: #e8eaed; --soft: #a5abb3; --faint: #3a4048; --panel: #1e2329; --accent: #56b4e9; } }
:root[data-theme="dark"] { color-scheme: dark; --paper: #15181c; --ink: #e8eaed; --soft: #a5abb3;
  --faint: #3a4048; --panel: #1e2329; --accent: #56b4e9; }
:root[data-theme="light"] { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
header, main, footer { max-width: 1100px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 20px; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 36px 0 8px; border-bottom: 1px solid var(--faint); }
.subtitle, .note, .details { color: var(--soft); margin: 4px 0; overflow-wrap: anywhere; }
.details { min-height: 1.6em; color: var(--ink); }
nav { margin: 8px 0; display: flex; flex-wrap: wrap; gap: 4px 14px; }
a { color: var(--accent); }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; background: var(--paper); padding: 4px; }
dl { display: grid; grid-template-columns: minmax(8em, max-content) 1fr; gap: 2px 16px; margin: 8px 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow: auto; max-height: 420px; border: 1px solid var(--faint); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; padding: 4px 10px; border-bottom: 1px solid var(--faint); overflow-wrap: anywhere;
  min-width: 5em; }
th { position: sticky; top: 0; background: var(--panel); white-space: nowrap; }
th button { all: unset; cursor: pointer; font-weight: 600; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.chart svg, .graph svg, .picture svg { max-width: 100%; height: auto; border-radius: 6px; }
.chart, .picture { margin-top: 10px; }
.chart.live { height: 420px; background: var(--panel); border-radius: 6px; }
.chart.live.hierarchy { height: auto; padding: 8px 12px; }
.levels svg { display: block; width: 100%; height: 40px; margin-bottom: 6px; border-radius: 0; }
.levels .level { color: var(--soft); font-size: 0.85rem; } .levels .marked { color: var(--ink);
  font-weight: 600; } .levels .cluster { cursor: zoom-in; } .levels .above { fill: var(--faint); }
.levels .cluster:hover { opacity: 0.75; }
.graph .canvas { height: 560px; background: var(--panel); border-radius: 6px; position: relative;
  overflow: hidden; }
.tools { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; }
.tools input, .tools select, .tools button, #theme { font: inherit; padding: 4px 10px;
  color: var(--ink); background: var(--panel); border: 1px solid var(--faint); border-radius: 6px; }
.tools input { flex: 1 1 12em; min-width: 0; } .tools select { max-width: 100%; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
pre { background: var(--panel); padding: 10px; border-radius: 6px; overflow: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; }
#theme { float: right; }
footer { color: var(--soft); font-size: 0.85rem; padding: 24px 16px; }
@media (max-width: 600px) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 6px; }
  .graph .canvas { height: 380px; } .chart.live { height: 320px; }
  .chart.live.hierarchy { height: auto; } }
@media print { .tools, nav, #theme { display: none; } .scroll { max-height: none; } }
)css";

}  // namespace srgw::detail
