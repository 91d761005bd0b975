/** Colours, type and shapes of the dashboard: `dashboard/src/styles/tokens.css` has the same, and a test compares them. */
const tokens = `
:root {
  color-scheme: light dark;
  --background: light-dark(#f8f8f6, #101211);
  --surface: light-dark(#ffffff, #181b19);
  --surface-sunken: light-dark(#f2f2ef, #131614);
  --hover: light-dark(#f0f0ec, #222624);
  --border: light-dark(#e4e4df, #2a2f2c);
  --border-strong: light-dark(#cdcdc6, #3c423e);
  --control-border: light-dark(#8b8d86, #6e756f);
  --text: light-dark(#1a1d1b, #eceeec);
  --text-muted: light-dark(#5b605c, #a3aaa5);
  --text-on-accent: light-dark(#ffffff, #06231a);
  --accent: light-dark(#0b6b50, #5fd3a9);
  --accent-hover: light-dark(#08573f, #7ce0bb);
  --accent-soft: light-dark(#e3f2ec, #15332a);
  --accent-text: light-dark(#0a6049, #6fd9b2);
  --warning-text: light-dark(#7a4a00, #f0bd62);
  --warning-soft: light-dark(#fdf3df, #352811);
  --sans: "Geist Variable", system-ui, sans-serif;
  --radius-small: 6px;
  --radius: 8px;
  --radius-large: 12px;
  --shadow-small: 0 1px 2px light-dark(rgb(20 24 22 / 6%), rgb(0 0 0 / 30%));
  --focus-ring: 0 0 0 2px var(--background), 0 0 0 4px var(--accent);
}
`;

const page = `
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--background); color: var(--text); text-size-adjust: 100%; -webkit-font-smoothing: antialiased; }
body { margin: 0; min-height: 100dvh; display: flex; flex-direction: column; font: 400 1rem/1.6 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, p, dl, dd, ol, ul { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: clamp(1.5rem, 1.1rem + 1.8vw, 2.125rem); font-weight: 650; letter-spacing: -.022em; line-height: 1.2; text-wrap: balance; }
h2 { font-size: 1.125rem; font-weight: 620; letter-spacing: -.01em; line-height: 1.35; }
h3 { font-size: 1rem; font-weight: 620; line-height: 1.4; }
a { color: var(--accent-text); text-underline-offset: 3px; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
button, input { font: inherit; color: inherit; }
:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus-ring); border-radius: var(--radius-small); }
main:focus-visible, aside:focus-visible { box-shadow: none; }
.wide { width: 100%; max-width: 72rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2rem); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--surface); border-radius: var(--radius); z-index: 1; }
.skip:focus { top: .5rem; }
`;

const frame = `
.top { background: var(--surface); border-bottom: 1px solid var(--border); }
.top .wide { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1.5rem; padding-block: .625rem; }
.brand { display: inline-flex; align-items: center; gap: .625rem; color: var(--text); font-weight: 620; letter-spacing: -.01em; text-decoration: none; min-height: 2.5rem; }
.top nav { display: flex; gap: .25rem; }
.top nav a { padding: .5rem .75rem; border-radius: var(--radius); color: var(--text-muted); text-decoration: none; font-weight: 500; font-size: .9375rem; }
.top nav a:hover { background: var(--hover); color: var(--text); }
main { flex: 1; padding-block: clamp(1.25rem, 3vw, 2.25rem) 3rem; }
.bottom { border-top: 1px solid var(--border); color: var(--text-muted); font-size: .875rem; }
.bottom .wide { padding-block: 1.25rem; }
.trail { margin-bottom: 1rem; font-size: .875rem; }
.trail ol { display: flex; flex-wrap: wrap; gap: .25rem; }
.trail li:not(:last-child)::after { content: "›"; margin-inline: .375rem .125rem; color: var(--text-muted); }
.trail a { color: var(--text-muted); padding-block: .25rem; }
`;

const lists = `
.intro p { margin-top: .5rem; color: var(--text-muted); max-width: 44rem; }
.search { margin-top: 1.25rem; }
.search label { display: block; font-weight: 550; margin-bottom: .375rem; font-size: .9375rem; }
.search div { display: flex; gap: .5rem; }
.search input, .fields input { flex: 1; min-width: 0; width: 100%; min-height: 2.75rem; padding: .375rem .75rem; border: 1px solid var(--control-border); border-radius: var(--radius); background: var(--surface); }
.search div { position: relative; }
.suggestions { position: absolute; z-index: 1; inset: calc(100% + .25rem) 0 auto 0; max-height: min(24rem, 60dvh); overflow-y: auto; padding: .25rem; background: var(--surface); border: 1px solid var(--border-strong); border-radius: var(--radius); box-shadow: 0 8px 24px rgb(0 0 0 / 14%); }
.suggestions li { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; min-height: 2.75rem; padding: .5rem .75rem; border-radius: var(--radius-small); line-height: 1.4; cursor: pointer; }
.suggestions li:hover, .suggestions [aria-selected=true] { background: var(--accent-soft); color: var(--accent-text); }
.kind { flex: none; font-size: .8125rem; color: var(--text-muted); }
.search input::placeholder { color: var(--text-muted); opacity: 1; }
button, .apply { min-height: 2.75rem; padding: .375rem 1.125rem; border: 1px solid transparent; border-radius: var(--radius); background: var(--accent); color: var(--text-on-accent); font-weight: 600; cursor: pointer; }
button:hover, .apply:hover { background: var(--accent-hover); }
.fields button { background: var(--surface); color: var(--text); border-color: var(--control-border); min-height: 2.5rem; }
.fields button:hover { background: var(--hover); }
.columns { display: grid; gap: 2rem; margin-top: 1.75rem; }
.columns > * { min-width: 0; }
.summary { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.scope { color: var(--text-muted); font-weight: 400; }
.jump { flex: none; padding: .375rem .75rem; white-space: nowrap; border: 1px solid var(--control-border); border-radius: var(--radius); text-decoration: none; color: var(--text); font-size: .9375rem; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; }
.chips a { display: inline-flex; align-items: center; gap: .5rem; padding: .25rem .75rem; min-height: 2rem; border-radius: 1rem; background: var(--accent-soft); color: var(--accent-text); font-size: .875rem; font-weight: 500; text-decoration: none; }
.chips a:hover { text-decoration: line-through; }
.chips .clear { background: none; text-decoration: underline; padding-inline: .25rem; }
.sort { display: flex; flex-wrap: wrap; gap: .25rem; margin-top: .75rem; font-size: .9375rem; border-bottom: 1px solid var(--border); }
.sort a { padding: .5rem .75rem; color: var(--text-muted); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; }
.sort a:hover { color: var(--text); }
.sort a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
.card { padding: 1.125rem 1.25rem; margin-top: .875rem; background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius-large); box-shadow: var(--shadow-small); }
.card:hover { border-color: var(--border-strong); }
.card :is(h2, h3) { font-size: 1.0625rem; letter-spacing: -.01em; }
.card :is(h2, h3) a { color: var(--text); text-decoration: none; }
.card :is(h2, h3) a:hover { color: var(--accent-text); text-decoration: underline; }
.from { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem .625rem; margin-top: .375rem; color: var(--text-muted); font-size: .9375rem; }
.excerpt { margin-top: .5rem; font-size: .9375rem; }
.brief { display: flex; flex-wrap: wrap; gap: .5rem 1.75rem; margin-top: .75rem; font-size: .875rem; }
.brief dt { color: var(--text-muted); font-size: .8125rem; }
.brief dd { font-weight: 500; font-variant-numeric: tabular-nums; }
.badge { display: inline-block; padding: .0625rem .625rem; border-radius: 1rem; font-size: .8125rem; font-weight: 550; background: var(--hover); color: var(--text-muted); }
.badge.open { background: var(--accent-soft); color: var(--accent-text); }
.badge.soon { background: var(--warning-soft); color: var(--warning-text); }
.pages { display: flex; justify-content: space-between; align-items: center; gap: 1rem; margin-top: 1.5rem; color: var(--text-muted); font-size: .9375rem; }
.pages a { padding: .5rem 1rem; border: 1px solid var(--control-border); border-radius: var(--radius); text-decoration: none; color: var(--text); background: var(--surface); font-weight: 500; }
.pages a:hover { background: var(--hover); }
.nothing { margin-top: 1rem; padding: 1.5rem; border: 1px dashed var(--border-strong); border-radius: var(--radius-large); }
.nothing ul, .notice > ul { list-style: disc; padding-left: 1.25rem; margin-top: .5rem; }
.filters > h2 { padding-bottom: .5rem; border-bottom: 1px solid var(--border); }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1rem; align-items: end; }
.fields label { display: block; font-size: .875rem; margin-bottom: .25rem; color: var(--text-muted); }
.fields input { min-height: 2.5rem; font-variant-numeric: tabular-nums; }
.past { margin-top: .75rem; font-size: .9375rem; }
.facet { margin-top: 1.5rem; }
.facet h3 { font-size: .9375rem; margin-bottom: .25rem; }
.facet a { display: flex; justify-content: space-between; gap: .75rem; padding: .25rem .5rem; margin-inline: -.5rem; border-radius: var(--radius-small); color: var(--text); text-decoration: none; font-size: .9375rem; line-height: 1.45; }
.facet a:hover { background: var(--hover); }
.facet a[aria-current] { background: var(--accent-soft); color: var(--accent-text); font-weight: 600; }
.facet a[aria-current] > span:first-child::before { content: "✓ "; }
.count { flex: none; color: var(--text-muted); font-weight: 400; font-variant-numeric: tabular-nums; margin-left: auto; }
a[aria-current] .count { color: inherit; }
summary { cursor: pointer; padding: .25rem 0; font-size: .875rem; color: var(--accent-text); }
`;

const records = `
.record > header { max-width: 56rem; }
.record > header .from { margin-top: .75rem; font-size: 1rem; }
.deciding { margin-top: 1.5rem; padding: 1.25rem clamp(1rem, 3vw, 1.75rem); background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius-large); box-shadow: var(--shadow-small); }
.deciding dl { display: grid; gap: 1.125rem 2rem; }
dt { color: var(--text-muted); font-size: .875rem; }
.deciding dd { font-size: 1.0625rem; font-weight: 550; font-variant-numeric: tabular-nums; }
.deciding dd li { font-size: 1rem; font-weight: 500; line-height: 1.45; padding-block: .125rem; }
.deciding dd a { font-weight: 500; font-size: .9375rem; }
.missing, .note { color: var(--text-muted); font-weight: 400; font-size: .9375rem; }
.left { white-space: nowrap; display: inline-block; padding: 0 .5rem; border-radius: 1rem; background: var(--accent-soft); color: var(--accent-text); font-size: .875rem; font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.5rem; margin-top: 1.5rem; }
.left.soon { background: var(--warning-soft); color: var(--warning-text); }
.actions:empty { display: none; }
.apply { display: inline-flex; align-items: center; text-decoration: none; }
.text section + section { margin-top: 2.25rem; }
.text p { margin-top: .75rem; max-width: 42rem; }
.text :is(.documents, .awards, .similar, .history) { margin-top: .75rem; }
.text li { padding-block: .25rem; }
.similar .note, .awards .note, .documents .note { display: block; font-size: .875rem; }
.history > li { padding: .375rem 0 .375rem 1rem; border-left: 2px solid var(--border-strong); }
.history time { font-weight: 550; font-size: .9375rem; }
.history del { color: var(--text-muted); }
.history ins { text-decoration: none; font-weight: 500; }
.facts dl { margin-top: .75rem; display: grid; gap: .875rem; font-size: .9375rem; }
.facts h2 { padding-bottom: .5rem; border-bottom: 1px solid var(--border); }
.facts li { padding-block: .125rem; }
.path li + li { padding-left: .75rem; border-left: 2px solid var(--border); }
.source { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--border); color: var(--text-muted); font-size: .875rem; }
.record > section { margin-top: 2rem; }
.record > section > p { margin-top: .75rem; max-width: 42rem; }
.notice { max-width: 40rem; }
.notice > p { margin-top: .75rem; }
.notice .search { margin-bottom: 1.25rem; }
`;

const widths = `
@media (max-width: 26rem) { .brand { font-size: .9375rem; } .top nav a { padding-inline: .375rem; font-size: .875rem; } }
@media (min-width: 40rem) { .deciding dl { grid-template-columns: 1fr 1fr; } }
@media (min-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr) 18rem; gap: 3rem; }
  .deciding dl { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .deciding dl > :nth-child(3):not(:last-child) { grid-row: span 2; }
  .jump { display: none; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (forced-colors: active) { .suggestions [aria-selected=true] { outline: 2px solid; outline-offset: -2px; } .badge, .chips a, button, .apply { border: 1px solid; } }
@media print {
  :root { color-scheme: light; --background: #fff; }
  .top nav, .search, .filters, .sort, .pages, .jump, .skip, .actions .calendar, .bottom { display: none; }
  .columns { grid-template-columns: 1fr; }
  .card, .deciding { box-shadow: none; break-inside: avoid; }
  .apply { background: none; color: inherit; border: 1px solid; }
  .apply[href]::after { content: " (" attr(href) ")"; font-weight: 400; }
}
`;

/** The stylesheet of all pages. */
export const styles = [tokens, page, frame, lists, records, widths].join("").replaceAll(/\n+/g, "\n").trim();
