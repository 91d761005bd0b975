import * as z from "zod";

const example = "2026-11-24T06-00-00.000Z";

export const snapshotFile = z
  .object({
    name: z.string().meta({
      description: "Its name: the file is at `/snapshots/{id}/{name}`.",
      examples: ["grants.jsonl.gz"],
    }),
    format: z.enum(["jsonl", "csv"]).meta({ description: "Its format, compressed with gzip." }),
    contents: z
      .enum(["records", "changes"])
      .meta({ description: "All records, or those that changed since the previous snapshot." }),
    records: z
      .int()
      .min(0)
      .meta({ description: "Number of records in it.", examples: [79700] }),
    bytes: z
      .int()
      .min(0)
      .meta({ description: "Its size, compressed.", examples: [21400331] }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 of the compressed file, in hexadecimal." }),
  })
  .meta({ description: "A file of a snapshot." });

const part = z
  .object({
    data_as_of: z.string().meta({
      description: "How fresh the dataset was, as `meta.data_as_of` of its lists.",
      format: "date-time",
    }),
    records: z.int().min(0).meta({ description: "Number of current records." }),
    files: z.array(snapshotFile),
  })
  .meta({ description: "A dataset of a snapshot." });

/** A snapshot of the catalogue, as its `manifest.json` describes it. */
export const snapshot = z
  .object({
    id: z.string().meta({ description: "Its name. Snapshots sort by it.", examples: [example] }),
    created_at: z.string().meta({ description: "The moment that it shows.", format: "date-time" }),
    settled_until: z.iso.datetime().meta({ description: "Every change before this moment is in it." }),
    previous: z
      .string()
      .nullable()
      .meta({ description: "The snapshot since which it has the changes; null where it has none." }),
    datasets: z.object({ grants: part, contracts: part, funders: part }),
  })
  .meta({ description: "A snapshot of the catalogue: all current records as files." });

export const snapshotList = z
  .object({ results: z.array(snapshot).meta({ description: "Snapshots, newest first, 100 at most." }) })
  .meta({ description: "Snapshots of the catalogue." });

export type SnapshotFile = z.infer<typeof snapshotFile>;
export type Snapshot = z.infer<typeof snapshot>;
