import { snapshot, snapshotList } from "../shared/responses/snapshots.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("Snapshot", snapshot);
name("SnapshotList", snapshotList);

const failures = ["InvalidParameters", "SnapshotsForbidden", ...ofEveryKey] as const;
const unchanged = { description: "The client has the current answer.", headers: responseHeaders("ETag") };
const about = "For accounts whose tier includes snapshots.";

/** Paths of the catalogue as files. */
export const snapshotPaths = {
  "/snapshots": {
    get: {
      operationId: "listSnapshots",
      tags: ["Snapshots"],
      summary: "List snapshots",
      description: `Newest first. ${about}`,
      parameters: [parameter("IfNoneMatch"), parameter("RequestId")],
      responses: {
        200: {
          description: "The snapshots; none where the operator publishes none.",
          headers: responseHeaders("ETag"),
          content: jsonContent(referenceTo(snapshotList)),
        },
        304: unchanged,
        ...failuresOf(...failures),
      },
    },
  },
  "/snapshots/{id}": {
    get: {
      operationId: "getSnapshot",
      tags: ["Snapshots"],
      summary: "Get a snapshot's description",
      description: about,
      parameters: [parameter("SnapshotId"), parameter("IfNoneMatch"), parameter("RequestId")],
      responses: {
        200: {
          description: "Its files, with their sizes and hashes (SHA-256).",
          headers: responseHeaders("ETag"),
          content: jsonContent(referenceTo(snapshot)),
        },
        304: unchanged,
        ...failuresOf(...failures, "NotFound"),
      },
    },
  },
  "/snapshots/{id}/{file}": {
    get: {
      operationId: "downloadSnapshotFile",
      tags: ["Snapshots"],
      summary: "Download a file of a snapshot",
      description: `${about} The answer is the file or, where it is in Supabase Storage, an address that has it: follow the redirect.`,
      parameters: [
        parameter("SnapshotId"),
        parameter("SnapshotFile"),
        parameter("Range"),
        parameter("IfNoneMatch"),
        parameter("RequestId"),
      ],
      responses: {
        200: {
          description: "The file, compressed with gzip. Its `ETag` is its SHA-256.",
          headers: responseHeaders("ETag", "Accept-Ranges", "Content-Disposition"),
          content: { "application/gzip": { schema: { type: "string", format: "binary" } } },
        },
        206: {
          description: "The part of the file that `Range` asked for.",
          headers: responseHeaders("ETag", "Accept-Ranges", "Content-Disposition", "Content-Range"),
          content: { "application/gzip": { schema: { type: "string", format: "binary" } } },
        },
        302: {
          description: "`Location` has the file, for five minutes.",
          headers: responseHeaders("ETag", "Location"),
        },
        304: unchanged,
        ...failuresOf(...failures, "NotFound"),
      },
    },
  },
};
