// Brings the page to life. All of it can be read without this script.
import { drawChart } from "./charts";
import { PageData } from "./data";
import { GraphView, hasWebGl } from "./graph";
import { drawTable, memberTable } from "./table";
import { setUpTheme } from "./theme";

function place(id: string, kind: string): HTMLElement | null {
  return document.querySelector(`#${id} .${kind}`);
}

function start(): void {
  const text = document.getElementById("data")?.textContent;
  if (!text) return;
  const page = JSON.parse(text) as PageData;
  setUpTheme();
  for (const section of page.sections) {
    const chart = place(section.id, "chart");
    if (section.chart && chart) drawChart(chart, section.chart, page.palette);
    const table = place(section.id, "table");
    if (section.table && table) drawTable(table, section.table);
    const nodes = page.sections.find((other) => other.graph)?.graph;
    if (section.members && nodes && table) drawTable(table, memberTable(nodes));
    const graph = place(section.id, "graph");
    if (!section.graph || !graph) continue;
    if (hasWebGl()) {
      new GraphView(graph, section.graph);
    } else {
      const note = document.createElement("p");
      note.className = "note";
      note.textContent = "This browser has no WebGL: the drawing does not answer the pointer.";
      graph.append(note);
    }
  }
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

start();
