import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { badRequest, type ConnectionLimits, Connections, headTooLarge, tooManyConnections } from "./connections.ts";
import { discardRest, hasBody, webRequest } from "./http-request.ts";
import { sendResponse } from "./http-response.ts";

/** Limit of open files of the process. The launcher has read it: the server may not. */
const openFiles = Number(process.env.OPEN_FILES_MAXIMUM || 1_024);

/** Half of the files, and no more than 4,096: at twice its load a server has hundreds of clients who wait. */
const mostConnections = Math.min(4_096, Math.max(64, Math.floor(openFiles / 2)));

/** Limits of `npm start`. A proxy in front of it keeps connections for a minute, mostly. */
export const defaultLimits: ConnectionLimits = {
  connections: mostConnections,
  connectionsOfAddress: Math.floor(mostConnections * 0.75),
  headSeconds: 15,
  bodySeconds: 30,
  idleSeconds: 75,
  unreadSeconds: 60,
};

/** Limit of bytes of a request's line and headers: a query may have 16 KiB. */
const maximumHeadBytes = 64 * 1024;

/** Time for a refused client to read why, and number of such clients at a time. */
const refusalMs = 1_000;
const maximumRefused = 100;

/** The running server. */
export interface HttpServer {
  /** Stops listening, and resolves when all requests are answered. */
  close(): Promise<void>;
}

/**
 * Serves a handler of web requests on 127.0.0.1. It is Node's server under Deno: Deno's own has no limits of connections and no timeouts.
 *
 * @param handler gets the address of whoever connects. An error of it is answered with 500.
 * @param onError gets errors of the handler, and of the server after its start.
 * @throws the error of listening, such as EADDRINUSE.
 */
export async function serveHttp(
  port: number,
  handler: (request: Request, remoteAddress: string) => Promise<Response>,
  onError: (error: unknown) => void,
  limits: ConnectionLimits = defaultLimits,
): Promise<HttpServer> {
  const connections = new Connections(limits);
  const refused = new Set<Socket>();

  const answer = async (message: IncomingMessage, sink: ServerResponse) => {
    const { socket } = message;
    const left = new AbortController();
    connections.beginRequest(socket, hasBody(message));
    message.once("end", () => connections.endBody(socket));
    message.on("error", () => undefined);
    sink.on("error", () => undefined);
    sink.once("close", () => {
      discardRest(message);
      connections.endRequest(socket);
      // An abort that nobody needs would cost as much as the request object.
      if (!sink.writableFinished) left.abort();
    });
    let request: Request;
    try {
      request = webRequest(message, left.signal);
    } catch {
      socket.end(badRequest);
      socket.destroySoon();
      return;
    }
    let response: Response;
    try {
      response = await handler(request, socket.remoteAddress ?? "");
    } catch (error) {
      onError(error);
      response = new Response("Internal Server Error", { status: 500 });
    }
    connections.endBody(socket);
    const acceptEncoding = request.headers.get("accept-encoding");
    await sendResponse(response, { method: request.method, acceptEncoding }, sink);
  };

  // Timeouts are those of `Connections`: Node's go by the clock, also while the database blocks the process.
  const timeouts = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 };
  const server = createServer({ maxHeaderSize: maximumHeadBytes, ...timeouts });
  // A client that expects something else than 100-continue gets its answer, too, and not 417.
  for (const event of ["request", "checkExpectation"]) {
    server.on(event, (message: IncomingMessage, sink: ServerResponse) => {
      if (!refused.has(message.socket)) answer(message, sink).catch(onError);
    });
  }
  server.on("connection", (socket: Socket) => {
    socket.on("error", () => undefined);
    if (connections.accept(socket)) return;
    refused.add(socket);
    socket.end(tooManyConnections);
    // Closed before its request is read, the connection would be reset, and the client would not see the answer.
    const timer = setTimeout(() => socket.destroy(), refused.size > maximumRefused ? 0 : refusalMs);
    socket.once("close", () => {
      clearTimeout(timer);
      refused.delete(socket);
    });
  });
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => {
    if (socket.writable && socket.bytesWritten === 0) {
      socket.end(error.code === "HPE_HEADER_OVERFLOW" ? headTooLarge : badRequest);
    }
    socket.destroySoon();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      server.on("error", onError);
      resolve();
    });
  });
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.closeIdle();
      await closed;
      connections.stop();
    },
  };
}
