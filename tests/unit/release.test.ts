import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { findFigureFaults } from "../../scripts/release/figures.ts";
import { closeEntry, findFaults, versionFiles } from "../../scripts/release/files.ts";
import { figuresOf } from "../support/speed-figures.ts";

const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const changelog =
  "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A filter.\n\n## [1.1.0] - 2026-11-23\n\n- All of it.\n";

test("every file that says the version says the same, and a release changes each", async () => {
  for (const { path, replace } of versionFiles) {
    const text = await textOf(path);
    expect(replace(text, manifest.version), path).toBe(text);
    const changed = replace(text, "77.88.99");
    expect(changed, path).toContain("77.88.99");
    expect(changed.replaceAll("77.88.99", manifest.version), path).toBe(text);
  }
});

test("an entry of the changelog becomes that of the version, and a new one is empty", () => {
  const released = closeEntry(changelog, "1.2.0", "2026-11-28");
  expect(released).toContain("## [Unreleased]\n\n## [1.2.0] - 2026-11-28\n\n### Added\n\n- A filter.\n\n## [1.1.0]");
  expect(findFaults("1.2.0", ["1.1.0"], changelog)).toEqual([]);
  expect(findFaults("1.2.1", ["1.1.0", "1.2.0"], released)).toEqual([expect.stringContaining("no change")]);
});

test("a version that does not follow the last, and an entry that takes long to read, are told", () => {
  for (const version of ["1.1.0", "1.3.0", "1.1.2", "2.1.0", "v1.2.0", "1.2"]) {
    expect(findFaults(version, ["1.1.0"], changelog)).toEqual([expect.stringContaining("2.0.0, 1.2.0, 1.1.1")]);
  }
  const long = changelog.replace("- A filter.", "- A filter.\n".repeat(121));
  expect(findFaults("2.0.0", ["1.1.0"], long)).toEqual([expect.stringContaining("at most 120")]);
});

describe("the figures of a release", () => {
  const changelogOf = (entry: string) => `# Changelog\n\n## [Unreleased]\n\n${entry}\n\n## [1.9.0] - 2026-11-30\n`;

  test("are of its own code, and of full size", () => {
    expect(findFigureFaults(figuresOf({}), "abc", changelogOf("- A filter."))).toEqual([]);
    for (const code of ["def", null]) {
      expect(findFigureFaults(figuresOf({ code }), "abc", changelogOf(""))).toEqual([
        expect.stringMatching(/npm run bench -- .*--summary --page docs.*--figures-of-last-release/),
      ]);
    }
    expect(findFigureFaults(figuresOf({ grants: 1_500 }), "abc", changelogOf(""))).toEqual([
      expect.stringContaining("1500 grants"),
    ]);
  });

  test("are told in the changelog where they got worse", () => {
    const line = "new list at 797,000 grants: p95 20 ms, 1.4 times that of 1.9.0.";
    const figures = figuresOf({ worse: [{ name: "new list at 797,000 grants", line }] });
    const faults = (entry: string) => findFigureFaults(figures, "abc", changelogOf(entry));
    expect(faults(`- ${line} It reads more.`)).toEqual([]);
    expect(faults("- new list at 797,000\n  grants: more is read.")).toEqual([]);
    for (const entry of ["- A filter.", "- a new list at 797,000 grants: it is slow."]) {
      expect(faults(entry)).toEqual([expect.stringContaining(line)]);
    }
    expect(findFigureFaults({ ...figures, isReleased: true }, "abc", changelogOf(""))).toEqual([]);
  });
});
