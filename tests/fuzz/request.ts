import { createHmac } from "node:crypto";
import { handlers } from "../../functions/handlers.ts";
import { Random } from "../../local/demo/random.ts";
import type { RequestSchema } from "../contract/arbitrary.ts";
import { at, type Operation, openApiDocument } from "../contract/openapi-document.ts";
import { billingBody, bodyFor, mcpBody } from "./grammar/bodies.ts";
import { authorizationFor, oddHeaders } from "./grammar/headers.ts";
import { hostileText } from "./grammar/hostile.ts";
import { pages, trickedPath } from "./grammar/paths.ts";
import { type Parameter, percentEncoded, queryFor } from "./grammar/query.ts";
import { uuid } from "./grammar/values.ts";
import type { World } from "./world.ts";

/** A request as bytes, and what is known of it. */
export interface FuzzRequest {
  bytes: Buffer;
  method: string;
  /** The request line's target, before it is read as a URL. */
  target: string;
  /** An HTTP library may refuse it, or close the connection, before the service sees it. */
  isStrange: boolean;
}

/** A request before it has headers and a framing. */
interface Draft {
  method: string;
  target: string;
  credential: string;
  body?: Buffer;
  headers?: string[];
}

const operations = Object.entries(openApiDocument.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    parameters: (operation.parameters ?? []).map((one) =>
      one.$ref === undefined ? one : at(one.$ref.slice(1)),
    ) as Parameter[],
    body: bodySchema(operation),
  })),
);
const lists = operations.filter(({ path }) => /^\/\w+-api$/.test(path) && path !== "/account-api");
const singles = operations.filter(({ path }) => /^\/(grants|contracts|funders)-api\/\{id\}$/.test(path));
const account = operations.filter(({ path }) => path.startsWith("/account-api"));
const searches = operations.filter(
  ({ path }) => path === "/semantic-search" || path === "/multi-search" || path === "/suggest",
);
const commonGrants = operations.filter(({ path }) => path.startsWith("/common-grants/"));
const listInput: RequestSchema = {
  type: "object",
  properties: {
    ...Object.fromEntries(
      lists.flatMap(({ parameters }) => parameters.map(({ name, schema }) => [name, schema] as const)),
    ),
    query: { type: "string" },
  },
};

function bodySchema({ requestBody }: Operation): RequestSchema | undefined {
  const content = requestBody as { content: Record<string, { schema: RequestSchema & { $ref?: string } }> } | undefined;
  const schema = content?.content["application/json"]?.schema;
  return schema?.$ref === undefined ? schema : (at(schema.$ref.slice(1)) as RequestSchema);
}

/** The request of a number: the same for the same seed, whatever was sent before it. */
export function requestNumber(seed: number, number: number, world: World): FuzzRequest {
  const random = new Random(seed, "fuzz", number);
  return framed(random, mutated(random, draft(random, world)), world);
}

function draft(random: Random, world: World): Draft {
  const kinds: [(random: Random, world: World) => Draft, number][] = [
    [(given, { keys }) => operation(given, given.pick(lists), keys.developer, world), 38],
    [(given, { keys }) => operation(given, given.pick(singles), keys.developer, world), 8],
    [(given, { keys }) => operation(given, given.pick(searches), keys.developer, world), 12],
    [(given, { keys }) => operation(given, given.pick(commonGrants), keys.developer, world), 8],
    [(given, { token }) => operation(given, given.pick(account), token, world), 16],
    [mcp, 8],
    [billing, 6],
    [
      ({ pick }, { dispatchSecret }) =>
        ({
          method: pick.call(random, ["POST", "GET"]),
          target: "/functions/v1/dispatch",
          credential: dispatchSecret,
        }) as Draft,
      0.3,
    ],
    [(given) => ({ method: "GET", target: `/functions/v1/openapi${queryFor(given, [])}`, credential: "" }), 3],
    [(given) => anyFunction(given), 2],
    [page, world.hasPages ? 8 : 0],
  ];
  return random.weighted(kinds)(random, world);
}

function operation(random: Random, one: (typeof operations)[number], credential: string, { ids }: World): Draft {
  const known = ids[one.path.split("/")[1] ?? ""] ?? [];
  const path = one.path.replace(/\{\w+\}/g, () => {
    if (random.chance(0.15)) return percentEncoded(random, hostileText(random).slice(0, 300)) || "x";
    return known.length > 0 && random.chance(0.6) ? random.pick(known) : uuid(random);
  });
  return {
    method: one.method,
    target: `/functions/v1${path}${queryFor(random, one.parameters)}`,
    credential,
    ...(one.body === undefined ? {} : { body: bodyFor(random, one.body), headers: ["Content-Type: application/json"] }),
  };
}

/** Any function there is, so that one that is new here is asked too. */
function anyFunction(random: Random): Draft {
  const path = random.chance(0.8) ? "" : `/${random.pick(["live", "ready", "x", "%00"])}`;
  const target = `/functions/v1/${random.pick(Object.keys(handlers))}${path}${queryFor(random, [])}`;
  return { method: "GET", target, credential: random.pick(["", "a-secret"]) };
}

function mcp(random: Random, { keys }: World): Draft {
  return {
    method: "POST",
    target: "/functions/v1/mcp",
    credential: keys.developer,
    body: mcpBody(random, listInput),
    headers: ["Content-Type: application/json", "Accept: application/json, text/event-stream"],
  };
}

function billing(random: Random, { billingSecret }: World): Draft {
  const body = billingBody(random);
  const at = random.chance(0.95) ? Math.floor(Date.now() / 1000) : 1;
  const signature = createHmac("sha256", billingSecret).update(`${at}.`).update(body).digest("hex");
  const header = random.chance(0.9)
    ? `t=${at},v1=${signature}`
    : random.pick(["", "t=,v1=", `t=${at}`, `t=x,v1=${signature}`, ",,,===", `t=${at},v1=${"0".repeat(64)}`]);
  return {
    method: "POST",
    target: "/functions/v1/billing",
    credential: "",
    body,
    headers: [`Stripe-Signature: ${header}`],
  };
}

function page(random: Random, { token }: World): Draft {
  const target = random.pick(pages);
  const isPost = /verify|token|logout|otp/.test(target) && random.chance(0.8);
  return {
    method: isPost ? "POST" : "GET",
    target,
    // Signing the token's session out would leave nothing to ask the account API with.
    credential: target.includes("logout") ? "x" : token,
    headers: isPost ? ["Content-Type: application/json"] : [`Accept: ${random.pick(["text/html", "*/*"])}`],
    ...(isPost
      ? {
          body: bodyFor(random, {
            type: "object",
            properties: {
              token_hash: { type: "string" },
              type: { enum: ["email"] },
              refresh_token: { type: "string" },
            },
            required: ["token_hash", "refresh_token", "type"],
          }),
        }
      : {}),
  };
}

const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "QUERY", "PROPFIND", "M-SEARCH"];
/** Methods that `fetch` forbids: some platforms cannot make a Request of them. */
const strangeMethods = ["get", "TRACE", "CONNECT", "TRACK", "", "G\tT", "A".repeat(300)];

function mutated(random: Random, drafted: Draft): Draft {
  const [path = "", ...query] = drafted.target.split("?");
  const target = random.chance(0.06) ? [trickedPath(random, path), ...query].join("?") : drafted.target;
  const how = random.next();
  const method = how < 0.93 ? drafted.method : how < 0.99 ? random.pick(methods) : random.pick(strangeMethods);
  const body = drafted.body === undefined && random.chance(0.03) ? Buffer.from(hostileText(random)) : drafted.body;
  return { ...drafted, method, target, ...(body === undefined ? {} : { body }) };
}

function framed(random: Random, { method, target, credential, body, headers = [] }: Draft, world: World): FuzzRequest {
  const odd = oddHeaders(random);
  const authorization =
    credential === ""
      ? []
      : authorizationFor(random, credential, [world.keys.limited, world.keys.free, world.token, world.keys.developer]);
  const framing = frame(random, body);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(random.chance(0.995) ? [`Host: ${world.baseUrl.host}`] : []),
    ...authorization,
    ...headers,
    ...framing.lines,
    ...odd.lines,
  ];
  return {
    bytes: Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), framing.bytes]),
    method,
    target,
    isStrange:
      odd.isStrange ||
      framing.isStrange ||
      strangeMethods.includes(method) ||
      !lines.some((line) => line.startsWith("Host:")) ||
      !/^\/[\x21-\x7e]*$/.test(target) ||
      target.length > 8_000,
  };
}

interface Framing {
  lines: string[];
  bytes: Buffer;
  isStrange: boolean;
}

/** The framing of a body: with its length, in chunks, or with a lie about either. */
function frame(random: Random, body: Buffer | undefined): Framing {
  const usual = { isStrange: false };
  if (body === undefined) return { ...usual, lines: [], bytes: Buffer.alloc(0) };
  const how = random.next();
  if (how < 0.88) return { ...usual, lines: [`Content-Length: ${body.length}`], bytes: body };
  const end = Buffer.from("0\r\n\r\n");
  const chunk = (part: Buffer) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")];
  if (how < 0.95) {
    const size = Math.max(1, Math.ceil(body.length / random.integer(1, 50)));
    const parts = Array.from({ length: Math.ceil(body.length / size) }, (_, n) =>
      body.subarray(n * size, (n + 1) * size),
    );
    return { ...usual, lines: ["Transfer-Encoding: chunked"], bytes: Buffer.concat([...parts.flatMap(chunk), end]) };
  }
  if (how < 0.97) {
    const promised = body.length + random.pick([1, 100, 2_000_000_000]);
    return { lines: [`Content-Length: ${promised}`], bytes: body, isStrange: true };
  }
  if (how < 0.985) {
    const bytes = Buffer.concat([
      ...chunk(body),
      Buffer.from(random.pick(["zz\r\n", "-1\r\n", "", "ffffffffffffffffff\r\n"])),
    ]);
    return { lines: ["Transfer-Encoding: chunked"], bytes, isStrange: true };
  }
  // Less than there is: the rest reads as the next request.
  return { lines: [`Content-Length: ${Math.floor(body.length / 2)}`], bytes: body, isStrange: true };
}
