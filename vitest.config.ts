import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { BaseSequencer, type CliOptions, type ProjectConfig, type TestSpecification } from "vitest/node";
import { SkippedReporter } from "./tests/contract/skipped-reporter.ts";

/**
 * Tests that run operators' commands as operators do, each call in a process of its own. The longest first, in which order they run. CI leaves out the
 * benches that measure, which run every night.
 */
const commandTests = [
  "tests/cli/commands.test.ts",
  "tests/bench/embedded.test.ts",
  "tests/embeddings/command.test.ts",
  "tests/ingest/command.test.ts",
  "tests/accounts/commands.test.ts",
  "tests/cli/links.test.ts",
  "tests/cli/record.test.ts",
  "tests/cli/documents.test.ts",
  "tests/cli/documents-fetch.test.ts",
  "tests/cli/documents-load.test.ts",
  "tests/bench/command.test.ts",
  "tests/embeddings/calibrate.test.ts",
  "tests/cli/hostile-names.test.ts",
];

/** Tests of the pages, in the order in which they run: first the one that waits for most of its time, then the longest. */
const browserTests = [
  "tests/browser/freshness.test.ts",
  "tests/browser/sign-in.test.ts",
  "tests/browser/reference.test.ts",
  "tests/browser/accessibility.test.ts",
  "tests/browser/explorer.test.ts",
  "tests/browser/webhooks.test.ts",
  "tests/browser/catalogue.test.ts",
  "tests/browser/pages.test.ts",
  "tests/browser/saved-searches.test.ts",
  "tests/browser/overview.test.ts",
  "tests/browser/palette.test.ts",
  "tests/browser/keys.test.ts",
  "tests/browser/tables.test.ts",
  "tests/browser/requests.test.ts",
  "tests/browser/audit-log.test.ts",
  "tests/browser/members.test.ts",
  "tests/browser/billing.test.ts",
];

/**
 * Tests that take five seconds or more: most try many cases on many states of a database. The longest first, in which order they run. CI leaves
 * out those of the contract suite, which it runs as a whole on other stacks.
 */
const longTests = [
  "tests/model/accounts.test.ts",
  "tests/sql/pgtap.test.ts",
  "tests/sql/segments.test.ts",
  "tests/clock/jumps.test.ts",
  "tests/contract/generated-requests.test.ts",
  "tests/service/settings.test.ts",
  "tests/security/rpcs.test.ts",
  "tests/unit/embedded/postgres-socket.test.ts",
  "tests/contract/operator-runs.test.ts",
  "tests/contract/mcp-parameters.test.ts",
  "tests/contract/ranked-search.test.ts",
  "tests/service/identifiers.test.ts",
  "tests/unit/database/backup.test.ts",
  "tests/unit/database/foreign-backup.test.ts",
  "tests/service/tiny-corpora.test.ts",
  "tests/unit/database/upgrade.test.ts",
  "tests/unit/database/upgrade-locks.test.ts",
  "tests/unit/database/dropped-schema.test.ts",
  "tests/unit/lexicon/refit.test.ts",
  "tests/service/set-asides.test.ts",
  "tests/contract/cursor.test.ts",
  "tests/contract/members.test.ts",
  "tests/contract/common-grants-filters.test.ts",
  "tests/unit/embedded/autovacuum.test.ts",
  "tests/unit/ingest/growth.test.ts",
  "tests/contract/parameters.test.ts",
  "tests/contract/key-limits.test.ts",
  "tests/service/write-limits.test.ts",
  "tests/unit/overload/shared-permits.test.ts",
  "tests/contract/identifiers.test.ts",
  "tests/embeddings/passages.test.ts",
  "tests/embeddings/queue.test.ts",
  "tests/embeddings/sizes.test.ts",
  "tests/embeddings/withdrawal.test.ts",
  "tests/contract/metrics.test.ts",
  "tests/contract/csv.test.ts",
  "tests/retention/usage.test.ts",
  "tests/contract/one-filter.test.ts",
  "tests/webhooks/secret-rotation.test.ts",
  "tests/contract/common-grants-search.test.ts",
  "tests/ingest/funder-names-migration.test.ts",
  "tests/webhooks/doc-snippets.test.ts",
  "tests/service/common-grants-records.test.ts",
  "tests/ingest/runs.test.ts",
  "tests/relevance/end-to-end.test.ts",
  "tests/relevance/notices.test.ts",
  "tests/unit/embedded/postgres-handshake.test.ts",
  "tests/unit/ingest/bounds.test.ts",
  "tests/unit/lexicon/inverted-index.test.ts",
  "tests/webhooks/failing-fan-out.test.ts",
  "tests/embeddings/query-path.test.ts",
  "tests/saved-searches/digests.test.ts",
  "tests/unit/demo/generate.test.ts",
  "tests/ingest/cut-files.test.ts",
  "tests/unit/lexicon/drift.test.ts",
  "tests/unit/lexicon/embedded.test.ts",
  "tests/service/usage.test.ts",
  "tests/unit/database/new-database.test.ts",
  "tests/unit/csv/write.test.ts",
  "tests/service/snapshot.test.ts",
  "tests/service/published-snapshots.test.ts",
  "tests/unit/ingest/real-files.test.ts",
];

/** PGlite in the test process: databases are copies of a template. */
const embedded = {
  globalSetup: "tests/support/template.ts",
  // Threads share the compiled Postgres of PGlite, which each process would compile anew: half of the processor time.
  pool: "threads",
  // Test files in a thread share its modules and the snapshots it has read. Importing them anew for each file took a fifth of the
  // processor time, so a test restores what it stubs.
  isolate: false,
  // A PGlite takes some 300 MB. On two cores, more than two would not be faster.
  maxWorkers: 2,
} as const;

/** A guard against hanging alone: how fast something is, on a machine that others use too, says no test. */
const patient = { testTimeout: 600_000, hookTimeout: 600_000 } as const;

/** A suite. */
const project = (name: string, include: string[], options: ProjectConfig = {}): TestProjectConfiguration => ({
  test: { name, include, ...patient, ...options },
});

/** The files run one after the other: they damage, or write to, what they share. */
const inTurns = { fileParallelism: false };
const oneWorker = { maxWorkers: 1 };

/** Projects whose files run as they are listed: one of two minutes that began last would run alone. */
const orders: Readonly<Record<string, readonly string[]>> = {
  long: longTests,
  commands: commandTests,
  browser: browserTests,
};

/** The files with one of them last: it uses up the requests of the limited key's day, which others need. */
function lastOf(files: TestSpecification[], path: string): TestSpecification[] {
  const isLast = ({ moduleId }: TestSpecification) => moduleId.endsWith(path);
  return [...files.filter((file) => !isLast(file)), ...files.filter(isLast)];
}

/** Sorts the files of `full-size` by name, so that the figures of two runs compare: a refit changes what comes after it. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const project = files[0]?.project.name ?? "";
    if (project === "full-size") return files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId));
    if (["main", "contract"].includes(project)) return lastOf(await super.sort(files), "contract/auth.test.ts");
    const order = orders[project];
    if (order === undefined) return super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => order.findIndex((path) => moduleId.endsWith(path));
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** Without `--project`, Vitest runs what `npm test` runs. */
const byDefault: CliOptions = { project: "main" };

/** One project a suite: `vitest run --project NAME`. tests/README.md says what each needs. */
export default defineConfig({
  test: {
    ...byDefault,
    // These two are options of the root alone; each looks at one project.
    reporters: ["default", new SkippedReporter("contract")],
    sequence: { sequencer: Sequencer },
    projects: [
      project("main", ["tests/**/*.test.ts"], {
        ...embedded,
        // These need more than npm, or minutes: see the test:* scripts of package.json.
        exclude: [
          "tests/server/**",
          "tests/secrets/**",
          "tests/native/**",
          "tests/full-size/**",
          "tests/security/native/**",
          "tests/deploy/**",
          "tests/webhooks/proofs/**",
          "tests/upgrades/**",
          "tests/client/**",
          "tests/python/**",
          "tests/browser/**",
          "tests/faults/**",
          "tests/replicas/**",
          "tests/engine/**",
          "tests/workers/**",
          "tests/docs/**",
          "tests/simulation/**",
          "tests/model/planted-bugs.test.ts",
          ...commandTests,
          ...longTests,
          "node_modules/**",
        ],
        // `npm run test:properties` runs the properties in full.
        env: { PROPERTIES: process.env.PROPERTIES ?? "brief" },
      }),
      project("long", longTests, embedded),
      project("commands", commandTests, embedded),
      // The dispatcher in simulated time, of a year, and bugs that the model of accounts has to find: `npm run test:simulation`.
      project("simulation", ["tests/simulation/*.test.ts", "tests/model/planted-bugs.test.ts"], {
        ...embedded,
        testTimeout: 4 * 3_600_000,
      }),
      // The real server under Deno, over HTTP.
      project("server", ["tests/server/**/*.test.ts"], inTurns),
      // The contract suite against the deployment at API_BASE_URL, with the keys of the environment. Tests that need more
      // (tests/contract/optional-variables.ts) are skipped without it, and the end of the run says so. A fifth of the run was importing
      // the same modules anew for each file.
      project("contract", ["tests/contract/**/*.test.ts"], { ...oneWorker, isolate: false }),
      // Pages in Chromium, served by `npm start`: tests/browser/run.sh. Each file starts a server and a browser.
      project("browser", ["tests/browser/*.test.ts"], { maxWorkers: 2, expect: { poll: { timeout: 60_000 } } }),
      // Pictures of the dashboard and the catalogue: of the README, and of all pages to look at.
      project("screenshots", ["tests/browser/screenshots/*.test.ts"]),
      // The published client on every runtime that it supports: tests/client/run.sh.
      project("client", ["tests/client/**/*.test.ts"]),
      // The Python client on Debian's python3: tests/python/run.sh.
      project("python", ["tests/python/**/*.test.ts"]),
      // The examples in the README and in docs/, against `npm start`.
      project("docs", ["tests/docs/**/*.test.ts"]),
      // Supabase's own CLI against a stand-in for its Management API. The CLI comes from npm, once per machine.
      project("deploy", ["tests/deploy/**/*.test.ts"]),
      // What a Worker on this machine, at API_BASE_URL, serves beside the API: tests/workers/run.sh.
      project("workers", ["tests/workers/**/*.test.ts"]),
      // Failures on a native and an embedded stack: tests/faults/run.sh.
      project("faults", ["tests/faults/**/*.test.ts"], inTurns),
      // Replicas and the primary on bad days, on the stack of tests/replicas/run.sh.
      project("replicas", ["tests/replicas/*.test.ts"], inTurns),
      // Searches that another database ranks, on the stack of tests/engine/run.sh.
      project("engine", ["tests/engine/*.test.ts"]),
      // Searches logs for secrets: tests/secrets/run.sh. Without STACK_LOGS, those of the embedded server alone.
      project("secrets", ["tests/secrets/**/*.test.ts"], {
        ...inTurns,
        exclude: process.env.STACK_LOGS === undefined ? ["tests/secrets/native.test.ts"] : [],
      }),
      // Webhook delivery on the database at DATABASE_URL: tests/webhooks/run.sh.
      project("webhooks", ["tests/webhooks/proofs/**/*.test.ts"], inTurns),
      // Plans, recall, totals and load at full size, on the database at DATABASE_URL: tests/full-size/run.sh.
      project("full-size", ["tests/full-size/**/*.test.ts"], inTurns),
      // RPCs with hostile arguments, their time limit and their locks, on the native stack that the environment names.
      // `long` has the arguments on an embedded database.
      project("native-rpcs", ["tests/security/rpcs.test.ts", "tests/security/native/*.test.ts"], oneWorker),
      // CSV answers of the stack at API_BASE_URL, read by Python's `csv`. `main` has csv-parse and Postgres as readers.
      project("native-csv", ["tests/native/csv/*.test.ts"], oneWorker),
      // Upgrades of what the last release made: tests/upgrades/run.sh.
      project("upgrades", ["tests/upgrades/*.test.ts"], oneWorker),
      // The dispatcher's schedule on a native stack with pg_cron: tests/native/schedule/run.sh.
      project("native-schedule", ["tests/native/schedule/*.test.ts"]),
      // Imports at once on the native stack's database, which the environment names.
      project("native-imports", ["tests/native/imports/*.test.ts"], oneWorker),
    ],
  },
});
