/**
 * Checks the subjects of commits: each names an area first ("lists: ..."), in at most 72 characters. Checked are the commits since the last
 * release, as far as the clone has them; earlier ones cannot be changed any more.
 *
 * usage: npm run subjects
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { print, printError } from "../local/print.ts";

/** Commits whose tree lacks this file are older than the check, and have subjects of other forms. */
const checkPath = "scripts/subjects.ts";
const maximumLength = 72;

interface Commit {
  id: string;
  subject: string;
}

export interface SubjectReport {
  checked: number;
  /** Sentences, none if all is well. */
  faults: string[];
  /** Version of the last release, or undefined if there is none that has the check. */
  release: string | undefined;
  /** Whether the clone lacks older commits. */
  isShallow: boolean;
}

/** Returns what is wrong with a subject, or undefined. */
export function findSubjectFault(subject: string): string | undefined {
  const { length } = [...subject];
  if (length > maximumLength) return `has ${length} characters, of at most ${maximumLength}`;
  // One word or two: "lists", "saved searches". More are a sentence with a colon in it.
  if (!/^[a-z][a-z0-9]*([ -][a-z0-9]+)?: \S/.test(subject)) return 'does not name an area first, as in "lists: ..."';
  return undefined;
}

/**
 * Checks the commits that HEAD has and the last release has not. Merges are left out: a program writes their subjects, and the merged commits are
 * checked. Releases and reverts are commits like others.
 *
 * @throws if the folder is in no git repository.
 */
export function checkSubjects(folder: string): SubjectReport {
  const git = (words: string[], input = "") =>
    execFileSync("git", words, { cwd: folder, input, encoding: "utf8", maxBuffer: 2 ** 28, stdio: "pipe" }).trimEnd();

  /** Commits with the check, the newest first. */
  function readCommits(...range: string[]): Commit[] {
    const lines = git(["log", "--no-merges", "--format=%H %s", ...range]).split("\n");
    const commits = lines
      .map((line) => line.split(/ (.*)/, 2))
      .map(([id = "", subject = ""]): Commit => ({ id, subject }))
      .filter(({ id }) => id !== "");
    const found = git(["cat-file", "--batch-check"], commits.map(({ id }) => `${id}:${checkPath}\n`).join(""));
    const hasCheck = found.split("\n").map((line) => !line.endsWith(" missing"));
    return commits.filter((_, index) => hasCheck[index]);
  }

  const release = readCommits("HEAD").find(({ subject }) => /^release: \d+\.\d+\.\d+$/.test(subject));
  const commits = readCommits("HEAD", ...(release === undefined ? [] : [`^${release.id}`]));
  return {
    checked: commits.length,
    faults: commits.flatMap(({ id, subject }) => {
      const fault = findSubjectFault(subject);
      return fault === undefined ? [] : [`${id.slice(0, 8)} "${subject}" ${fault}`];
    }),
    release: release?.subject.replace("release: ", ""),
    isShallow: git(["rev-parse", "--is-shallow-repository"]) === "true",
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { checked, faults, release, isShallow } = checkSubjects(fileURLToPath(new URL("../", import.meta.url)));
  printError(faults);
  const since = release === undefined ? "since this check began; no release has it" : `since ${release}`;
  const within = isShallow ? ", as far as this shallow clone goes" : "";
  print(`${checked} subjects checked, of the commits ${since}${within}; ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
