import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  payload: { id: string; event: string; created_at: string; data: Record<string, unknown> };
  at: number;
}

/** Answers a request; by default 200. */
export type Answer = (request: Received, response: ServerResponse) => void;

/** A receiver of webhooks on this machine. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Its answer from now on. */
  answer: Answer;
  close(): Promise<void>;
}

export async function openReceiver(port = 0): Promise<Receiver> {
  const receiver: Receiver = { url: "", received: [], answer: ok, close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const received: Received = {
        path: request.url ?? "",
        headers: request.headers as Record<string, string>,
        body,
        payload: JSON.parse(body),
        at: performance.timeOrigin + performance.now(),
      };
      receiver.received.push(received);
      receiver.answer(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  receiver.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return receiver;
}

export const ok: Answer = (_request, response) => {
  response.writeHead(200).end();
};

/** An answer with this status. */
export function status(code: number, headers: Record<string, string> = {}, body = ""): Answer {
  return (_request, response) => {
    response.writeHead(code, headers).end(body);
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
