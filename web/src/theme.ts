// Light or dark: what the system says, until the button is used.

type Listener = (dark: boolean) => void;
const listeners: Listener[] = [];
const system = window.matchMedia("(prefers-color-scheme: dark)");
let chosen: boolean | null = null;

export function isDark(): boolean {
  return chosen ?? system.matches;
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const listener of listeners) listener(isDark());
}

export function onTheme(listener: Listener): void {
  listeners.push(listener);
}

export function ink(): string {
  return isDark() ? "#e8eaed" : "#1c1c1c";
}
export function softInk(): string {
  return isDark() ? "#a5abb3" : "#55595e";
}
export function faint(): string {
  return isDark() ? "#3a4048" : "#dfe3e6";
}

export function setUpTheme(): void {
  system.addEventListener("change", apply);
  const button = document.getElementById("theme");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      chosen = !isDark();
      apply();
    });
  }
  apply();
}
