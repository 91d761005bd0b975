import type { Reporter, TestModule } from "vitest/node";

/** Prints at the end which tests of a project were skipped, and why: `40 tests of account.test.ts: set DATABASE_URL`. */
export class SkippedReporter implements Reporter {
  readonly #project: string;

  /** @param project the name of the Vitest project whose skipped tests are printed. */
  constructor(project: string) {
    this.#project = project;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const { moduleId, children, project } of modules) {
      if (project.name !== this.#project) continue;
      for (const test of children.allTests("skipped")) {
        const result = test.result();
        const note = result.state === "skipped" ? result.note : undefined;
        // A test without a note was left out by a filter of the command line.
        if (note === undefined) continue;
        const line = `of ${moduleId.split("/").at(-1)}: ${note}`;
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    }
    const lines = [...counts].map(([line, count]) => `  ${count} ${count === 1 ? "test" : "tests"} ${line}`);
    const variablesMissing = lines.filter((line) => line.includes(": set "));
    const recordsMissing = lines.filter((line) => !line.includes(": set "));
    print("\nSkipped: they need variables that are not set (npm run test:stack -- --help):", variablesMissing);
    print("\nSkipped: this deployment lacks the records that they need:", recordsMissing);
  }
}

function print(heading: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log([heading, ...lines].join("\n"));
}
