import { expect, test } from "vitest";
import { findLinkFaults } from "../../../scripts/doc-links/faults.ts";

function faultsOf(files: Record<string, string>): string[] {
  return findLinkFaults(new Map(Object.entries(files)), (path) => path in files);
}

const page = "# Page\n\n## The `first` part, of two\n\n## Twice\n\n## Twice\n";

test("links to pages and headings that are there are no faults", () => {
  const index =
    "[a](docs/page.md) [b](docs/page.md#the-first-part-of-two) [c](docs/page.md#twice-1) [d](https://a.example/x)";
  const other = "[a](page.md#page) [b](#part) `shared/a.ts` `functions/NAME/index.ts`\n## Part";
  expect(
    faultsOf({
      "README.md": index,
      "docs/page.md": page,
      "docs/other.md": other,
      "shared/a.ts": "// docs/page.md#twice",
    }),
  ).toEqual([]);
});

test.each([
  ["a page that is gone", { "README.md": "[a](docs/page.md)" }, "README.md:1: docs/page.md is not there"],
  [
    "a heading that is gone",
    { "README.md": "\n[a](docs/page.md#old)", "docs/page.md": page },
    "README.md:2: docs/page.md has no heading #old",
  ],
  [
    "a heading of its own that is gone",
    { "docs/page.md": "[a](#old)" },
    "docs/page.md:1: docs/page.md has no heading #old",
  ],
  [
    "a page that code names",
    { "shared/a.ts": "// see docs/operate/gone.md" },
    "shared/a.ts:1: docs/operate/gone.md is not there",
  ],
  ["a file in backticks", { "README.md": "`shared/gone.ts`" }, "README.md:1: shared/gone.ts is not there"],
])("%s is named with its line", (_, files, fault) => {
  expect(faultsOf(files)).toEqual([fault]);
});

test("an example in a fence, and a heading in one, are neither links nor anchors", () => {
  expect(faultsOf({ "README.md": "```\n[a](gone.md)\n# Old\n```\n[b](#old)" })).toEqual([
    "README.md:5: README.md has no heading #old",
  ]);
});
