import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { renderStaticPages } from "./static-pages.ts";

type Bundle = Rolldown.OutputBundle;

/** A page with a file of its own, by its module: a browser loads the module's scripts at once, and not after the first one. */
interface PageFile {
  file: string;
  module: string;
  /** Other modules that it loads. */
  parts?: string[];
  title?: string;
  description?: string;
  /** Content until the scripts are there. Default: the page's outline. */
  html?: string;
}

const pages: readonly PageFile[] = [
  { file: "index.html", module: "/src/signed-in.tsx", parts: ["/src/session/auth-client.ts"] },
  {
    file: "changelog.html",
    module: "/src/changelog/page.tsx",
    title: "Changelog",
    description: "What changed in the Funding Opportunities Data API, by date.",
  },
  {
    file: "status.html",
    module: "/src/status/page.tsx",
    title: "Status",
    description: "Whether the Funding Opportunities Data API is up, and how fresh its data is.",
  },
];

/** Files of the reference: `reference.html`, `reference/listGrants.html`. */
async function referencePages(): Promise<PageFile[]> {
  const rendered = await renderStaticPages();
  return rendered.map(({ path, title, html }) => ({
    file: `${path.slice(1)}.html`,
    module: "/src/reference/page.tsx",
    parts: path.startsWith("/reference/guide-")
      ? ["/src/reference/guide-page.tsx", path.replace("/reference/guide-", "virtual:guide/")]
      : [],
    title,
    description: `${title} of the Funding Opportunities Data API: parameters, answers, problems and examples.`,
    html,
  }));
}

/** Module that every page loads beside its own. */
const session = "/src/session/session.ts";

/** Writes the pages' files from index.html, and the changelog as JSON. */
export function writePages(): Plugin {
  return {
    name: "write-pages",
    apply: "build",
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("Vite wrote no index.html");
        const template = String(index.source);
        for (const { file, module, parts = [], title, description, html } of [...pages, ...(await referencePages())]) {
          const tags = [session, module, ...parts].flatMap((each) => preloads(bundle, each, template));
          let source = template.replace("</head>", `  ${[...new Set(tags)].join("\n    ")}\n  </head>`);
          if (title !== undefined)
            source = source.replace("<title>", `${preloadConfig}\n    <title>${escapeHtml(title)} · `);
          if (description !== undefined) {
            source = source.replace(/(name="description" content=")[^"]*/, `$1${escapeHtml(description)}`);
          }
          if (html !== undefined) source = source.replace(/\s*<noscript>.*<\/noscript>/, "");
          source = source.replace('<div id="root"></div>', () => `<div id="root">${html ?? outline(title)}</div>`);
          if (file === "index.html") index.source = source;
          else this.emitFile({ type: "asset", fileName: file, source });
        }
        const changelog = readFileSync(fileURLToPath(new URL("../../docs/changelog.json", import.meta.url)), "utf8");
        this.emitFile({ type: "asset", fileName: "changelog.json", source: JSON.stringify(JSON.parse(changelog)) });
      },
    },
  };
}

/** Nobody opens a public page with a sign-in link, which must be out of the address before anything is asked for. */
const preloadConfig = '<link rel="preload" as="fetch" crossorigin href="/config.json">';

const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Painted until the scripts are there: the brand as in src/layout/brand.tsx and, of a public page, the shell and the title. */
function outline(title: string | undefined): string {
  const brand = `<span class="brand"><img src="/icon.svg" alt="" width="28" height="28" /><span><span class="brand-name">Funding Opportunities</span><span class="brand-part">Data API</span></span></span>`;
  if (title === undefined) return `<main class="lonely">${brand}</main>`;
  return `<div class="shell"><aside class="sidebar"><div class="sidebar-brand">${brand}</div></aside><header class="topbar">${brand}</header><main class="content"><div class="page"><h1>${title}</h1></div></main></div>`;
}

/** Tags that load a lazy module, what it imports, and their styles; without those that the page has already. */
function preloads(bundle: Bundle, module: string, html: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const entry = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (entry === undefined) throw new Error(`${module} has no chunk of its own`);
  const names = importsOf(entry, chunks);
  const styles = names.flatMap((name) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    return [...(chunk?.viteMetadata?.importedCss ?? [])];
  });
  return [
    ...names.map((name) => ({ name, tag: `<link rel="modulepreload" crossorigin href="/${name}">` })),
    ...styles.map((name) => ({ name, tag: `<link rel="stylesheet" crossorigin href="/${name}">` })),
  ].flatMap(({ name, tag }) => (html.includes(`"/${name}"`) ? [] : [tag]));
}

function importsOf(
  chunk: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
  seen = new Set<string>(),
): string[] {
  seen.add(chunk.fileName);
  for (const name of chunk.imports) {
    const imported = chunks.find(({ fileName }) => fileName === name);
    if (imported !== undefined && !seen.has(name)) importsOf(imported, chunks, seen);
  }
  return [...seen];
}
