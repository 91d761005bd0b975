/**
 * Audits the dependencies, in two parts.
 *
 * Offline: whether each package of the lockfiles has a checksum and no address, whether versions are pinned, which install
 * scripts there are, and whether a version is in a small list of malicious ones. The audit fails on a fault.
 *
 * With the registry: known vulnerabilities in deployed packages, by `npm audit`. The audit fails on high and critical ones.
 * If the registry has no audit endpoint (many mirrors have none), it prints NOT AUDITED, and fails if
 * AUDIT_REQUIRED=true.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { print, printError } from "../local/print.ts";
import { checkLockfile, countVersions, type MaliciousVersions } from "./audit/lockfile.ts";

/** Output of `npm audit --json`: the vulnerable packages, or the reason why there is no report. */
interface Report {
  vulnerabilities?: Record<string, { name: string; severity: string }>;
  message?: string;
}

/** Result of an audit. `severe` are packages with high and critical vulnerabilities. */
export type Verdict = { audited: false; reason: string } | { audited: true; severe: string[]; others: number };

export function judgeReport({ vulnerabilities, message }: Report): Verdict {
  if (vulnerabilities === undefined) return { audited: false, reason: message ?? "the report is empty" };
  const known = Object.values(vulnerabilities);
  const severe = known.filter(({ severity }) => severity === "high" || severity === "critical");
  return {
    audited: true,
    severe: severe.map(({ name, severity }) => `${name} (${severity})`),
    others: known.length - severe.length,
  };
}

const root = new URL("../", import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"));

/** Folders whose lockfiles are checked. */
export const lockedFolders = ["", "bench/speed/libraries/"];

/** Checks the lockfile of a folder. */
export function checkFolder(folder: string) {
  const malicious: MaliciousVersions = read("scripts/audit/malicious-versions.json");
  return checkLockfile(read(`${folder}package-lock.json`), read(`${folder}package.json`), malicious);
}

/** Checks and reports a lockfile. @returns whether it has no fault. */
function auditLockfile(folder: string): boolean {
  const { packages, deployed, scripted, faults } = checkFolder(folder);
  const malicious: MaliciousVersions = read("scripts/audit/malicious-versions.json");
  printError(faults.map((fault) => `FAULT: ${folder}package-lock.json: ${fault}`));
  print([
    `${folder}package-lock.json: ${packages} packages, ${deployed} of them deployed, ${lastChange(`${folder}package-lock.json`)}; ${faults.length} faults`,
    `  checked: checksums, addresses, pinned versions, and ${countVersions(malicious)} versions known to be malicious (our list of ${malicious.as_of}, not complete)`,
    `  install scripts: ${scripted.join(", ") || "none"}`,
  ]);
  return faults.length === 0;
}

/** How old a lockfile is: what was found since is not in it. */
function lastChange(path: string): string {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct", "--", path], { cwd: root, encoding: "utf8" });
  const seconds = Number(stdout);
  if (!(seconds > 0)) return "of unknown age";
  const days = Math.floor((Date.now() / 1000 - seconds) / 86_400);
  return `last changed ${new Date(seconds * 1000).toISOString().slice(0, 10)} (${days} days ago)`;
}

/** Runs `npm audit`. @returns false on severe vulnerabilities, and without a report if one is required. */
function auditVulnerabilities(): boolean {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 120_000 });
  let verdict: Verdict;
  try {
    verdict = judgeReport(JSON.parse(stdout));
  } catch {
    verdict = { audited: false, reason: "npm audit printed no report" };
  }
  if (!verdict.audited) {
    printError(`NOT AUDITED: ${verdict.reason}. It is unknown whether dependencies have known vulnerabilities.`);
    return process.env.AUDIT_REQUIRED !== "true";
  }
  printError(verdict.severe.map((name) => `VULNERABLE: ${name}; npm audit says how to fix it`));
  print(`${verdict.severe.length} high or critical, ${verdict.others} lesser vulnerabilities in deployed packages`);
  return verdict.severe.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = [...lockedFolders.map(auditLockfile), auditVulnerabilities()];
  process.exitCode = results.every(Boolean) ? 0 : 1;
}
