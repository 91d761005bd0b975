import type { NativeDatabase } from "../../webhooks/proofs/native.ts";

interface QueuedRequest {
  id: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  timeout_milliseconds: number;
}

/** Does what pg_net's background worker does: sends the requests of committed transactions, and writes the answers down. */
export function startRequestWorker({ query }: NativeDatabase): { stop(): Promise<void> } {
  let isStopped = false;
  const work = async () => {
    while (!isStopped) {
      const requests = await query<QueuedRequest>(
        `delete from net.http_request_queue
         returning id, method, url, headers, convert_from(body, 'UTF8') as body, timeout_milliseconds`,
      );
      for (const request of requests) {
        const { status, text } = await send(request);
        await query("insert into net._http_response (id, status_code, content) values ($1, $2, $3)", [
          request.id,
          status,
          text,
        ]);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const working = work();
  return {
    async stop() {
      isStopped = true;
      await working;
    },
  };
}

async function send({ method, url, headers, body, timeout_milliseconds }: QueuedRequest) {
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeout_milliseconds) });
  return { status: response.status, text: await response.text() };
}
