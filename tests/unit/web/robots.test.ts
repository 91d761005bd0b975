import { describe, expect, test } from "vitest";
import { readRobots } from "../../../cli/web/robots.ts";

const address = new URL("https://grants.example.gov/robots.txt");
const rulesOf = (text: string) => readRobots(text, address, "funding-opportunities-links");

describe("a robots.txt", () => {
  test.each<[text: string, allowed: string[], refused: string[]]>([
    ["", ["/", "/a?b=c"], []],
    ["User-agent: *\nDisallow:", ["/a"], []],
    ["User-agent: *\nDisallow: /", [], ["/", "/a"]],
    ["User-agent: *\nDisallow: /a", ["/", "/b"], ["/a", "/abc", "/a/b", "/a?x"]],
    ["User-agent: *\nDisallow: /a\nAllow: /a/b", ["/a/b", "/a/bc"], ["/a", "/a/c"]],
    ["User-agent: *\nDisallow: /a/b\nAllow: /a/b", ["/a/b"], []],
    ["User-agent: *\nDisallow: /*.pdf$", ["/x.pdf?y", "/x.pdfs"], ["/x.pdf", "/a/b.pdf"]],
    ["User-agent: *\nDisallow: /a*b*c", ["/ab", "/acb"], ["/abc", "/a1b2c3"]],
    ["User-agent: *\nDisallow: /a$", ["/ab"], ["/a"]],
    ["User-agent: other\nDisallow: /", ["/"], []],
    ["User-agent: *\nDisallow: /\nUser-agent: Funding-Opportunities-Links\nDisallow: /b", ["/a"], ["/b"]],
    ["User-agent: other\nUser-agent: *\nDisallow: /a # not this\r\nDisallow: /b", ["/c"], ["/a", "/b"]],
    ["User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", ["/c"], ["/a", "/b"]],
    ["Disallow: /", ["/a"], []],
    ["<html>Disallow: /</html>", ["/a"], []],
  ])("%j", (text, allowed, refused) => {
    const { allows } = rulesOf(text);
    for (const path of allowed) expect([path, allows(new URL(path, address))]).toEqual([path, true]);
    for (const path of refused) expect([path, allows(new URL(path, address))]).toEqual([path, false]);
  });

  test.each([
    ["User-agent: *\nCrawl-delay: 2.5", 2_500],
    ["User-agent: *\nCrawl-delay: soon", 0],
    ["User-agent: other\nCrawl-delay: 9", 0],
  ])("%j asks for a pause of %i ms", (text, pauseMs) => {
    expect(rulesOf(text).pauseMs).toBe(pauseMs);
  });
});
