import { resolve } from "node:path";
import { defineConfig } from "vite";

/** Builds what other pages import by its name: one readable file that needs no other. */
export default defineConfig({
  build: {
    target: "es2022",
    outDir: resolve(import.meta.dirname, "../src/downcut/pages/site"),
    emptyOutDir: false,
    minify: false,
    lib: {
      entry: resolve(import.meta.dirname, "site/downcut-land.ts"),
      formats: ["es"],
      fileName: "downcut-land",
    },
  },
});
