import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";

/** A file of the dashboard's build. */
export interface BuiltFile {
  body: Uint8Array<ArrayBuffer>;
  contentType: string;
  entityTag: string;
}

/** The files of a build by their paths: `/index.html`, `/assets/index-3f9a.js`. */
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

/**
 * Gives the build in a folder, read anew when its index.html has changed; undefined while there is none. The files are
 * kept in memory (a dashboard is a few hundred kilobytes), so no path of a request ever reaches the file system.
 */
export function buildIn(folder: string): () => Build | undefined {
  let known: { version: number; build: Build } | undefined;
  return () => {
    const version = statSync(join(folder, "index.html"), { throwIfNoEntry: false })?.mtimeMs;
    if (version === undefined) return undefined;
    try {
      if (known?.version !== version) known = { version, build: readBuild(folder) };
    } catch {
      // It is being replaced: until the next request, the build that was.
    }
    return known?.build;
  };
}

function readBuild(folder: string): Build {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [`/${name.replaceAll(sep, "/")}`, readBuiltFile(join(folder, name))]));
}

function readBuiltFile(path: string): BuiltFile {
  const body = new Uint8Array(readFileSync(path));
  return {
    body,
    contentType: contentTypes[extname(path)] ?? "application/octet-stream",
    entityTag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
  };
}
