import { gzipSync } from "node:zlib";

/** A function bundled with all its imports in one minified file. */
export interface Bundle {
  path: string;
  /** Number of bundled modules, also counting those of packages. */
  modules: number;
  gzipBytes: number;
  /** Files of ours that are loaded before the first answer, and their bytes in the minified file: those not behind `import()`. */
  start: { files: number; bytes: number };
  /** Bytes of the minified file by origin: a package's name, or `shared/` and `functions/`. */
  bytesBy: Map<string, number>;
}

interface Metafile {
  inputs: Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>;
  outputs: Record<string, { entryPoint?: string; inputs: Record<string, { bytesInOutput: number }> }>;
}

/** Bundles a file with esbuild, as Wrangler does. */
export async function bundleFunction(esbuild: string, entry: string, path: string): Promise<Bundle> {
  const metafilePath = `${path}.json`;
  const { success, stderr } = await new Deno.Command(esbuild, {
    args: [
      entry,
      ...["--bundle", "--minify", "--format=esm", "--platform=neutral", "--main-fields=module,main"],
      // nodemailer, for SMTP from the edge runtime, which has these modules of Node.
      "--external:node:*",
      ...["--conditions=worker,browser,import", `--outfile=${path}`, `--metafile=${metafilePath}`, "--log-level=error"],
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));

  const metafile = JSON.parse(await Deno.readTextFile(metafilePath)) as Metafile;
  const bytesBy = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const origin = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? "functions/, shared/";
      bytesBy.set(origin, (bytesBy.get(origin) ?? 0) + bytesInOutput);
    }
  }
  return {
    path,
    start: measureStart(metafile),
    modules: Object.keys(metafile.inputs).length,
    gzipBytes: gzipSync(await Deno.readFile(path), { level: 9 }).length,
    bytesBy,
  };
}

/** Follows the imports from the entry that are not behind `import()`. */
function measureStart({ inputs, outputs }: Metafile): { files: number; bytes: number } {
  const output = Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined);
  const reached = new Set([output?.entryPoint ?? ""]);
  // Files that are added while the loop runs are visited as well.
  for (const path of reached) {
    for (const { path: imported, kind, external } of inputs[path]?.imports ?? []) {
      if (kind !== "dynamic-import" && external !== true) reached.add(imported);
    }
  }
  const bytes = [...reached].reduce((sum, path) => sum + (output?.inputs[path]?.bytesInOutput ?? 0), 0);
  return { files: [...reached].filter((path) => !path.includes("node_modules/")).length, bytes };
}
