import { sha256, toHex } from "../../shared/encoding.ts";
import type { PageAnswer } from "./answer.ts";
import { notFound } from "./notices.ts";
import { script } from "./script.generated.ts";
import type { Site } from "./site.ts";
import { styles } from "./styles.ts";

/** What pages load, by the ending of its address. */
const files = {
  css: { name: "style", text: styles, contentType: "text/css; charset=utf-8" },
  js: { name: "script", text: script, contentType: "text/javascript; charset=utf-8" },
} as const;

type Ending = keyof typeof files;

const paths = new Map<Ending, Promise<string>>();

/** Path of a file, after the site's base. It has the hash of the text, so that a browser never asks for it twice. */
function pathOf(ending: Ending): Promise<string> {
  const { name, text } = files[ending];
  const path =
    paths.get(ending) ?? sha256(text).then((hash) => `/funding/${name}-${toHex(hash.subarray(0, 6))}.${ending}`);
  paths.set(ending, path);
  return path;
}

/** Paths of the stylesheet and the script of all pages. */
export async function filePaths(): Promise<{ style: string; script: string }> {
  return { style: await pathOf("css"), script: await pathOf("js") };
}

/** A file at its present address, and at those of other versions: a page may be older than the server. */
export function readFile(name: string, site: Site): PageAnswer {
  const ending = /^(?:style-[\da-f]{12}\.(css)|script-[\da-f]{12}\.(js))$/.exec(name)?.slice(1).find(Boolean);
  if (ending === undefined) return notFound(site);
  const { text, contentType } = files[ending as Ending];
  return { text, contentType, maxAgeSeconds: 31_536_000 };
}
