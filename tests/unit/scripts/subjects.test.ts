import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkSubjects, findSubjectFault } from "../../../scripts/subjects.ts";

const long = `lists: ${"x".repeat(65)}`;

test.each(["lists: Sort", "set-asides: Read", "saved searches: Mail", "ci: é", `lists: ${"é".repeat(65)}`])(
  "a subject that names an area first is right: %s",
  (subject) => expect(findSubjectFault(subject)).toBeUndefined(),
);

test.each([
  "Sort lists",
  "Docs: Split a page",
  "Let a list be sorted: by what it is worth",
  "add a filter: by size",
  "lists:Sort",
  "lists: ",
  ": Sort",
  "fixup! lists: Sort",
  'Revert "lists: Sort"',
  "",
])("a subject without an area is a fault: %s", (subject) =>
  expect(findSubjectFault(subject)).toMatch(/^does not name an area first/),
);

test("a subject of more than 72 characters is a fault, whatever its area is", () => {
  expect(findSubjectFault(long.slice(0, 72))).toBeUndefined();
  expect(findSubjectFault(`${long}x`)).toBe("has 73 characters, of at most 72");
});

describe("of a repository", () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "funding-subjects-"));
    folder = join(root, "repository");
    mkdirSync(folder);
    git("init", "--quiet", "--initial-branch=main");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function git(...words: string[]): string {
    // Not the user's settings: they may sign commits, or run hooks.
    const env = {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    };
    return execFileSync("git", words, { cwd: folder, env, encoding: "utf8" });
  }

  const commit = (...messages: string[]) => {
    for (const message of messages) git("commit", "--quiet", "--allow-empty", "--message", message);
  };
  /** Commits the check itself, from which on subjects are checked. */
  const beginCheck = () => {
    mkdirSync(join(folder, "scripts"), { recursive: true });
    writeFileSync(join(folder, "scripts/subjects.ts"), "");
    git("add", ".");
    commit("commits: Check their subjects");
  };
  const clone = (...words: string[]) => {
    const copy = join(root, "clone");
    git("clone", "--quiet", ...words, `file://${folder}`, copy);
    return checkSubjects(copy);
  };

  const faulty = "Sort lists";
  const fault = expect.stringMatching(/^[0-9a-f]{8} "Sort lists" does not name an area first/);

  test("without a release, the commits since the check began are checked, and no earlier ones", () => {
    commit("Begin", "release: 1.1.0", faulty);
    beginCheck();
    expect(checkSubjects(folder)).toEqual({ checked: 1, faults: [], release: undefined, isShallow: false });
    commit("lists: Sort", faulty, `${long}x`);
    const { checked, faults } = checkSubjects(folder);
    expect(checked).toBe(4);
    expect(faults).toEqual([expect.stringMatching(/has 73 characters/), fault]);
  });

  test("the commits since the last release are checked, with no tag, and none that it has", () => {
    beginCheck();
    commit(faulty, "release: 1.2.0", "lists: Sort", faulty, "release: 1.3.0", "release: Say when one is made");
    expect(checkSubjects(folder)).toEqual({ checked: 1, faults: [], release: "1.3.0", isShallow: false });
    commit(faulty);
    expect(checkSubjects(folder)).toMatchObject({ checked: 2, faults: [fault], release: "1.3.0" });
  });

  test("merged commits are checked, but those of a branch from before the check, and the merges themselves, are not", () => {
    commit("Begin");
    git("branch", "old");
    beginCheck();
    git("branch", "new");
    for (const [branch, subject] of [
      ["old", "Sort others"],
      ["new", faulty],
    ] as const) {
      git("switch", "--quiet", branch);
      commit(subject);
    }
    git("switch", "--quiet", "main");
    commit("release: 1.2.0");
    git("merge", "--quiet", "--no-edit", "old");
    git("merge", "--quiet", "--no-edit", "new");
    expect(checkSubjects(folder)).toMatchObject({ checked: 1, faults: [fault], release: "1.2.0" });
  });

  test("a shallow clone is checked as far as it goes, and says that it is one", () => {
    beginCheck();
    commit(faulty, "release: 1.2.0", faulty, "lists: Sort");
    expect(clone("--depth=1")).toEqual({ checked: 1, faults: [], release: undefined, isShallow: true });
    rmSync(join(root, "clone"), { recursive: true });
    expect(clone("--depth=3")).toEqual({ checked: 2, faults: [fault], release: "1.2.0", isShallow: true });
  });

  test("a folder that is in no repository is an error, and not a pass", () => {
    rmSync(join(folder, ".git"), { recursive: true });
    expect(() => checkSubjects(folder)).toThrow(/not a git repository/);
  });
});
