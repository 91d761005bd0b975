import { aliveMessage } from "../watchdog.mjs";

/** Time between two signs of life. */
const intervalMs = 1_000;

/**
 * Tells the process that started this one, each second, that its thread is not blocked (`local/watchdog.mjs`).
 *
 * @param onLoss called when that process has ended: nobody would forward a signal any more.
 */
export function keepInTouchWithLauncher(onLoss: () => void): void {
  if (process.send === undefined) return;
  const launcher = process.ppid;
  const tell = () => {
    if (process.connected) process.send?.(aliveMessage, undefined, undefined, () => undefined);
    // Whoever has lost its parent has another one. The channel's end is told at once, and this if it is not.
    if (process.ppid !== launcher) onLoss();
  };
  tell();
  setInterval(tell, intervalMs).unref();
  process.once("disconnect", onLoss);
}
