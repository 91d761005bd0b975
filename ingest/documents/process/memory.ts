import { readFile } from "node:fs/promises";

const intervalMs = 100;

/**
 * Calls `onExceeded` once when a process takes more memory than allowed (resident set size, on Linux alone). V8's own limit does not count
 * the buffers outside its heap, into which files unpack.
 *
 * @returns a function that ends the watch.
 */
export function watchMemory(pid: number, maxBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
    if (Number(kilobytes) * 1024 <= maxBytes) return;
    clearInterval(timer);
    onExceeded();
  }, intervalMs);
  return () => clearInterval(timer);
}
