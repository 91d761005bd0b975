import type { SavedSearchEntry, SavedSearchRead } from "../../shared/database/rpc.ts";
import { entryLines, readableText } from "./text.ts";

/**
 * Writes a saved search's records as an Atom feed (RFC 4287). A record that changes keeps its id, and its `updated` moves on. The link to the
 * feed itself is relative: right behind every proxy, and without the secret of the address, which whoever is shown the feed should not get.
 */
export function writeAtom(
  { id, name }: SavedSearchRead["search"],
  entries: SavedSearchEntry[],
  updated: string,
): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>urn:uuid:${id}</id>`,
    element("title", name, "  "),
    `  <updated>${updated}</updated>`,
    '  <link rel="self" type="application/atom+xml" href="feed.atom"/>',
    "  <author><name>Funding Opportunities</name></author>",
    ...entries.flatMap(writeEntry),
    "</feed>",
    "",
  ].join("\n");
}

function writeEntry(entry: SavedSearchEntry): string[] {
  const { id, title, url, funder_name, created_at, updated_at } = entry;
  return [
    "  <entry>",
    `    <id>urn:uuid:${id}</id>`,
    element("title", title, "    "),
    `    <published>${created_at}</published>`,
    `    <updated>${updated_at}</updated>`,
    ...(url === null ? [] : [`    <link rel="alternate" href="${escapeXml(url)}"/>`]),
    ...(funder_name === null ? [] : [`    <author><name>${escapeXml(funder_name)}</name></author>`]),
    element("content", entryLines(entry).join("\n\n"), "    "),
    "  </entry>",
  ];
}

function element(name: string, text: string, indent: string): string {
  return `${indent}<${name} type="text">${escapeXml(text)}</${name}>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return readableText(text).replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
