import { describe, expect, test } from "vitest";
import type { SpeedHistory } from "../../../bench/speed/history.ts";
import { drawCourses } from "../../../bench/speed/page/picture.ts";
import { targets } from "../../../bench/speed/targets.ts";
import { escapeHtml } from "../../../shared/http/escape-html.ts";

describe("the picture of the course", () => {
  const [goal] = targets.flatMap(({ what }) => what ?? []);
  const historyOf = (...values: number[]): SpeedHistory => ({
    format: 1,
    runs: values.map((measured, index) => ({
      at: `2026-12-0${index + 1}T06:17:00Z`,
      version: "1.9.0",
      goals: [{ what: goal ?? "", measured }],
    })),
  });

  test("of one run is a dot beside the goal", () => {
    const drawn = drawCourses(historyOf(2.2));
    expect(drawn.match(/<circle /g)).toHaveLength(1);
    expect(drawn).not.toContain("<path ");
    expect(drawn).toContain(">2.2</text>");
    expect(drawn.match(/2026-12-01/g)).toHaveLength(1);
  });

  test("of several is a line between the first day and the last, higher for more", () => {
    const drawn = drawCourses(historyOf(0, 1, 2, 0.5));
    const heights = [...(/<path d="([^"]+)"/.exec(drawn)?.[1] ?? "").matchAll(/ ([\d.]+)/g)].map(([, y]) => Number(y));
    const [zero = 0, one = 0, two = 0, half = 0] = heights;
    expect(heights).toHaveLength(4);
    expect(zero).toBeGreaterThan(half);
    expect(half).toBeGreaterThan(one);
    expect(one).toBeGreaterThan(two);
    expect(drawn).toMatch(/2026-12-01[\s\S]*2026-12-04/);
    // The goal is 1.
    expect(drawn).toContain(`y1="${one}" y2="${one}"`);
    expect(drawn).toContain("goal: at least 1, missed");
  });

  test("has words for who does not see it, and colours for both kinds of pages", () => {
    const drawn = drawCourses(historyOf(2.2));
    expect(drawn).toMatch(/role="img" aria-labelledby="title description"/);
    expect(drawn).toMatch(/<desc id="description">[^<]*: 2\.2, goal: at least 1\.<\/desc>/);
    expect(drawn).toContain("@media (prefers-color-scheme: dark)");
    expect(drawn).toContain(escapeHtml(goal ?? "a goal is missing"));
  });

  test("leaves out what has no goal any more", () => {
    expect(
      drawCourses({
        format: 1,
        runs: [{ at: "2026-12-01T00:00:00Z", version: "1", goals: [{ what: "x", measured: 1 }] }],
      }),
    ).not.toContain(">x<");
  });
});
