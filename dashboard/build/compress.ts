import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Files of the build that compression makes smaller. Typefaces and pictures are compressed by themselves. */
const compressible = /\.(css|html|js|json|svg|txt|webmanifest)$/;
/** Five megabytes of pages: the highest level would take 5 s, and make them 5% smaller than this one does in 0.1 s. */
const manyPages = /^reference\//;
/** Smaller files fit in one packet as they are. */
const minimumBytes = 1_000;

/**
 * Writes `.br` and `.gz` beside each file, at high levels: once in a build rather than for each visitor. `npm start`
 * serves them, and so do hosts of static files that know the convention. Cloudflare compresses by itself, and does not get
 * them (public/.assetsignore).
 */
export function compressFiles(): Plugin {
  return {
    name: "compress-files",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          const content = file.type === "chunk" ? file.code : file.source;
          const bytes = Buffer.from(content);
          if (!compressible.test(file.fileName) || bytes.length < minimumBytes) continue;
          const params = {
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            ...(manyPages.test(file.fileName) ? { [constants.BROTLI_PARAM_QUALITY]: 6 } : {}),
          };
          const add = (end: string, source: Uint8Array) =>
            this.emitFile({ type: "asset", fileName: file.fileName + end, source });
          add(".br", brotliCompressSync(bytes, { params }));
          add(".gz", gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
        }
      },
    },
  };
}
