// Bundles the scripts of the report and writes them as C++ that the library embeds.
// Usage: node build.mjs OUT.cpp LICENCES.txt
import { build } from "esbuild";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [source, licences] = process.argv.slice(2);

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none", // the licences below are whole
  logLevel: "warning",
});
// A page must not end its own script early.
const script = result.outputFiles[0].text.replaceAll("</script", "<\\/script");

// Every package that went into the bundle, with its licence and notice.
const packages = new Set();
for (const file of Object.keys(result.metafile.inputs)) {
  const found = file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
let texts = "";
for (const name of [...packages].sort()) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  texts += `${name} ${version} (${license})\n\n`;
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => /^(licenses\/)?(licen[cs]e|notice|copying)/i.test(file))
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort();
  for (const file of files) texts += readFileSync(join(folder, file), "utf8").trim() + "\n\n";
  if (files.length === 0) texts += "No text comes with the package; the licence is named above.\n\n";
  texts += "-".repeat(72) + "\n\n";
}

function literal(text) {
  const lines = [];
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; at += 4000) {
    let line = "";
    for (const byte of bytes.subarray(at, at + 4000)) {
      if (byte === 0x22 || byte === 0x5c || byte === 0x3f) line += "\\" + String.fromCharCode(byte);
      else if (byte >= 0x20 && byte < 0x7f) line += String.fromCharCode(byte);
      else line += "\\" + byte.toString(8).padStart(3, "0");
    }
    lines.push(`"${line}"`);
  }
  return lines.join("\n") || '""';
}

const code = `// Made by web/build.mjs. Not to be edited.
#include "report/bundle.hpp"

namespace srgw::detail {

namespace {
constexpr char script[] =
${literal(script)};
constexpr char licences[] =
${literal(texts)};
}  // namespace

std::string_view bundle_script() { return {script, sizeof(script) - 1}; }
std::string_view bundle_licences() { return {licences, sizeof(licences) - 1}; }

}  // namespace srgw::detail
`;
// Unchanged text keeps its time, so that nothing is compiled again.
if (!existsSync(source) || readFileSync(source, "utf8") !== code) writeFileSync(source, code);
writeFileSync(licences, texts);
