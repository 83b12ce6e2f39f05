import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const HERE = import.meta.dirname;
const OWN_FILE = /^licen[cs]e/i;

/** Writes the licence of every bundled library beside the page: the bundler drops them. */
export function licences(): Plugin {
  const used = new Set<string>();
  return {
    name: "licences",
    moduleParsed({ id }) {
      const name = packageOf(id);
      if (name) withItsOwn(name, used);
    },
    generateBundle() {
      if (used.size === 0) this.error("no bundled library was found, which cannot be");
      const texts = [...used].sort().map(licence);
      this.emitFile({
        type: "asset",
        fileName: "THIRD-PARTY-LICENSES.txt",
        source: `This page contains the libraries below.\n\n${texts.join("\n\n")}`,
      });
    },
  };
}

function packageOf(id: string): string | undefined {
  return id.match(/.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/?]+)/)?.[1]?.replace("\\", "/");
}

/** Adds a library and what it depends on: some ship their dependencies inside their own files. */
function withItsOwn(name: string, used: Set<string>): void {
  if (used.has(name) || name.startsWith("@types/") || !existsSync(folder(name))) return;
  used.add(name);
  for (const other of Object.keys(about(name).dependencies ?? {})) withItsOwn(other, used);
}

function licence(name: string): string {
  const { version, license } = about(name);
  const kept = join(HERE, "licences", `${name.replace("/", "-")}.txt`);
  const own = readdirSync(folder(name)).find((file) => OWN_FILE.test(file));
  const file = own ? join(folder(name), own) : kept;
  if (!existsSync(file)) throw new Error(`${name} ships no licence text: put it into ${kept}`);
  const line = "=".repeat(80);
  return `${line}\n${name} ${version} (${license})\n${line}\n\n${readFileSync(file, "utf8").trim()}`;
}

function folder(name: string): string {
  return join(HERE, "node_modules", name);
}

function about(name: string): {
  version: string;
  license: string;
  dependencies?: Record<string, string>;
} {
  return JSON.parse(readFileSync(join(folder(name), "package.json"), "utf8"));
}
