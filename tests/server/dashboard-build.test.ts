import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { denoArguments, denoBinary, serverProgram } from "../../local/deno-command.mjs";
import { waitUntil } from "../support/wait-until.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort } from "./server-process.ts";

// On a busy machine the build took minutes, and nothing was served: a first start of 10 s took 85 and 237.
test("the API is ready before the dashboard is built, and the pages wait for it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "funding-build-"));
  const data = await copyDemoFolder(join(folder, "data"));
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  // The permissions name the folder. This process is the one that is asked to build.
  vi.stubEnv("DATA_DIR", data);
  vi.stubEnv("PORT", port);
  const server = spawn(denoBinary() ?? "", denoArguments([serverProgram]), {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = { out: "", err: "" };
  server.stdout?.on("data", (part) => (output.out += String(part)));
  server.stderr?.on("data", (part) => (output.err += String(part)));
  const ended = new Promise((resolve) => server.on("close", resolve));
  const messages: unknown[] = [];
  server.on("message", (message) => messages.push(message));
  try {
    await waitUntil(() => /^curl /m.test(output.out), "ready");
    expect(messages).toContain("build-dashboard");
    expect(output.err).toContain("ready; the dashboard's pages wait until they are built");
    expect((await fetch(`${origin}/functions/v1/health`)).status).toBe(200);
    let status: number | undefined;
    const page = fetch(`${origin}/`).then((response) => {
      status = response.status;
      return response.text();
    });
    expect((await fetch(`${origin}/functions/v1/health`)).status).toBe(200);
    expect(status).toBeUndefined();
    server.send({ problem: "the sources do not compile" });
    await page;
    expect(status).toBeDefined();
    await waitUntil(
      () => output.err.includes("The dashboard is missing or not up to date: the sources do not"),
      "told",
    );
  } finally {
    server.kill("SIGTERM");
    await ended;
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  }
});
