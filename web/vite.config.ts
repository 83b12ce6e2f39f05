import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { licences } from "./licences.ts";

/** `vite build map` builds the page in map/ into the package's folder pages/map. */
function intoThePackage(): Plugin {
  return {
    name: "into-the-package",
    config: (config) => ({
      build: {
        outDir: resolve(import.meta.dirname, "../src/downcut/pages", basename(config.root ?? "")),
        emptyOutDir: true,
        rolldownOptions: { input: entriesOf(config.root ?? "") },
      },
    }),
  };
}

/** A page, and those beside it. */
const entriesOf = (root: string): string[] =>
  ["index.html", "explore.html"]
    .map((name) => resolve(root, name))
    .filter((file) => existsSync(file));

export default defineConfig({
  oxc: { jsx: { importSource: "preact" } },
  base: "./", // any folder of any server
  plugins: [intoThePackage(), licences()],
  worker: { format: "es", rolldownOptions: { output: { entryFileNames: "[name]-[hash].js" } } },
  build: {
    target: "es2022",
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        // Old servers do not know .mjs, and a browser takes no module of unknown kind.
        assetFileNames: ({ names }) =>
          names[0]?.endsWith(".mjs") ? "[name]-[hash].js" : "[name]-[hash][extname]",
      },
    },
  },
});
