import type { Crumb, PageContent } from "./answer.ts";
import { type Html, html, jsonData } from "./html.ts";
import type { Site } from "./site.ts";

const siteName = "Funding Opportunities";

/** Mark of the dashboard, whose title stands beside it. */
const mark = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="8" fill="#0b6b50"/><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 22v-5"/><path d="M16 22V12"/><path d="M23 22V8" stroke="#8fe3c1"/></g></svg>`;

/**
 * The whole of a page.
 *
 * @param files paths of the stylesheet and the script, after the site's base.
 */
export function writePage(page: PageContent, { origin, base }: Site, files: { style: string; script: string }): string {
  const { title, description, path, isHidden = path === undefined, crumbs = [], data = [], main } = page;
  const address = path === undefined ? undefined : `${origin}${base}${path}`;
  const whole = title === siteName ? title : `${title} · ${siteName}`;
  const way =
    address !== undefined && crumbs.length > 0
      ? [breadcrumbs([...crumbs, { name: title, path: path ?? "" }], `${origin}${base}`)]
      : [];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${whole}</title>
${
  description &&
  html`<meta name="description" content="${description}">
`
}<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${
  isHidden &&
  html`<meta name="robots" content="noindex, follow">
`
}${
  address !== undefined &&
  html`<link rel="canonical" href="${address}">
<meta property="og:url" content="${address}">
`
}<meta property="og:site_name" content="${siteName}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
${
  description &&
  html`<meta property="og:description" content="${description}">
`
}<meta name="twitter:card" content="summary">
<link rel="stylesheet" href="${base}${files.style}">
<script src="${base}${files.script}" defer></script>
${[...data, ...way].map(
  (item) => html`<script type="application/ld+json">${jsonData(item)}</script>
`,
)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="wide">
<a class="brand" href="${base}/funding">${mark}<span>${siteName}</span></a>
<nav aria-label="Catalogue"><a href="${base}/funding">Grants</a> <a href="${base}/funding?dataset=contracts">Contracts</a></nav>
</div></header>
<main id="main" class="wide" tabindex="-1">
${crumbs.length > 0 && trail(crumbs, base)}${main}
</main>
<footer class="bottom"><div class="wide"><p>A public catalogue of grants and government contracts. What a publisher's own notice says decides: read it before you apply.</p></div></footer>
</body>
</html>
`.markup;
}

function trail(crumbs: readonly Crumb[], base: string): Html {
  return html`<nav class="trail" aria-label="Breadcrumbs"><ol>${crumbs.map(
    ({ name, path }) => html`<li><a href="${base}${path}">${name}</a></li>`,
  )}</ol></nav>
`;
}

/** The way to a page, for search engines. */
function breadcrumbs(crumbs: readonly Crumb[], root: string): object {
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: `${root}${path}`,
    })),
  };
}
