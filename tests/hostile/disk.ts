import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const megabyte = 1024 ** 2;

/** The disk cannot be had: the message says what to do. */
export class NoDiskError extends Error {}

/** A small file system in memory, which can be filled and freed. */
export class Disk {
  #lastFullAt = Number.NEGATIVE_INFINITY;
  #isFilled = false;
  readonly #ballast: string;

  private constructor(readonly folder: string) {
    this.#ballast = join(folder, "ballast");
  }

  /** @throws {NoDiskError} where this user may mount nothing. */
  static mount(megabytes: number): Disk {
    const folder = mkdtempSync(join(tmpdir(), "funding-hostile-disk-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", folder], { stdio: "pipe" });
    } catch (error) {
      rmSync(folder, { recursive: true });
      const { stderr } = error as { stderr?: Buffer };
      throw new NoDiskError(
        `A small disk cannot be mounted: ${String(stderr ?? error).trim()}. Run it as root, in a container with the right to mount (docker run --cap-add SYS_ADMIN), or leave the full disk out: --without disk.`,
      );
    }
    return new Disk(folder);
  }

  /** Writes zeros until so many bytes are left. */
  leave(bytes: number): void {
    this.#isFilled = true;
    const file = openSync(this.#ballast, "a");
    const zeros = new Uint8Array(megabyte);
    try {
      for (let left = this.freeBytes() - bytes; left > 0; left = this.freeBytes() - bytes) {
        writeSync(file, zeros, 0, Math.min(left, megabyte));
      }
    } catch (error) {
      // The server was faster.
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
    if (this.#isFilled) this.#lastFullAt = performance.now();
    this.#isFilled = false;
  }

  get isFilled(): boolean {
    return this.#isFilled;
  }

  /** Whether it is filled, or was a moment ago: what failed then may be noticed now. */
  wasFilledWithin(milliseconds: number): boolean {
    return this.#isFilled || performance.now() - this.#lastFullAt < milliseconds;
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  unmount(): void {
    try {
      execFileSync("umount", [this.folder], { stdio: "pipe" });
    } catch {
      // A process that was just killed may still have files open there.
      execFileSync("umount", ["--lazy", this.folder]);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
