/**
 * Known vulnerabilities in what is deployed: `npm audit` of the dependencies, without those of development. Fails on high
 * and critical ones.
 *
 * Where the registry has no audit endpoint (many mirrors have none), nothing is known: it says NOT AUDITED, and fails if
 * AUDIT_REQUIRED=true.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What `npm audit --json` prints: the vulnerable packages, or why there is no report. */
interface Report {
  vulnerabilities?: Record<string, { name: string; severity: string }>;
  message?: string;
}

/** What a report comes to. `severe` are packages with high and critical vulnerabilities. */
export type Verdict = { audited: false; reason: string } | { audited: true; severe: string[]; others: number };

export function verdictOf({ vulnerabilities, message }: Report): Verdict {
  if (vulnerabilities === undefined) return { audited: false, reason: message ?? "the report is empty" };
  const known = Object.values(vulnerabilities);
  const severe = known.filter(({ severity }) => severity === "high" || severity === "critical");
  return {
    audited: true,
    severe: severe.map(({ name, severity }) => `${name} (${severity})`),
    others: known.length - severe.length,
  };
}

function main(): void {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 120_000 });
  let verdict: Verdict;
  try {
    verdict = verdictOf(JSON.parse(stdout));
  } catch {
    verdict = { audited: false, reason: "npm audit printed no report" };
  }
  if (!verdict.audited) {
    console.error(`NOT AUDITED: ${verdict.reason}. Whether a dependency is known to be vulnerable was not found out.`);
    process.exitCode = process.env.AUDIT_REQUIRED === "true" ? 1 : 0;
    return;
  }
  for (const name of verdict.severe) console.error(`VULNERABLE: ${name}; npm audit says how to mend it`);
  console.log(
    `${verdict.severe.length} high or critical, ${verdict.others} lesser vulnerabilities in what is deployed`,
  );
  process.exitCode = verdict.severe.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
