import type { Reporter, TestModule } from "vitest/node";

/** Prints at the end which tests were skipped, and why: `40 tests of account.test.ts: set DATABASE_URL`. */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const { moduleId, children } of modules) {
      for (const test of children.allTests("skipped")) {
        const result = test.result();
        const note = result.state === "skipped" ? result.note : undefined;
        // Without a reason it was left out by a filter of the command line.
        if (note === undefined) continue;
        const line = `of ${moduleId.split("/").at(-1)}: ${note}`;
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    }
    if (counts.size === 0) return;
    console.log("\nNot run, for want of variables that only these tests need (npm run test:stack -- --help):");
    for (const [line, count] of counts) console.log(`  ${count} ${count === 1 ? "test" : "tests"} ${line}`);
  }
}
