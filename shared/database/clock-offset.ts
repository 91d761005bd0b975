/** Offset of the machine's clock from which on it is told, in seconds: shorter ones are stops of the server, and soon over. */
const toldSeconds = 300;

/**
 * Says that the machine's clock and the bounded clock disagree, and what to do.
 *
 * @param seconds how far the machine's clock is ahead; negative where it is behind.
 * @returns undefined where they agree.
 */
export function describeClockOffset(seconds: number): string | undefined {
  // An earlier version of the database does not say.
  if (!(Math.abs(seconds) > toldSeconds)) return undefined;
  const consequence =
    seconds > 0
      ? "ahead of what the database has seen: it jumped, or the service stood still. Dates act late until the database has caught up"
      : "behind what the database has seen: it was set back. No date acts until it has come right";
  return `the machine's clock is ${describeDuration(Math.abs(seconds))} ${consequence}. npm run clock tells more`;
}

/** A duration in its largest unit: "2 hours". */
export function describeDuration(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ] as const;
  const [name, length] = units.find(([, length]) => seconds >= 2 * length) ?? (["second", 1] as const);
  const count = Math.floor(seconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
