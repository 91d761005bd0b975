import { promisify } from "node:util";
import { type BrotliOptions, brotliCompress, constants, gzip as gzipWithCallback, type ZlibOptions } from "node:zlib";
import type { Plugin } from "vite";

const brotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const gzip = promisify<Buffer, ZlibOptions, Buffer>(gzipWithCallback);

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
      async handler(_, bundle) {
        // At once, in the threads of zlib: one after the other took twice as long on two cores.
        await Promise.all(
          Object.values(bundle).map(async (file) => {
            const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
            if (!compressible.test(file.fileName) || bytes.length < minimumBytes) return;
            const params = {
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
              ...(manyPages.test(file.fileName) ? { [constants.BROTLI_PARAM_QUALITY]: 6 } : {}),
            };
            const [br, gz] = await Promise.all([
              brotli(bytes, { params }),
              gzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
            ]);
            this.emitFile({ type: "asset", fileName: `${file.fileName}.br`, source: br });
            this.emitFile({ type: "asset", fileName: `${file.fileName}.gz`, source: gz });
          }),
        );
      },
    },
  };
}
