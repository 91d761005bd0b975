import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../packages/client/src/cli/run.ts";
import { verifySignatureHeader, verifyWebhook } from "../../packages/client/src/webhooks/index.ts";
import { eventNames } from "../../shared/webhooks/events.ts";
import { testBaseUrl } from "../support/service.ts";
import { ok, openReceiver, type Receiver, status } from "../webhooks/receiver.ts";
import { contract, grant, openWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

let service: WebhookService;
let key: string;
let receiver: Receiver;
beforeAll(async () => {
  service = await openWebhookService();
  ({ key } = await service.newKey());
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = ok;
});

/** Runs `funding listen`. Between two looks, the next of `meanwhile` happens; after the last, it ends. */
async function listen(
  words: string[],
  {
    meanwhile = [],
    env = {},
    send = (request) => service.send(request),
  }: {
    meanwhile?: (() => Promise<unknown>)[];
    env?: Record<string, string>;
    send?: (request: Request) => Promise<Response>;
  } = {},
) {
  let stdout = "";
  let stderr = "";
  const pauses: number[] = [];
  const left = [...meanwhile];
  const exit = await run(["listen", ...words], {
    env: { FUNDING_BASE_URL: testBaseUrl, FUNDING_API_KEY: key, ...env },
    write: async (text) => {
      stdout += text;
    },
    say(line) {
      stderr += `${line}\n`;
    },
    ask: async () => undefined,
    async pause(ms) {
      pauses.push(ms);
      const next = left.shift();
      await next?.();
      return next !== undefined;
    },
    width: 100,
    fetch: async (input) => {
      const request = input as Request;
      return request.url.startsWith(testBaseUrl) ? send(request) : fetch(request);
    },
  });
  return { exit, stdout, stderr, pauses };
}

const hook = () => `${receiver.url}/hook`;
const secretIn = (stderr: string) => /Secret of these deliveries: (whsec_\S+)/.exec(stderr)?.[1] ?? "";

describe("funding listen", () => {
  test("sends what is new and what changed, as the webhook of the API sends it, both signatures right", async () => {
    const first = grant({ title: "A town's first pipe" });
    const { stderr, stdout, exit, pauses } = await listen(["--to", hook()], {
      meanwhile: [
        () => service.load("grants", first),
        () => service.load("grants", { ...first, title: "A town's second pipe", amount_max: 90_000 }),
        async () => undefined,
      ],
    });
    expect([exit, pauses]).toEqual([0, [15_000, 15_000, 15_000, 15_000]]);
    const ours = receiver.received.filter(({ payload }) => String(payload.data.title).startsWith("A town's"));
    expect(ours.map(({ payload }) => payload.event)).toEqual(["grant.created", "grant.updated"]);
    const secret = secretIn(stderr);
    for (const { body, headers } of ours) {
      await expect(verifyWebhook({ body, headers, secret })).resolves.toMatchObject({ event: /^grant\./ });
      await expect(verifySignatureHeader({ body, headers, secret })).resolves.toBeDefined();
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(JSON.stringify(headers)).not.toContain(key);
    }
    const { changes, data } = JSON.parse(ours[1]?.body ?? "");
    expect(changes).toEqual([
      { field: "title", from: "A town's first pipe", to: "A town's second pipe" },
      { field: "amount_max", from: 80_000, to: 90_000 },
    ]);
    const shown = await service.fetch(`/grants-api/${data.id}`, { headers: { authorization: `Bearer ${key}` } });
    expect(data).toEqual(await shown.json());
    expect(stdout).toMatch(/^grant\.updated +200 {2}\d+ ms {2}A town's second pipe$/m);
  });

  test("a filter and a choice of events are those of a webhook; without --to, events are printed", async () => {
    const changed = contract({ title: "Roof of a depot", states: ["OH"] });
    const { stdout, stderr } = await listen(
      ["--events", "contract.created,contract.updated", "--contracts", "states=OH"],
      {
        meanwhile: [
          () => service.load("contracts", changed, contract({ title: "Roof elsewhere", states: ["TX"] })),
          () => service.load("grants", grant()),
          () => service.load("contracts", { ...changed, status: "closed" }),
        ],
      },
    );
    const events = stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(events.map(({ event, data }) => [event, data.title])).toEqual([
      ["contract.created", "Roof of a depot"],
      ["contract.updated", "Roof of a depot"],
    ]);
    expect(stderr).not.toContain("whsec_");
  });

  test("changes of details alone are sent with --details", async () => {
    const known = grant({ details: { expected_awards: 4 } });
    await service.load("grants", known);
    const change = (expected_awards: number) => ({
      meanwhile: [() => service.load("grants", { ...known, details: { expected_awards } })],
    });
    expect((await listen(["--events", "grant.updated"], change(5))).stdout).toBe("");
    const { stdout } = await listen(["--events", "grant.updated", "--details"], change(6));
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
      data: { details: { expected_awards: 6 } },
      changes: [{ field: "expected_awards", from: 5, to: 6 }],
    });
  });

  test("--since and --once send the changes so far, a withdrawn record's too, and fail where one was not taken", async () => {
    const since = new Date(Date.now() - 1000).toISOString();
    const gone = grant({ title: "Soon withdrawn" });
    await service.load("grants", gone);
    await service.load("grants", { ...gone, archived_at: new Date().toISOString() });
    const words = ["--to", hook(), "--events", "grant.updated", "--since", since, "--once"];
    expect((await listen(words)).exit).toBe(0);
    const withdrawn = receiver.received.filter(({ payload }) => payload.data.title === "Soon withdrawn");
    expect(withdrawn.map(({ body }) => JSON.parse(body).changes.map(({ field }: { field: string }) => field))).toEqual([
      expect.arrayContaining(["archived_at"]),
    ]);
    receiver.answer = status(500);
    expect(await listen(words)).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^Not taken: \d+ events\.$/m) });
  });

  test.each(eventNames)("--test sends a sample of %s once, marked as a test", async (event) => {
    const secret = `whsec_${btoa("a secret that is kept")}`;
    const { exit, stderr } = await listen(["--to", hook(), "--test", event], {
      env: { FUNDING_WEBHOOK_SECRET: secret },
    });
    expect([exit, stderr]).toEqual([0, ""]);
    const [{ body, headers } = { body: "", headers: {} }, ...more] = receiver.received;
    expect(more).toEqual([]);
    await expect(verifyWebhook({ body, headers, secret })).resolves.toMatchObject({ event, test: true });
  });

  test("a program that is not there, redirects or fails is told in a line, and --test ends with 1", async () => {
    receiver.answer = status(302, { location: `${receiver.url}/other` });
    expect(await listen(["--to", hook(), "--test", "grant.created"])).toMatchObject({
      exit: 1,
      stdout: expect.stringMatching(/^grant\.created +302 /),
    });
    const closed = await openReceiver();
    await closed.close();
    const { exit, stdout } = await listen(["--to", closed.url, "--test", "grant.created"]);
    expect([exit, stdout]).toEqual([1, expect.stringMatching(/ECONNREFUSED/)]);
  });

  test("goes on where the API cannot be reached for a while, and loses nothing; a refusal ends it", async () => {
    let isDown = false;
    const { exit, stdout, stderr } = await listen(["--events", "grant.created", "--every", "7"], {
      send: async (request) => {
        if (isDown) throw new TypeError("fetch failed", { cause: new Error("the network is away") });
        return service.send(request);
      },
      meanwhile: [
        async () => {
          isDown = true;
          await service.load("grants", grant({ title: "While away" }));
        },
        async () => {
          isDown = false;
        },
      ],
    });
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/the network is away Trying again in 7 s\./)]);
    expect(stdout).toContain("While away");
    const refused = await listen(["--grants", "states=ZZ"]);
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining("states")]);
  });

  test.each([
    [["--to", "localhost:3000/hook"], /^--to must be an address such as http:/],
    [["--to", "http://me:secret@127.0.0.1/"], /^--to must be an address without/],
    [["--events", "grant.create"], /Did you mean grant\.created\?/],
    [["--test", "loan.created"], /^--test must be among grant\.created,/],
    [["--every", "1"], /^--every must be a whole number of seconds, 5 or more\./],
    [["3000"], /^3000 is more than the command takes\./],
  ])("%j is called wrongly", async (words, message) => {
    const { exit, stderr } = await listen(words);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
