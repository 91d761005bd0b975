import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Runs `work` with a port of this machine behind which another one is as far away as another region: each piece of data arrives later, in both
 * directions, and so does a connection.
 *
 * @param roundTripMs there and back.
 */
export async function withDistance<Result>(
  targetPort: number,
  roundTripMs: number,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  const oneWayMs = roundTripMs / 2;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      // Small answers wait for no more to come.
      from.setNoDelay(true);
      from.on("data", (data) => setTimeout(() => to.destroyed || to.write(data), oneWayMs));
      from.on("end", () => setTimeout(() => to.end(), oneWayMs));
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}
