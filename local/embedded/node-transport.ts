import { lookup } from "node:dns/promises";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import {
  decodeAnswer,
  maximumAnswerBytes,
  maximumBodyWaitMs,
  type OutgoingRequest,
  type ReceivedAnswer,
  readAnswerHeaders,
  type Transport,
  TransportError,
} from "../../functions/dispatch/transport.ts";
import { toStorable } from "../../shared/validation/storable.ts";
import { type Address, reservedRange } from "../../shared/webhooks/address.ts";
import { isLoopback } from "../../shared/webhooks/endpoint-url.ts";

export interface NodeTransportOptions {
  /** Whether to send to this machine too: see `urlFault`. */
  allowLoopback: boolean;
  /** Returns the addresses of a name; by default, by the system's resolver. */
  resolve?: (hostname: string) => Promise<Address[]>;
}

/** A request: POST, unless it says another method, which has no body. */
export interface NodeRequest extends OutgoingRequest {
  method?: "GET" | "HEAD";
}

/** A file to read, by GET. */
export interface DownloadRequest extends Omit<OutgoingRequest, "body"> {
  /** Longest body that is read, in bytes, as it is sent. */
  maximumBytes: number;
  /** Longest wait for the whole body after the status. */
  bodyTimeoutMs: number;
}

/** A file's answer. The body of one that is no success is not read. */
export interface Download extends Omit<ReceivedAnswer, "body"> {
  bytes: Uint8Array;
  /** Why the body is not whole. */
  fault?: "too-large" | "timeout" | "broken-off";
}

/** Transport that also reads. */
export interface NodeTransport extends Transport {
  send(request: NodeRequest): Promise<ReceivedAnswer>;
  /** @throws {TransportError} when there was no answer. */
  download(request: DownloadRequest): Promise<Download>;
}

/**
 * Creates the transport of a process of our own, under Node or Deno. It resolves the name right before each connection,
 * checks every address, and connects to a checked address. So a name that changes in between (DNS rebinding) gains nothing.
 *
 * Each request has a connection of its own. On one that is kept, the receiver may close it while the request is on its way: then nobody knows
 * whether the request was read, and sending it again may send it twice.
 */
export function createNodeTransport({ allowLoopback, resolve = systemResolve }: NodeTransportOptions): NodeTransport {
  const options = { keepAlive: false };
  const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) };
  /** Sends to a checked address of the name, and reads the answer. */
  const sendWith = async <Request extends NodeRequest, Answer>(request: Request, read: ReadAnswer<Answer>) => {
    const { url } = request;
    const { protocol } = url;
    if (protocol !== "https:" && protocol !== "http:") throw new TransportError("address", "The URL must be https.");
    const deadline = performance.now() + request.timeoutMs;
    const address =
      allowLoopback && isLoopback(url)
        ? { address: url.hostname === "[::1]" ? "::1" : "127.0.0.1", family: url.hostname === "[::1]" ? 6 : 4 }
        : await resolvePublic(url.hostname, resolve, request.timeoutMs);
    const remaining = { ...request, timeoutMs: Math.max(1, Math.round(deadline - performance.now())) };
    return sendTo(remaining, agents[protocol], address as Address, read);
  };
  return {
    send: (request) => sendWith(request, readAnswer),
    download: ({ maximumBytes, bodyTimeoutMs, ...request }) =>
      sendWith({ ...request, method: "GET", body: "" }, (response) =>
        readDownload(response, maximumBytes, bodyTimeoutMs),
      ),
  };
}

type ReadAnswer<Answer> = (response: IncomingMessage) => Promise<Answer>;

async function systemResolve(hostname: string): Promise<Address[]> {
  return (await lookup(hostname, { all: true, verbatim: true })) as Address[];
}

/**
 * Resolves a name to the address to connect to.
 *
 * @throws {TransportError} unless every address of the name is public.
 */
async function resolvePublic(
  hostname: string,
  resolve: NonNullable<NodeTransportOptions["resolve"]>,
  timeoutMs: number,
): Promise<Address> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TransportError("timeout", "The name was not resolved in time.")), timeoutMs);
  });
  let addresses: Address[];
  try {
    addresses = await Promise.race([resolve(hostname), late]);
  } catch (error) {
    if (error instanceof TransportError) throw error;
    throw new TransportError("connection", `The name ${hostname} could not be resolved.`);
  } finally {
    clearTimeout(timer);
  }
  if (addresses.some(({ address }) => reservedRange(address) !== undefined)) {
    throw new TransportError("address", `The name ${hostname} resolves to an address that is not public.`);
  }
  const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0];
  if (chosen === undefined) throw new TransportError("connection", `The name ${hostname} has no address.`);
  return chosen;
}

type LookupCallback = (error: null, address: string | Address[], family?: number) => void;

/** Sends to a resolved address. */
function sendTo<Answer>(
  request: NodeRequest,
  agent: http.Agent,
  pinned: Address,
  read: ReadAnswer<Answer>,
): Promise<Answer> {
  const { url, body, headers, method = "POST" } = request;
  const length = method === "POST" ? { "Content-Length": String(new TextEncoder().encode(body).byteLength) } : {};
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = (url.protocol === "https:" ? https : http).request({
      method,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...headers, ...length },
      agent,
      lookup(_hostname: string, options: { all?: boolean }, callback: LookupCallback) {
        if (options.all === true) callback(null, [pinned]);
        else callback(null, pinned.address, pinned.family);
      },
    } as https.RequestOptions);
    let isOver = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      settle();
    };
    const timer = setTimeout(() => {
      end(() => reject(new TransportError("timeout", `There was no answer within ${request.timeoutMs / 1000} s.`)));
      sent.destroy();
    }, request.timeoutMs);
    sent.on("error", (error) => end(() => reject(new TransportError("connection", toStorable(error.message)))));
    sent.on("response", (response) => end(() => resolve(read(response))));
    sent.end(method === "POST" ? body : undefined);
  });
}

/** Reads an answer: at most `maximumAnswerBytes` of its body, for at most `maximumBodyWaitMs`. */
async function readAnswer(response: IncomingMessage): Promise<ReceivedAnswer> {
  const { parts } = await readBody(response, maximumAnswerBytes, maximumBodyWaitMs);
  return { status: response.statusCode ?? 0, headers: readHeaders(response), body: decodeAnswer(parts) };
}

async function readDownload(response: IncomingMessage, maximumBytes: number, bodyTimeoutMs: number): Promise<Download> {
  const answer = { status: response.statusCode ?? 0, headers: readHeaders(response) };
  if (answer.status !== 200) {
    response.destroy();
    return { ...answer, bytes: new Uint8Array() };
  }
  const { parts, fault } = await readBody(response, maximumBytes, bodyTimeoutMs);
  return { ...answer, bytes: Buffer.concat(parts), ...(fault && { fault }) };
}

/** Reads a body: at most so many bytes, or little more, for at most so long. */
function readBody(
  response: IncomingMessage,
  maximumBytes: number,
  waitMs: number,
): Promise<{ parts: Uint8Array[]; fault?: NonNullable<Download["fault"]> }> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = (fault?: NonNullable<Download["fault"]>) => {
      clearTimeout(timer);
      resolve({ parts, ...(fault && { fault }) });
    };
    const cut = (fault: NonNullable<Download["fault"]>) => {
      response.destroy();
      end(fault);
    };
    const timer = setTimeout(() => cut("timeout"), waitMs);
    response.on("data", (part: Uint8Array) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > maximumBytes) cut("too-large");
    });
    response.on("end", () => end());
    response.on("error", () => end("broken-off"));
    response.on("close", () => end("broken-off"));
  });
}

function readHeaders({ headers }: IncomingMessage): Record<string, string> {
  return readAnswerHeaders(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}
