import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { verifyCode } from "../../../dashboard/src/webhooks/verify-code.ts";
import { verifyWebhook, WebhookVerificationError } from "../../../packages/client/src/webhooks/index.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = JSON.stringify({ id: "e1", event: "grant.created", created_at: "", data: { title: "Clean water" } });
const sentAt = String(Math.floor(Date.now() / 1000));
const signature = createHmac("sha256", Buffer.alloc(32, 7)).update(`e1.${sentAt}.${body}`).digest("base64");
const headers = { "webhook-id": "e1", "webhook-timestamp": sentAt, "webhook-signature": `v1,${signature}` };
const bodies = [body, body.replace("Clean", "Dirty")];

test("the code in TypeScript takes what is signed with the secret, and refuses what is not", async () => {
  const code = verifyCode.typescript
    .replace(/^import .*\n/, "")
    .replace(
      "export async function receive(request: Request): Promise<Response>",
      "return async function receive(request)",
    );
  const make = new Function("verifyWebhook", "WebhookVerificationError", "process", "console", code);
  const logged: unknown[] = [];
  const receive: (request: Request) => Promise<Response> = make(
    verifyWebhook,
    WebhookVerificationError,
    { env: { FUNDING_WEBHOOK_SECRET: secret } },
    { log: (...words: unknown[]) => logged.push(words) },
  );
  const answers = bodies.map((body) => receive(new Request("https://x.example", { method: "POST", body, headers })));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 400]);
  expect(logged).toEqual([["grant.created", { title: "Clean water" }]]);
});

test("the code in Python takes what is signed with the secret, and refuses what is not", () => {
  const program = `
import json, sys, types
httpx = types.ModuleType("httpx")
httpx.Client = httpx.Response = httpx.BaseTransport = object
httpx.TransportError = type("TransportError", (Exception,), {})
sys.modules["httpx"] = httpx
sys.path.insert(0, ${JSON.stringify(fileURLToPath(new URL("../../../packages/python/src", import.meta.url)))})
${verifyCode.python}
given = json.load(sys.stdin)
print([receive(body.encode(), given["headers"]) for body in given["bodies"]])`;
  const output = execFileSync("python3", ["-c", program], {
    input: JSON.stringify({ headers, bodies }),
    encoding: "utf8",
    env: { ...process.env, FUNDING_WEBHOOK_SECRET: secret },
  });
  expect(output).toBe("grant.created {'title': 'Clean water'}\n[204, 400]\n");
});
