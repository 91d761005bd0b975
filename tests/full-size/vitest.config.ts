import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** By name, so that a run's figures can be compared with another's: a refit changes what comes after it. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId));
  }
}

/** The proofs at full size, on the database at DATABASE_URL: run.sh makes one. They write to it. */
export default defineConfig({
  test: {
    include: ["tests/full-size/**/*.test.ts"],
    fileParallelism: false,
    sequence: { sequencer: ByName },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
