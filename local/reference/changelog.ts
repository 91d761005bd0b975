import { readFile } from "node:fs/promises";
import * as z from "zod";

/** Dated entries of the changelog, the newest first. */
const changelog = z.array(
  z.strictObject({
    date: z.iso.date(),
    changes: z.array(
      z.strictObject({ kind: z.enum(["added", "changed", "deprecated", "removed", "fixed"]), text: z.string() }),
    ),
  }),
);
export type Changelog = z.infer<typeof changelog>;

export async function readChangelog(): Promise<Changelog> {
  return changelog.parse(JSON.parse(await readFile(new URL("../../docs/changelog.json", import.meta.url), "utf8")));
}

const headers = {
  "Content-Security-Policy": "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
  Vary: "Accept",
};

/**
 * Serves `/changelog`, as a page if the client accepts HTML and otherwise as JSON, and `/changelog.json`. Returns undefined
 * for other paths.
 */
export async function serveChangelog(request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (!["/changelog", "/changelog.json"].includes(pathname) || !["GET", "HEAD"].includes(request.method)) {
    return undefined;
  }
  const entries = await readChangelog();
  const isPage = pathname === "/changelog" && (request.headers.get("accept") ?? "").includes("text/html");
  const body = isPage ? page(entries) : JSON.stringify(entries);
  return new Response(request.method === "HEAD" ? null : body, {
    headers: { ...headers, "Content-Type": isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8" },
  });
}

function page(entries: Changelog): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Changelog · Funding Opportunities Data API</title>
<link rel="alternate" type="application/json" href="/changelog.json">
<link rel="stylesheet" href="/reference/changelog.css">
</head>
<body>
<main>
<h1>Changelog</h1>
${entries.map(section).join("\n")}
</main>
</body>
</html>
`;
}

function section({ date, changes }: Changelog[number]): string {
  const items = changes.map(({ kind, text }) => `<li><strong>${kind}</strong> ${inline(text)}</li>`);
  return `<section>\n<h2 id="${date}"><time datetime="${date}">${date}</time></h2>\n<ul>\n${items.join("\n")}\n</ul>\n</section>`;
}

/** HTML of a text, with its `code` marked up. */
function inline(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return escaped.replace(/`([^`]+)`/g, "<code>$1</code>");
}
