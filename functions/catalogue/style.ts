import { sha256, toHex } from "../../shared/encoding.ts";
import type { PageAnswer } from "./answer.ts";
import { notFound } from "./notices.ts";
import type { Site } from "./site.ts";
import { styles } from "./styles.ts";

let path: Promise<string> | undefined;

/** Path of the stylesheet, after the site's base. It has the hash of the styles, so that a browser never asks for them twice. */
export function stylePath(): Promise<string> {
  path ??= sha256(styles).then((hash) => `/funding/style-${toHex(hash.subarray(0, 6))}.css`);
  return path;
}

/** The stylesheet at its present address, and at those of other versions: a page may be older than the server. */
export function styleFile(file: string, site: Site): PageAnswer {
  if (!/^style-[\da-f]{12}\.css$/.test(file)) return notFound(site);
  return { text: styles, contentType: "text/css; charset=utf-8", maxAgeSeconds: 31_536_000 };
}
