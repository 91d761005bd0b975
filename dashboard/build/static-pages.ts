import { rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import type { StaticPage } from "../src/reference/static-page.tsx";
import { guideModules } from "./guides.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** Renders the pages of the reference to HTML. Takes 0.6 s: bundling, loading React, and 113 pages. */
export async function renderStaticPages(): Promise<StaticPage[]> {
  const built = (await build({
    configFile: false,
    root: folder,
    logLevel: "error",
    plugins: [withoutStyles, guideModules()],
    build: {
      ssr: "src/reference/static-page.tsx",
      write: false,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  // Within the folder, so that Node finds React.
  const file = new URL(`../.static-${process.pid}.mjs`, import.meta.url);
  try {
    await writeFile(file, built.output[0].code);
    const { renderPages } = (await import(file.href)) as { renderPages: () => Promise<StaticPage[]> };
    return await renderPages();
  } finally {
    await rm(file, { force: true });
  }
}

/** Leaves styles out, which Node cannot load. */
const withoutStyles: Plugin = {
  name: "without-styles",
  enforce: "pre",
  resolveId: (id) => (id.endsWith(".css") ? "\0no-style" : undefined),
  load: (id) => (id === "\0no-style" ? "" : undefined),
};
