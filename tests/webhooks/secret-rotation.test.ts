import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Webhook } from "../../shared/responses/account/webhooks.ts";
import type { Person } from "../support/people.ts";
import { runs } from "../support/properties.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let receiver: Receiver;
let ada: Person;

beforeAll(async () => {
  service = await openWebhookService();
  receiver = await openReceiver();
  // Events are dated by the true time, and would be too old to send where the clock is moved by months.
  await service.set("webhook_retention_days", 1_000);
  ada = await service.people.newPerson();
  await ask("", "GET");
  await service.connection.query(
    "insert into funding.subscriptions (account_id, tier) select id, 'developer' from funding.accounts where email = $1",
    [ada.email],
  );
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

type Issued = Webhook & { secret: string };

async function ask(path: string, method: string, body?: object): Promise<{ status: number; answer: Issued }> {
  const response = await service.fetch(`/account-api${path}`, {
    method,
    headers: { authorization: `Bearer ${await ada.token()}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: await response.json() };
}

/** A secret, and the second until which it signs. The current one has no end. */
interface Promised {
  secret: string;
  until: number;
}

/** Secrets that may sign at a time. */
const maximum = 5;

/** The headers of a delivery that is made now. */
async function headersNow(id: string): Promise<Record<string, string | undefined>> {
  receiver.received.length = 0;
  expect((await ask(`/webhooks/${id}/test`, "POST", { event: "grant.created" })).status).toBe(200);
  await service.dispatch();
  const [sent, ...more] = receiver.received;
  if (sent === undefined || more.length > 0) throw new Error(`${receiver.received.length} deliveries arrived`);
  return { ...sent.headers, body: sent.body };
}

const standardSignature = (secret: string, headers: Record<string, string | undefined>) =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${headers.body}`)
    .digest("base64")}`;
const plainSignature = (secret: string, body: string | undefined) =>
  `sha256=${createHmac("sha256", secret)
    .update(body ?? "")
    .digest("hex")}`;

// No sum of waits is near an overlap, so that the time that the test itself takes decides nothing.
const step = fc.oneof(
  fc.constantFrom(3_600, 86_400, 2_592_000).map((overlap) => ({ overlap })),
  fc.constant({ overlap: 0 }),
  fc.constantFrom(2_000, 50_000, 1_500_000).map((wait) => ({ wait })),
);

test("whenever a secret is rotated, every delivery is signed by each secret whose promised time has not passed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
      let now = 0;
      await service.setClock(now);
      const { answer } = await ask("/webhooks", "POST", { url: receiver.url, events: ["grant.created"] });
      let secrets: Promised[] = [{ secret: answer.secret, until: Number.POSITIVE_INFINITY }];
      for (const asked of steps) {
        if ("wait" in asked) {
          now += asked.wait;
          await service.setClock(now);
        }
        secrets = secrets.filter(({ until }) => until > now);
        if ("overlap" in asked) {
          const { status, answer: issued } = await ask(`/webhooks/${answer.id}/rotate`, "POST", {
            overlap_seconds: asked.overlap,
          });
          const isRefused = asked.overlap > 0 && secrets.length === maximum;
          expect(status).toBe(isRefused ? 409 : 201);
          if (!isRefused) {
            const [present, ...former] = secrets;
            secrets = [
              { secret: issued.secret, until: Number.POSITIVE_INFINITY },
              ...(asked.overlap === 0 || present === undefined
                ? []
                : [{ secret: present.secret, until: now + asked.overlap }, ...former]),
            ];
          }
        }
        const headers = await headersNow(answer.id);
        expect(headers["webhook-signature"]?.split(" ")).toEqual(
          secrets.map(({ secret }) => standardSignature(secret, headers)),
        );
        // It has room for one: the first that was promised.
        expect(headers["x-service-signature"]).toBe(plainSignature(secrets.at(-1)?.secret ?? "", headers.body));
        const { answer: shown } = await ask(`/webhooks/${answer.id}`, "GET");
        expect(shown.previous_secret_expires_at !== null).toBe(secrets.length > 1);
      }
      await ask(`/webhooks/${answer.id}`, "DELETE");
    }),
    {
      numRuns: runs(12),
      examples: [
        [[{ overlap: 86_400 }, { overlap: 3_600 }, { wait: 50_000 }]],
        [Array.from({ length: 6 }, () => ({ overlap: 86_400 }))],
      ],
    },
  );
});
