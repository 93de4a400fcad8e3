// A table of any length with search: only what is seen is in the page.
import { GraphData, Table, clusterName, element, memberships, nameOf } from "./data";

const shownRows = 200;
const searchedFrom = 16; // rows; fewer are seen at once

/** The nodes of a graph as a table. */
export function memberTable(graph: GraphData): Table {
  const words = memberships(graph);
  return {
    columns: ["node", "cluster", "membership", "neighbours"],
    rows: graph.cluster.map((cluster, i) => [
      nameOf(graph, i),
      clusterName(graph, cluster),
      words[i],
      graph.degree[i],
    ]),
    groupColumn: 1,
    groups: graph.clusters,
  };
}

export function drawTable(place: HTMLElement, table: Table): void {
  const search = element("input", { label: "Search in the table" });
  search.type = "search";
  search.placeholder = "Search";
  const menu = element("select", { label: "Show one group" });
  menu.append(new Option("all", ""));
  const groups = table.groups ?? [];
  const groupColumn = table.groupColumn ?? -1;
  groups.forEach((name, k) => menu.append(new Option(name, String(k))));
  menu.hidden = groupColumn < 0;
  const count = element("p", { className: "note" });
  count.setAttribute("aria-live", "polite");
  const body = element("tbody");
  const head = element("tr");
  let sorted = -1;
  let falls = false;
  let order = table.rows.map((_, i) => i);

  const fill = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const group = menu.value === "" ? null : groups[Number(menu.value)];
    let found = 0;
    const rows: HTMLElement[] = [];
    for (const i of order) {
      const row = table.rows[i];
      if (group !== null && String(row[groupColumn]) !== group) continue;
      if (wanted !== "" && !row.some((cell) => String(cell).toLowerCase().includes(wanted))) continue;
      if (++found > shownRows) continue;
      const line = element("tr");
      for (const cell of row) {
        line.append(element("td", { text: String(cell), className: typeof cell === "number" ? "number" : "" }));
      }
      rows.push(line);
    }
    body.replaceChildren(...rows);
    count.textContent =
      found > shownRows ? `${found} rows, the first ${shownRows} are shown.` : `${found} rows.`;
  };

  table.columns.forEach((name, c) => {
    const cell = element("th");
    cell.scope = "col";
    const button = element("button", { text: name, label: `Sort by ${name}` });
    button.type = "button";
    button.addEventListener("click", () => {
      falls = sorted === c && !falls;
      sorted = c;
      const sign = falls ? -1 : 1;
      order = table.rows
        .map((_, i) => i)
        .sort((a, b) => {
          const x = table.rows[a][c];
          const y = table.rows[b][c];
          const way =
            typeof x === "number" && typeof y === "number"
              ? x - y
              : String(x).localeCompare(String(y), undefined, { numeric: true });
          return sign * (way || a - b);
        });
      fill();
    });
    cell.append(button);
    head.append(cell);
  });

  search.addEventListener("input", fill);
  menu.addEventListener("change", fill);
  const tools = element("div", { className: "tools" });
  tools.append(search, menu);
  const drawn = element("table");
  const top = element("thead");
  top.append(head);
  drawn.append(top, body);
  const scroll = element("div", { className: "scroll" });
  scroll.tabIndex = 0;
  scroll.append(drawn);
  const parts = table.rows.length < searchedFrom ? [scroll] : [tools, count, scroll];
  place.replaceChildren(...parts);
  place.classList.add("live");
  fill();
}
