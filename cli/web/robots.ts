import robotsParser from "robots-parser";

/** Rules of a robots.txt (RFC 9309) for one program. */
export interface Robots {
  /** Whether the program may ask for an address of the host. */
  allows(url: URL): boolean;
  /** Pause between two requests that the host asks for, in milliseconds. */
  pauseMs: number;
}

export const allowsAll: Robots = { allows: () => true, pauseMs: 0 };
export const allowsNothing: Robots = { allows: () => false, pauseMs: 0 };

/**
 * Reads a robots.txt.
 *
 * @param address where it is: its rules are those of this host.
 * @param program the name by which the host may address the program.
 */
export function readRobots(text: string, address: URL, program: string): Robots {
  const rules = robotsParser(address.href, text);
  const seconds = rules.getCrawlDelay(program) ?? 0;
  return { allows: ({ href }) => rules.isAllowed(href, program) !== false, pauseMs: seconds > 0 ? seconds * 1000 : 0 };
}
