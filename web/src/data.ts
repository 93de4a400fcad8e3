// What the library writes into the page, as JSON.

export interface Curves {
  kind: "curves";
  series: { name: string; x: number[]; y: (number | null)[] }[];
  xLabel: string;
  yLabel: string;
  logY: boolean;
  logX: boolean;
}

export interface Hierarchy {
  kind: "hierarchy";
  levels: {
    marked: boolean; // the result
    sizes: number[];
    parents: number[]; // in the next level; empty in the last
    colours: number[]; // numbers of the palette; -1: grey
    begin: number[]; // shares of the width
    end: number[];
  }[]; // from the finest to the coarsest
}

export interface Bars {
  kind: "bars";
  groups: string[];
  series: string[];
  values: (number | null)[][];
  yLabel: string;
}

export interface Points {
  kind: "points";
  x: number[];
  y: number[];
  classes: string[]; // names of the classes; empty: one colour
  classOf: number[];
  labels: string[];
  xLabel: string;
  yLabel: string;
}

export interface Cells {
  kind: "cells";
  names: string[];
  values: number[][];
  unit: string;
}

export type Chart = Curves | Bars | Points | Cells | Hierarchy;

export interface GraphData {
  names: string[]; // empty: nodes are called by `ids`
  ids: number[]; // empty: nodes are called by their number
  x: number[]; // whole numbers, 0 to 10000
  y: number[];
  cluster: number[]; // -1: in none
  size: number[];
  degree: number[]; // neighbours in the whole graph
  clusters: string[];
  colours: string[];
  edges: number[]; // source, target, source, target, ...
  memberships: [number, number, number][]; // node, cluster, per cent; of soft nodes
}

export interface Table {
  columns: string[];
  rows: (string | number)[][];
  groupColumn?: number; // the column that the menu filters
  groups?: string[];
}

export interface Section {
  id: string;
  chart?: Chart;
  graph?: GraphData;
  table?: Table;
  members: boolean; // shows the nodes of the graph as a table
}

export interface PageData {
  palette: string[];
  sections: Section[];
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: { className?: string; text?: string; label?: string } = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (options.className) made.className = options.className;
  if (options.text !== undefined) made.textContent = options.text; // never markup
  if (options.label) made.setAttribute("aria-label", options.label);
  return made;
}

export function nameOf(graph: GraphData, i: number): string {
  return graph.names[i] ?? String(graph.ids[i] ?? i);
}

export function clusterName(graph: GraphData, cluster: number): string {
  return cluster < 0 ? "no cluster" : graph.clusters[cluster];
}

/** What each node belongs to, in words. */
export function memberships(graph: GraphData): string[] {
  const words = graph.cluster.map((cluster) => clusterName(graph, cluster));
  const soft = new Map<number, string[]>();
  for (const [node, cluster, share] of graph.memberships) {
    soft.set(node, [...(soft.get(node) ?? []), `${share} % ${clusterName(graph, cluster)}`]);
  }
  for (const [node, parts] of soft) words[node] = parts.join(", ");
  return words;
}

/** Text for places that read markup, as the hints of charts do. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
