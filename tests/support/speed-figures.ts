import type { Figures } from "../../bench/speed/page/figures.ts";

/** Figures without a table, with changes. */
export function figuresOf(changes: Partial<Figures>): Figures {
  return {
    format: 1,
    version: "1.9.0",
    isReleased: false,
    code: "abc",
    at: "2026-12-01",
    grants: 79_700,
    goals: [],
    rows: [],
    worse: [],
    ...changes,
  };
}
