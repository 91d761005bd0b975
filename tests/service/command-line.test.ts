import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { credentialsPath } from "../../packages/client/src/cli/credentials.ts";
import { run } from "../../packages/client/src/cli/run.ts";
import { openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
let key: string;
let folder: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  folder = await mkdtemp(join(tmpdir(), "funding-command-line-"));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Runs a command as whoever has typed it. `answers` are typed at its questions. */
async function funding(
  words: string[],
  { env, answers = [] }: { env?: Record<string, string>; answers?: string[] } = {},
) {
  let stdout = "";
  let stderr = "";
  const status = await run(words, {
    env: { XDG_CONFIG_HOME: folder, ...(env ?? { FUNDING_BASE_URL: testBaseUrl, FUNDING_API_KEY: key }) },
    write: async (text) => {
      stdout += text;
    },
    say(line) {
      stderr += `${line}\n`;
    },
    ask: async () => answers.shift(),
    pause: async () => false,
    width: 100,
    fetch: async (request) => service.send(request as Request),
  });
  return { status, stdout, stderr };
}

async function api(path: string): Promise<{ results: { id: string; title: string }[]; total?: number }> {
  const response = await service.fetch(path, { headers: { authorization: `Bearer ${key}` } });
  return (await response.json()) as { results: { id: string; title: string }[] };
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

describe("funding", () => {
  test("lists what the API lists, by words and by the API's own filters, in two lines each", async () => {
    const { results } = await api("/grants-api?search=water&states=OH,PA&include_national=true&limit=3");
    expect(results).toHaveLength(3);
    const words = ["grants", "water", "--states", "OH,PA", "--include-national", "--limit=3"];
    const { status, stdout, stderr } = await funding(words);
    expect(status).toBe(0);
    const lines = linesOf(stdout);
    expect(lines).toHaveLength(6);
    for (const [index, { id, title }] of results.entries()) {
      expect(lines[2 * index]).toContain(title.slice(0, 30));
      expect(lines[2 * index + 1]).toContain(id);
    }
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(stderr).toMatch(/^3 of \d+ grants: --limit and --all show more$/m);
  });

  test("a value that is given twice is sent twice, and a flag can be denied", async () => {
    const { total } = await api("/grants-api?states=OH&states=PA&cost_sharing=false&count_only=true");
    const words = ["grants", "--states", "OH", "--states", "PA", "--no-cost-sharing", "--count"];
    expect((await funding(words)).stdout).toBe(`${total}\n`);
  });

  test("--json is the API's answer, --csv its file, --all each record once", async () => {
    const answer = JSON.parse((await funding(["contracts", "--limit", "2", "--json"])).stdout);
    expect(answer.results).toEqual((await api("/contracts-api?limit=2")).results);
    const csv = (await funding(["contracts", "--limit", "2", "--csv"])).stdout;
    expect(csv).toMatch(/^id,title,/);
    const { total } = await api("/grants-api?opportunity_type=all&count_only=true");
    expect(total).toBeGreaterThan(200);
    const all = await funding(["grants", "--opportunity-type", "all", "--all", "--json"]);
    const ids = linesOf(all.stdout).map((line) => (JSON.parse(line) as { id: string }).id);
    expect([ids.length, new Set(ids).size]).toEqual([total, total]);
    expect(all.stderr).toContain(`${total} grants`);
  });

  test("a query that is too long for an address goes in a body", async () => {
    const ids = (await api("/grants-api?limit=5")).results.map(({ id }) => id);
    const unknown = Array.from({ length: 95 }, () => crypto.randomUUID());
    const many = Array.from({ length: 70 }, () => ["--fields", "title,description,funder_name,deadline_date"]).flat();
    const words = ["grants", ...[...ids, ...unknown].flatMap((id) => ["--ids", id]), ...many, "--json"];
    const { results, missing } = JSON.parse((await funding(words)).stdout);
    expect((results as { id: string }[]).map(({ id }) => id)).toEqual(ids);
    expect(missing).toHaveLength(95);
  });

  test("finds by meaning, shows a record whole, and completes words", async () => {
    const found = await funding(["search", "cleaning up polluted lakes", "--limit", "2"]);
    expect(linesOf(found.stdout)).toHaveLength(4);
    const [{ id = "", title = "" } = {}] = (await api("/contracts-api?limit=1")).results;
    for (const words of [
      ["show", id],
      ["show", "contracts", id],
    ]) {
      const { stdout } = await funding(words);
      expect(stdout).toMatch(new RegExp(`^id +${id}$`, "m"));
      expect(stdout).toContain(title);
    }
    // The last of a flag and its denial counts.
    expect((await funding(["show", id, "--json", "--no-json"])).stdout).toMatch(/^id +/);
    expect((await funding(["suggest", "dep", "--kinds", "agency", "--limit", "1"])).stdout).toMatch(
      /^agency +\d+ {2}\S/,
    );
  });

  test("keeps a copy of the catalogue: whole at first, then what changed", async () => {
    const copy = join(folder, "copy");
    const first = await funding(["mirror", copy, "funders", "grants"]);
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining("funders: ")]);
    const read = async (name: string) =>
      linesOf(await readFile(join(copy, name), "utf8")).map(
        (line) => JSON.parse(line) as { id: string; title: string },
      );
    const grants = await read("grants.ndjson");
    const { total } = await api("/grants-api?opportunity_type=all&count_only=true");
    expect(grants).toHaveLength(total ?? 0);

    const [one, other] = grants;
    await service.connection.execute(`
      update funding.grants set title = 'Changed since the copy', updated_at = now() where id = '${one?.id}';
      update funding.grants set archived_at = now(), updated_at = now() where id = '${other?.id}'`);
    const second = await funding(["mirror", copy, "grants"]);
    expect(second.stderr).toMatch(/^grants: 1 new or changed, 1 archived, \d+ in /m);
    const now = await read("grants.ndjson");
    expect(now.find(({ id }) => id === one?.id)?.title).toBe("Changed since the copy");
    expect(now.some(({ id }) => id === other?.id)).toBe(false);

    await writeFile(join(copy, "grants.ndjson"), "not JSON\n");
    const broken = await funding(["mirror", copy, "grants"]);
    expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining("remove ")]);
  });

  test("login tries the key, saves it for its owner alone, and logout forgets it", async () => {
    const nobody = { env: {} };
    expect(await funding(["grants"], nobody)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/funding login/),
    });
    const wrong = await funding(["login"], { env: {}, answers: [testBaseUrl, "fo_live_wrong"] });
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("API key")]);
    expect((await funding(["grants"], nobody)).status).toBe(1);

    expect((await funding(["login"], { env: {}, answers: [`${testBaseUrl}/`, ` ${key} `] })).status).toBe(0);
    const path = credentialsPath({ XDG_CONFIG_HOME: folder });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await funding(["grants", "--count"], nobody)).stdout).toMatch(/^\d+\n$/);
    // The address that was saved stands at the next login.
    expect((await funding(["login"], { env: {}, answers: ["", key] })).status).toBe(0);
    await funding(["logout"], nobody);
    expect((await funding(["grants"], nobody)).status).toBe(1);
  });

  test.each([
    [["grnats"], /^grnats is no command\. Did you mean grants\?/],
    [["grants", "--sates", "OH"], /^--sates is no option of grants\. Did you mean --states\?/],
    [["grants", "--states"], /^--states needs a value\./],
    [["grants", "--include-national=yes"], /^--include-national takes no value; --no-include-national says no\./],
    [["grants", "--json", "--csv"], /^--json and --csv cannot be combined\./],
    [["search"], /^search needs words/],
    [["search", "x", "--limit", "many"], /^--limit must be a whole number\./],
    [["mirror"], /^mirror needs a folder/],
    [["mirror", "copy", "loans"], /^loans is no dataset: there are grants, contracts, funders\./],
    [["show"], /^show needs the id/],
  ])("%j is called wrongly", async (words, message) => {
    const { status, stdout, stderr } = await funding(words);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test("what the API refuses names the option", async () => {
    const { status, stderr } = await funding(["grants", "--limit", "0", "--states", "ZZ"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^ {2}--limit must be/m);
    expect(stderr).toMatch(/^ {2}--states /m);
    expect((await funding(["show", crypto.randomUUID()])).stderr).toMatch(/^There is no record with the id/);
  });

  test("the help of each command lists its options, those of the API with what they do", async () => {
    expect((await funding(["--help"])).stdout).toMatch(/^Usage: funding COMMAND/);
    for (const command of [
      "grants",
      "contracts",
      "funders",
      "search",
      "show",
      "suggest",
      "mirror",
      "listen",
      "login",
      "logout",
    ]) {
      const { status, stdout } = await funding([command, "--help"], { env: {} });
      expect([status, stdout.startsWith(`Usage: funding ${command}`)]).toEqual([0, true]);
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(130);
    }
    expect((await funding(["contracts", "--help"])).stdout).toMatch(/^ {2}--naics VALUE +\S/m);
  });
});
