import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * How a network treats connections:
 *
 * - `pass`: as they are.
 * - `delay`: each piece of data arrives `ms` later, in both directions.
 * - `refuse`: a new connection is reset, and one that is there as soon as its client sends.
 * - `cut`: a connection ends after `bytes` of the answers to what is sent from now on.
 * - `no answers`: what the client sends arrives; what the server sends does not.
 * - `silence`: nothing arrives, and no end of a connection either: it is half open.
 */
export type NetworkFault =
  | { kind: "pass" }
  | { kind: "delay"; ms: number }
  | { kind: "refuse" }
  | { kind: "cut"; bytes: number }
  | { kind: "no answers" }
  | { kind: "silence" };

/** A TCP proxy on this machine whose network can be made to fail. */
export interface NetworkProxy {
  port: number;
  /** How connections are treated from now on, those that are open too. */
  fault: NetworkFault;
  /** Connections on which something was lost, held up or ended since the last `heal`. */
  readonly damaged: number;
  /** Treats connections well again. Those on which something was lost end, as they do when a router forgets them. */
  heal(): void;
  close(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  isDamaged: boolean;
  /** Bytes of answers since the fault `cut` began. */
  answered: number;
}

/** Opens a proxy in front of a port of this machine. */
export async function openNetworkProxy(targetPort: number): Promise<NetworkProxy> {
  const links = new Set<Link>();
  let fault: NetworkFault = { kind: "pass" };
  let damaged = 0;
  const damage = (link: Link) => {
    if (!link.isDamaged) damaged += 1;
    link.isDamaged = true;
  };
  const reset = (link: Link) => {
    damage(link);
    link.client.resetAndDestroy();
    link.server.destroy();
  };

  /** Passes a piece of data on, or not. `next` is called when the following piece may be read. */
  const pass = (link: Link, data: Buffer, isAnswer: boolean, next: () => void) => {
    const target = isAnswer ? link.client : link.server;
    const write = (piece: Buffer, then = next) => void (target.destroyed ? next() : target.write(piece, () => then()));
    if (fault.kind === "pass") return write(data);
    damage(link);
    if (fault.kind === "delay") return void setTimeout(() => write(data), fault.ms);
    if (fault.kind === "refuse") return reset(link);
    if (fault.kind === "silence" || (fault.kind === "no answers" && isAnswer)) return next();
    if (fault.kind === "cut" && isAnswer) {
      const left = Math.max(0, fault.bytes - link.answered);
      link.answered += data.length;
      return write(data.subarray(0, left), data.length < left ? next : () => reset(link));
    }
    write(data);
  };

  const server = createServer((client) => {
    const link: Link = { client, server: connect(targetPort, "127.0.0.1"), isDamaged: false, answered: 0 };
    links.add(link);
    for (const [from, to, isAnswer] of [
      [client, link.server, false],
      [link.server, client, true],
    ] as const) {
      from.setNoDelay(true);
      from.on("data", (data: Buffer) => {
        // In order: a piece waits for the one before.
        from.pause();
        pass(link, data, isAnswer, () => from.resume());
      });
      // A half-open connection does not tell its end either.
      from.on("end", () => void (fault.kind === "silence" ? damage(link) : to.end()));
      from.on("error", () => undefined);
      from.on("close", () => {
        if (fault.kind === "silence") return damage(link);
        to.destroy();
        if (client.destroyed && link.server.destroyed) links.delete(link);
      });
    }
    if (fault.kind === "refuse") reset(link);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    port: (server.address() as AddressInfo).port,
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
      for (const link of links) link.answered = 0;
    },
    get damaged() {
      return damaged;
    },
    heal() {
      fault = { kind: "pass" };
      for (const link of links) if (link.isDamaged) reset(link);
      damaged = 0;
    },
    async close() {
      for (const link of links) reset(link);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
