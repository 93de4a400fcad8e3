// The graph: zoom, hover, search, one cluster at a time.
import Graph from "graphology";
import Sigma from "sigma";
import { GraphData, clusterName, element, memberships, nameOf } from "./data";
import { isDark, onTheme } from "./theme";

interface View {
  hovered: string | null;
  found: string | null;
  cluster: number | null; // null: all
  neighbours: Set<string>;
}

export class GraphView {
  private readonly graph = new Graph({ multi: true });
  private readonly view: View = { hovered: null, found: null, cluster: null, neighbours: new Set() };
  private readonly details: HTMLElement;
  private readonly words: string[];
  private sigma!: Sigma;

  constructor(
    private readonly place: HTMLElement,
    private readonly data: GraphData,
  ) {
    this.words = memberships(data);
    for (let i = 0; i < data.x.length; ++i) {
      this.graph.addNode(String(i), {
        x: data.x[i],
        y: data.y[i],
        size: data.size[i],
        label: nameOf(data, i),
        color: this.colourOf(data.cluster[i]),
        cluster: data.cluster[i],
      });
    }
    for (let e = 0; e + 1 < data.edges.length; e += 2) {
      this.graph.addEdge(String(data.edges[e]), String(data.edges[e + 1]), { size: 0.5 });
    }
    this.details = element("p", { className: "details", text: "Point at a node, or search for one." });
    this.details.setAttribute("aria-live", "polite");
    this.build();
  }

  private colourOf(cluster: number): string {
    return cluster < 0 ? "#b8b8b8" : this.data.colours[cluster];
  }

  private build(): void {
    const canvas = element("div", { className: "canvas", label: "Drawing of the graph" });
    this.place.replaceChildren(this.tools(), canvas, this.details);
    this.place.classList.add("live");
    this.sigma = new Sigma(this.graph, canvas, {
      allowInvalidContainer: true,
      labelRenderedSizeThreshold: 7,
      labelDensity: 0.6,
      hideEdgesOnMove: this.graph.size > 20000,
      zIndex: true,
      nodeReducer: (node, attributes) => this.reducedNode(node, attributes),
      edgeReducer: (edge, attributes) => this.reducedEdge(edge, attributes),
    });
    this.sigma.on("enterNode", ({ node }) => this.hover(node));
    this.sigma.on("leaveNode", () => this.hover(null));
    this.sigma.on("clickNode", ({ node }) => this.find(node, false));
    this.recolour();
    onTheme(() => this.recolour());
    canvas.tabIndex = 0;
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  private recolour(): void {
    this.sigma.setSetting("labelColor", { color: isDark() ? "#e8eaed" : "#1c1c1c" });
    this.sigma.setSetting("defaultEdgeColor", isDark() ? "#4a525c" : "#c3c8cd");
  }

  private tools(): HTMLElement {
    const bar = element("div", { className: "tools" });
    const search = element("input", { label: "Search for a node in the graph" });
    search.type = "search";
    search.placeholder = "Search for a node";
    search.addEventListener("input", () => this.search(search.value));
    const menu = element("select", { label: "Show one cluster" });
    menu.append(new Option("all clusters", ""));
    this.data.clusters.forEach((name, k) => menu.append(new Option(name, String(k))));
    menu.addEventListener("change", () => this.pick(menu.value === "" ? null : Number(menu.value)));
    const button = (text: string, label: string, act: () => void): HTMLButtonElement => {
      const made = element("button", { text, label });
      made.type = "button";
      made.addEventListener("click", act);
      return made;
    };
    bar.append(
      search,
      menu,
      button("+", "Zoom in", () => void this.sigma.getCamera().animatedZoom()),
      button("\u2212", "Zoom out", () => void this.sigma.getCamera().animatedUnzoom()),
      button("whole", "Show the whole graph", () => void this.sigma.getCamera().animatedReset()),
    );
    return bar;
  }

  private key(event: KeyboardEvent): void {
    const camera = this.sigma.getCamera();
    const { x, y, ratio } = camera.getState();
    const step = 0.1 * ratio;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => camera.setState({ x: x - step }),
      ArrowRight: () => camera.setState({ x: x + step }),
      ArrowUp: () => camera.setState({ y: y + step }),
      ArrowDown: () => camera.setState({ y: y - step }),
      "+": () => camera.setState({ ratio: ratio / 1.3 }),
      "-": () => camera.setState({ ratio: ratio * 1.3 }),
      "0": () => camera.setState({ x: 0.5, y: 0.5, ratio: 1 }),
    };
    if (!(event.key in moves)) return;
    moves[event.key]();
    event.preventDefault();
  }

  private reducedNode(node: string, attributes: Record<string, unknown>): Record<string, unknown> {
    const { hovered, found, cluster, neighbours } = this.view;
    const centre = hovered ?? found;
    const shown = { ...attributes };
    const faded = isDark() ? "#2b3138" : "#e6e8ea";
    if (cluster !== null && attributes.cluster !== cluster) Object.assign(shown, { color: faded, label: "", zIndex: 0 });
    else if (centre !== null && node !== centre && !neighbours.has(node)) Object.assign(shown, { color: faded, label: "", zIndex: 0 });
    else shown.zIndex = 1;
    if (node === centre) Object.assign(shown, { highlighted: true, zIndex: 2 });
    return shown;
  }

  private reducedEdge(edge: string, attributes: Record<string, unknown>): Record<string, unknown> {
    const { hovered, found, cluster } = this.view;
    const centre = hovered ?? found;
    if (centre === null && cluster === null) return attributes;
    const [a, b] = this.graph.extremities(edge);
    const inside =
      (centre === null || a === centre || b === centre) &&
      (cluster === null ||
        (this.data.cluster[Number(a)] === cluster && this.data.cluster[Number(b)] === cluster));
    return inside ? { ...attributes, zIndex: 1 } : { ...attributes, hidden: true };
  }

  private hover(node: string | null): void {
    this.view.hovered = node;
    this.refresh();
  }

  /** Marks a node and tells about it; `goes` there too. */
  find(node: string | null, goes = true): void {
    this.view.found = node;
    this.refresh();
    const shown = node === null ? undefined : this.sigma.getNodeDisplayData(node);
    if (goes && shown) {
      void this.sigma.getCamera().animate({ x: shown.x, y: shown.y, ratio: 0.3 }, { duration: 300 });
    }
  }

  private search(text: string): void {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") return this.find(null, false);
    let found: number | null = null;
    for (let i = 0; i < this.data.x.length; ++i) {
      const name = nameOf(this.data, i).toLowerCase();
      if (name === wanted) {
        found = i;
        break;
      }
      if (found === null && name.includes(wanted)) found = i;
    }
    if (found !== null) return this.find(String(found));
    this.find(null, false);
    this.details.textContent = `No node has \u201c${text}\u201d in its name.`;
  }

  pick(cluster: number | null): void {
    this.view.cluster = cluster;
    this.refresh();
    if (cluster !== null) {
      const count = this.data.cluster.reduce((sum, c) => sum + (c === cluster ? 1 : 0), 0);
      this.details.textContent = `${clusterName(this.data, cluster)}: ${count} nodes in the drawing.`;
    }
  }

  private refresh(): void {
    const centre = this.view.hovered ?? this.view.found;
    this.view.neighbours = new Set(centre === null ? [] : this.graph.neighbors(centre));
    this.details.textContent = centre === null ? "" : this.about(Number(centre));
    this.sigma.refresh({ skipIndexation: true });
  }

  private about(i: number): string {
    return `${nameOf(this.data, i)}: ${this.words[i]}; ${this.graph.degree(String(i))} edges in the drawing.`;
  }
}

export function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
