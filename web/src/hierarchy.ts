// Levels below each other, the coarsest on top; a click shows a cluster in the whole width.
import { Hierarchy, element } from "./data";

const space = "http://www.w3.org/2000/svg";
const width = 1000; // in units of the drawing, which is stretched to its place
const rowHeight = 44;
const narrowest = 0.6;

interface Window {
  begin: number;
  end: number;
}

export function drawHierarchy(place: HTMLElement, chart: Hierarchy, palette: string[]): void {
  place.classList.add("hierarchy");
  const levels = chart.levels;
  const whole = element("button", { text: "Show all" });
  whole.type = "button";
  const tools = element("div", { className: "tools" });
  tools.append(whole);
  const words = element("p", { className: "details" });
  words.setAttribute("aria-live", "polite");
  const rows = element("div", { className: "levels" });
  place.append(tools, rows, words);

  const about = (l: number, k: number): string => {
    const level = levels[l];
    const nodes = level.sizes[k];
    const share = ((100 * nodes) / levels[levels.length - 1].sizes.reduce((a, b) => a + b, 0)).toPrecision(3);
    const inside = l > 0 ? levels[l - 1].parents.filter((parent) => parent === k).length : 0;
    let text = `Level ${l}, cluster ${k + 1}: ${nodes} node${nodes === 1 ? "" : "s"} (${share} %)`;
    if (l + 1 < levels.length) text += `, in cluster ${level.parents[k] + 1} of level ${l + 1}`;
    if (inside > 0) text += `, holds ${inside} of level ${l - 1}`;
    return `${text}.`;
  };

  const draw = (window: Window): void => {
    const span = window.end - window.begin;
    whole.hidden = span >= 1;
    rows.replaceChildren();
    for (let l = levels.length - 1; l >= 0; --l) {
      const level = levels[l];
      const name = element("div", { className: level.marked ? "level marked" : "level" });
      const count = level.sizes.length;
      name.textContent = `level ${l}${level.marked ? ", result" : ""}: ${count} cluster${count === 1 ? "" : "s"}`;
      const drawing = document.createElementNS(space, "svg");
      drawing.setAttribute("viewBox", `0 0 ${width} ${rowHeight}`);
      drawing.setAttribute("preserveAspectRatio", "none");
      drawing.setAttribute("role", "img");
      drawing.setAttribute("aria-label", name.textContent);
      level.sizes.forEach((_, k) => {
        const left = Math.max(level.begin[k], window.begin);
        const right = Math.min(level.end[k], window.end);
        const wide = ((right - left) / span) * width;
        if (!(wide >= narrowest)) return;
        const box = document.createElementNS(space, "rect");
        const colour = level.colours[k];
        box.setAttribute("x", String(((left - window.begin) / span) * width));
        box.setAttribute("width", String(Math.max(narrowest, wide - Math.min(1.5, wide / 4))));
        box.setAttribute("height", String(rowHeight));
        if (colour >= 0) box.setAttribute("fill", palette[colour % palette.length]);
        box.setAttribute("class", colour >= 0 ? "cluster" : "cluster above");
        const hint = document.createElementNS(space, "title");
        hint.textContent = about(l, k);
        box.append(hint);
        box.addEventListener("pointerenter", () => (words.textContent = about(l, k)));
        box.addEventListener("click", () => {
          words.textContent = about(l, k);
          draw({ begin: level.begin[k], end: level.end[k] });
        });
        drawing.append(box);
      });
      rows.append(name, drawing);
    }
  };
  whole.addEventListener("click", () => draw({ begin: 0, end: 1 }));
  draw({ begin: 0, end: 1 });
}
