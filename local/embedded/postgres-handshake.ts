import type { Socket } from "node:net";
import type { PasswordChecks } from "./password-checks.ts";
import {
  authentication,
  fatalError,
  maximumShortMessageBytes,
  negotiateProtocolVersion,
  protocolVersion,
} from "./postgres-protocol.ts";
import { ScramError, ScramExchange, type ScramVerifier, scramMechanism } from "./scram.ts";

const encryptionRequests = new Set([80_877_103, 80_877_104]);
const cancelRequest = 80_877_102;

/** Name of the only user and of the only database. */
const embeddedName = "postgres";

/** Postgres' own limit for a message of a SASL exchange. */
const maximumSaslBytes = 1024;

/** Settings of the handshake. */
export interface HandshakeOptions {
  verifier: ScramVerifier;
  checks: PasswordChecks;
  /** Time limit of a client until its proof has arrived. */
  maximumHandshakeMs: number;
  /** Called for each refused password. */
  onRefusal(): void;
}

/** The client is refused, with a last message or without one: a browser or a port scanner gets none. */
class Refusal extends Error {
  constructor(readonly last?: Buffer) {
    super("the client was refused");
  }
}

interface StartupPacket {
  minorVersion: number;
  parameters: ReadonlyMap<string, string>;
}

/**
 * Handshake with a new connection: the Postgres protocol from its start to the right password, with SCRAM-SHA-256. Bytes
 * after the handshake are left in the socket.
 *
 * @returns whether the client is authenticated; AuthenticationOk is still to be sent. If not, the connection is ended.
 */
export async function authenticate(socket: Socket, options: HandshakeOptions): Promise<boolean> {
  const timer = setTimeout(() => socket.destroy(), options.maximumHandshakeMs);
  try {
    const { user, database } = await readStartup(socket);
    const exchange = new ScramExchange(options.verifier);
    socket.write(authentication(10, `${scramMechanism}\0\0`));
    socket.write(authentication(11, exchange.begin(await readScramChoice(socket))));
    const proof = await readSaslMessage(socket);
    clearTimeout(timer);
    const signature = await options.checks.run(() => {
      const found = exchange.finish(proof.toString("latin1"));
      if (found !== undefined && user === embeddedName) return found;
      options.onRefusal();
      return undefined;
    }, closeSignal(socket));
    if (socket.destroyed) return false;
    if (signature === undefined) throw refusal("28P01", `password authentication failed for user "${user}"`);
    socket.write(authentication(12, signature));
    if (database !== embeddedName) throw refusal("3D000", `database "${database}" does not exist`);
    return true;
  } catch (error) {
    if (error instanceof Refusal) endConnection(socket, error.last);
    else if (error instanceof ScramError) endConnection(socket, fatalError("08P01", error.message));
    else socket.destroy();
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the startup packet's user and database. Requests for encryption before it are declined, once each as in Postgres. */
async function readStartup(socket: Socket): Promise<{ user: string; database: string }> {
  const declined = new Set<number>();
  for (;;) {
    const length = (await read(socket, 4)).readInt32BE(0);
    if (length < 8 || length > maximumShortMessageBytes) throw new Refusal();
    const packet = await read(socket, length - 4);
    const code = packet.readInt32BE(0);
    // A running statement cannot be cancelled. The client waits until this connection ends.
    if (code === cancelRequest) throw new Refusal();
    if (encryptionRequests.has(code) && !declined.has(code)) {
      declined.add(code);
      socket.write("N");
      continue;
    }
    return negotiateStartup(socket, parseStartup(code, packet.toString("utf8", 4)));
  }
}

function parseStartup(code: number, body: string): StartupPacket {
  const major = code >>> 16;
  if (major !== protocolVersion >>> 16) {
    const version = `${major}.${code & 0xffff}`;
    throw refusal("0A000", `unsupported frontend protocol ${version}: server supports 3.0 to 3.0`);
  }
  const fields = body.split("\0");
  // Pairs of a name and a value, an empty name, and nothing after its end.
  if (fields.length % 2 !== 0 || fields.at(-1) !== "" || fields.at(-2) !== "") {
    throw refusal("08P01", "invalid startup packet layout: expected terminator as last byte");
  }
  const parameters = new Map<string, string>();
  for (let index = 0; index < fields.length - 2; index += 2) {
    parameters.set(fields[index] ?? "", fields[index + 1] ?? "");
  }
  return { minorVersion: code & 0xffff, parameters };
}

function negotiateStartup(
  socket: Socket,
  { minorVersion, parameters }: StartupPacket,
): { user: string; database: string } {
  const protocolOptions = [...parameters.keys()].filter((name) => name.startsWith("_pq_."));
  if (minorVersion > 0 || protocolOptions.length > 0) socket.write(negotiateProtocolVersion(protocolOptions));
  const user = parameters.get("user") || undefined;
  if (user === undefined) throw refusal("28000", "no PostgreSQL user name specified in startup packet");
  return { user: truncateName(user), database: truncateName(parameters.get("database") || user) };
}

/** Reads the client's choice of mechanism, and returns the first SCRAM message in it. */
async function readScramChoice(socket: Socket): Promise<string> {
  const body = await readSaslMessage(socket);
  const end = body.indexOf(0);
  if (end < 0 || body.toString("latin1", 0, end) !== scramMechanism) {
    throw refusal("08P01", "client selected an invalid SASL authentication mechanism");
  }
  if (body.length < end + 5 || body.readInt32BE(end + 1) !== body.length - end - 5) {
    throw refusal("08P01", "malformed SASL initial response");
  }
  return body.toString("latin1", end + 5);
}

async function readSaslMessage(socket: Socket): Promise<Buffer> {
  const head = await read(socket, 5);
  const type = String.fromCharCode(head[0] ?? 0);
  if (type === "X") throw new Refusal();
  if (type !== "p") throw refusal("08P01", `expected SASL response, got message type ${head[0]}`);
  const length = head.readInt32BE(1) - 4;
  if (length < 1 || length > maximumSaslBytes) throw refusal("08P01", "invalid message length");
  return read(socket, length);
}

/** Reads exactly `length` bytes; later bytes stay in the socket. */
function read(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const attempt = () => {
      const bytes: Buffer | null = socket.read(length);
      if (bytes === null && socket.readable) return;
      for (const event of ["readable", "end", "close"]) socket.off(event, attempt);
      if (bytes?.length === length) resolve(bytes);
      else reject(new Refusal());
    };
    for (const event of ["readable", "end", "close"]) socket.on(event, attempt);
    attempt();
  });
}

/** Signal that aborts when the connection closes. */
function closeSignal(socket: Socket): AbortSignal {
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once("close", () => controller.abort());
  return controller.signal;
}

/** Time that a refused client has to read the last message. */
const lastMessageMs = 1000;

/** Ends a connection, with a last message if there is one. Destroys it when the client does not close its side in time. */
export function endConnection(socket: Socket, last: Buffer | undefined): void {
  if (last === undefined) socket.end();
  else socket.end(last);
  // Reads on, to notice when the client closes.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lastMessageMs);
  socket.once("close", () => clearTimeout(timer));
}

function refusal(code: string, message: string): Refusal {
  return new Refusal(fatalError(code, message));
}

/** Truncates a name as Postgres does. */
function truncateName(name: string): string {
  return name.slice(0, 63);
}
