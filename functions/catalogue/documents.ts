import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { momentDay } from "./days.ts";
import { type Html, html } from "./html.ts";
import { outside, webUrl } from "./link.ts";
import type { Opportunity } from "./read-record.ts";
import { lineOf } from "./text.ts";
import { bytes } from "./words.ts";

/** Documents that are listed, at most. */
const maximumDocuments = 100;

/** The documents of a record: those of its notice and, of a contract, its own one where that is not among them. */
export function documentsOf(record: Opportunity): OpportunityDetails["documents"] {
  const { documents } = record.details;
  const url = "document_url" in record ? record.document_url : null;
  if (url === null || documents.some((document) => document.url === url)) return documents;
  return [{ name: "Document of the notice", url, type: null, size: null, updated_at: null }, ...documents];
}

/** The documents of a notice, with type and size where they are known; undefined where there are none. */
export function documentList(documents: OpportunityDetails["documents"]): Html | undefined {
  const items = documents.slice(0, maximumDocuments).flatMap(({ name, url, type, size, updated_at }) => {
    const address = webUrl(url);
    if (address === undefined) return [];
    const about = [
      ...(type === null ? [] : [typeName(type)]),
      ...(size === null ? [] : [bytes(size)]),
      ...(updated_at === null ? [] : [`changed ${momentDay(updated_at)}`]),
    ].join(", ");
    const title = name === null || name.trim() === "" ? address.host : lineOf(name);
    return [
      html`<li>${outside(address, html`<span dir="auto">${title}</span>`)}${about !== "" && html` <span class="note">${about}</span>`}</li>`,
    ];
  });
  return items.length === 0 ? undefined : html`<ul class="documents">${items}</ul>`;
}

/** `PDF` for `application/pdf`; longer names of media types stay. */
function typeName(type: string): string {
  const [, name = type] = /^[\w.+-]+\/(?:x-)?([\w-]{2,5})$/.exec(type) ?? [];
  return name === type ? type : name.toUpperCase();
}
