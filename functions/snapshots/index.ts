import type { Admission, Admitted, RpcOutcome } from "../../shared/database/rpc.ts";
import { datasets } from "../../shared/datasets.ts";
import { withdrawRequest } from "../../shared/endpoint/attempt.ts";
import { createEndpoint, type QueryContext, route } from "../../shared/endpoint/endpoint.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import type { Answer } from "../../shared/endpoint/respond.ts";
import { isNotModified } from "../../shared/http/headers.ts";
import { type Problem, succeed } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Snapshot, SnapshotFile } from "../../shared/responses/snapshots.ts";
import type { ReadRuntime } from "../../shared/runtime.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { readRange } from "./range.ts";
import type { OpenedFile, SnapshotState, SnapshotStore } from "./store.ts";
import { createSupabaseStore } from "./supabase-store.ts";

/** Limit of snapshots in a list. */
const maximumListed = 100;

const notIncluded: Problem = {
  name: "not-included",
  detail: "The tier of this key's account does not include snapshots.",
};

type SnapshotRuntime = ReadRuntime & SnapshotState;

/** A snapshot, and where its files are. */
interface Located {
  location: string;
  manifest: Snapshot;
}

/** `GET /snapshots`, `GET /snapshots/{id}` and `GET /snapshots/{id}/{file}`: the catalogue as files. The id `latest` is the newest. */
export const handle = createEndpoint<SnapshotRuntime>("snapshots", [
  route({
    method: "GET",
    datasets,
    path: "",
    parse: (request) => readQuery(new URL(request.url).search, noParameters),
    query: (context, _input, { snapshots }) => findSnapshots(context, snapshots),
    render: (found) =>
      found === null
        ? { problem: notIncluded }
        : { body: { results: found.map(({ manifest }) => manifest) }, hasEntityTag: true },
  }),
  route({
    method: "GET",
    datasets,
    path: "/{id}",
    parse(request, id) {
      const query = readQuery(new URL(request.url).search, noParameters);
      return query.ok ? succeed(id) : query;
    },
    query: (context, id, { snapshots }) => findSnapshots(context, snapshots, id),
    render(found) {
      if (found === null) return { problem: notIncluded };
      const [snapshot] = found;
      return snapshot === undefined ? null : { body: snapshot.manifest, hasEntityTag: true };
    },
  }),
  route({
    method: "GET",
    datasets,
    path: "/{id}/{file}",
    parse(request, id, name) {
      const query = readQuery(new URL(request.url).search, noParameters);
      return query.ok ? succeed({ id, name, method: request.method, headers: request.headers }) : query;
    },
    query: openFile,
    render: (answer) => answer,
  }),
]);

type Found<Body> = RpcOutcome<Admitted<Body>>;

/** Snapshots, newest first, or the one with an id; null where the caller's tier has none. */
async function findSnapshots(
  context: QueryContext,
  snapshots: SnapshotStore,
  id?: string,
): Promise<Found<Located[] | null>> {
  const { database, keyHash } = context;
  const outcome = await database.call("list_snapshots", {
    key_hash: keyHash,
    store: snapshots.kind,
    ...(id === undefined ? {} : { id }),
  });
  if (!outcome.ok) return outcome;
  const { admission, body } = outcome.value;
  if (!body.is_included) return { ok: true, value: { admission, body: null } };
  if (snapshots.list === undefined) return { ok: true, value: { admission, body: body.snapshots } };
  let listed: Snapshot[];
  try {
    listed = await snapshots.list(id === "latest" ? 1 : maximumListed);
  } catch (error) {
    return failed(context, admission, `the snapshots could not be listed: ${String(error)}`);
  }
  const wanted = id === undefined || id === "latest" ? listed : listed.filter((snapshot) => snapshot.id === id);
  return { ok: true, value: { admission, body: wanted.map((manifest) => ({ location: "", manifest })) } };
}

interface FileRequest {
  id: string;
  name: string;
  method: string;
  headers: Headers;
}

/** Finds a file and opens it, unless the client has it or asks for its headers alone. */
async function openFile(
  context: QueryContext,
  { id, name, method, headers }: FileRequest,
  { snapshots }: SnapshotRuntime,
): Promise<Found<Answer | { problem: Problem } | null>> {
  const outcome = await findSnapshots(context, snapshots, id);
  if (!outcome.ok) return outcome;
  const { admission, body: found } = outcome.value;
  const answered = (body: Answer | { problem: Problem } | null) => ({ ok: true as const, value: { admission, body } });
  if (found === null) return answered({ problem: notIncluded });
  const [snapshot] = found;
  const file = snapshot === undefined ? undefined : findFile(snapshot.manifest, name);
  if (snapshot === undefined || file === undefined) return answered(null);

  const tag = `"${file.sha256}"`;
  const about = { ETag: tag, "Accept-Ranges": "bytes" };
  if (isNotModified(headers.get("if-none-match"), tag)) return answered({ bytes: null, status: 304, headers: about });
  const hasRange = [null, tag].includes(headers.get("if-range")) && method === "GET";
  const range = hasRange ? readRange(headers.get("range"), file.bytes) : undefined;
  const described = {
    ...about,
    "Content-Type": "application/gzip",
    "Content-Disposition": `attachment; filename="${file.name}"`,
    "Content-Length": String(range?.length ?? file.bytes),
    ...(range && { "Content-Range": `bytes ${range.offset}-${range.offset + range.length - 1}/${file.bytes}` }),
  };
  if (method === "HEAD") return answered({ bytes: null, headers: described });

  let opened: OpenedFile | null;
  try {
    opened = await snapshots.open(snapshot.location, `${snapshot.manifest.id}/${file.name}`, range);
  } catch (error) {
    return failed(context, admission, `the snapshot's file could not be opened: ${String(error)}`);
  }
  if (opened === null) return answered(null);
  if ("url" in opened) return answered({ bytes: null, status: 302, headers: { ETag: tag, Location: opened.url } });
  return answered({ bytes: opened.bytes, status: range === undefined ? 200 : 206, headers: described });
}

/** A storage that is away: a 503, whose request does not count. */
async function failed(context: QueryContext, admission: Admission, message: string): Promise<Found<never>> {
  const failure = { code: "", message, details: null, hint: null };
  return { ok: false, failure: await withdrawRequest(context, admission, failure) };
}

function findFile({ datasets }: Snapshot, name: string): SnapshotFile | undefined {
  return Object.values(datasets)
    .flatMap(({ files }) => files)
    .find((file) => file.name === name);
}

export default {
  fetch: onEdge(handle, (deployment) => ({
    ...createReadState(deployment),
    snapshots: createSupabaseStore(deployment.project),
  })),
};
