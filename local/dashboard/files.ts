import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { ContentEncoding } from "./encoding.ts";

/** A file of a build, ready to be served. */
export interface BuiltFile {
  body: Uint8Array<ArrayBuffer>;
  contentType: string;
  entityTag: string;
  /** The same, compressed by the build. A file that is small or compressed by itself has none. */
  compressed: ReadonlyMap<ContentEncoding, Uint8Array<ArrayBuffer>>;
}

/** Files of a build, by path: `/index.html`, `/assets/index-3f9a.js`. */
export type Build = ReadonlyMap<string, BuiltFile>;

const contentTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Suffixes of the compressed copies, which dashboard/build/compress.ts writes. */
const suffixes: readonly (readonly [ContentEncoding, string])[] = [
  ["br", ".br"],
  ["gzip", ".gz"],
];

/**
 * Returns a function that returns the build in a folder, or undefined while there is none. The files are kept in memory (a
 * dashboard has some nine megabytes) and read again when index.html has changed, so no path of a request ever reaches the
 * file system.
 */
export function createBuildCache(folder: string): () => Build | undefined {
  let cached: { version: number; build: Build } | undefined;
  return () => {
    const version = statSync(join(folder, "index.html"), { throwIfNoEntry: false })?.mtimeMs;
    if (version === undefined) return undefined;
    try {
      if (cached?.version !== version) cached = { version, build: readBuild(folder) };
    } catch {
      // The build is being replaced. Serve the old one until the next request.
    }
    return cached?.build;
  };
}

function readBuild(folder: string): Build {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = new Set(names.filter((name) => statSync(join(folder, name)).isFile()));
  const served = [...files].filter((name) => !name.startsWith(".") && !suffixes.some(([, end]) => name.endsWith(end)));
  return new Map(served.map((name) => [`/${name.replaceAll(sep, "/")}`, readBuiltFile(folder, name, files)]));
}

function readBuiltFile(folder: string, name: string, files: ReadonlySet<string>): BuiltFile {
  const read = (file: string) => new Uint8Array(readFileSync(join(folder, file)));
  const body = read(name);
  return {
    body,
    contentType: contentTypes[extname(name)] ?? "application/octet-stream",
    entityTag: createHash("sha256").update(body).digest("base64url").slice(0, 22),
    compressed: new Map(
      suffixes.filter(([, end]) => files.has(name + end)).map(([encoding, end]) => [encoding, read(name + end)]),
    ),
  };
}
