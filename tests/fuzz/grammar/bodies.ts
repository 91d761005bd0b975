import { tools } from "../../../functions/mcp/tools.ts";
import type { Random } from "../../../local/demo/random.ts";
import type { RequestSchema } from "../../contract/arbitrary.ts";
import { anyJson, hostileText } from "./hostile.ts";
import { objectFor } from "./values.ts";

/** A JSON body by a schema, or what somebody sends in its place. */
export function bodyFor(random: Random, schema: RequestSchema): Buffer {
  return random.chance(0.75) ? Buffer.from(jsonText(random, objectFor(random, schema))) : oddBody(random, schema);
}

/** A JSON text, in which a lone surrogate may stand as an escape. */
export function jsonText(random: Random, value: unknown): string {
  const text = JSON.stringify(value);
  return random.chance(0.03) ? text.replace(/"(\w)/, '"\\ud800$1') : text;
}

function oddBody(random: Random, schema: RequestSchema): Buffer {
  const right = JSON.stringify(objectFor(random, schema));
  switch (random.integer(0, 13)) {
    case 0:
      return Buffer.from(right.slice(0, random.integer(0, right.length)));
    case 1:
      return Buffer.from(`${"[".repeat(random.integer(1_000, 60_000))}`);
    case 2:
      return Buffer.from(`{"query":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`);
    case 3:
      return Buffer.from(`\ufeff${right}`);
    case 4:
      return Buffer.concat([
        Buffer.from('{"query":"'),
        Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]);
    case 5:
      return Buffer.alloc(random.pick([64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 300_000, 2_000_000]), " ");
    case 6:
      return Buffer.from(JSON.stringify({ ...JSON.parse(right), query: "x".repeat(random.integer(3_990, 60_000)) }));
    case 7:
      return Buffer.from(right.replace("{", '{"query":"water","query":"fire",'));
    case 8:
      return Buffer.from(right.replace("{", '{"__proto__":{"limit":1},"constructor":{"prototype":{}},'));
    case 9:
      return Buffer.from(right.replace("{", '{"limit":1e999,"n":123456789012345678901234567890,'));
    case 10:
      return Buffer.from(JSON.stringify(anyJson(random, 4)) ?? "");
    case 11:
      return Buffer.from(hostileText(random));
    case 12:
      return Buffer.from(`{${Array.from({ length: 3_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`);
    default:
      return Buffer.from(Array.from({ length: random.integer(0, 300) }, () => random.integer(0, 255)));
  }
}

const methods = [
  "initialize",
  "tools/list",
  "tools/call",
  "ping",
  "resources/list",
  "notifications/initialized",
  "nonsense",
  "",
];
const toolNames = [...tools.map(({ name }) => name), "drop_tables", "__proto__"];

/** A message of the Model Context Protocol, mostly a call of a tool. */
export function mcpBody(random: Random, input: RequestSchema): Buffer {
  if (random.chance(0.15)) return oddBody(random, input);
  const method = random.chance(0.6) ? "tools/call" : random.pick(methods);
  const message = {
    jsonrpc: random.chance(0.97) ? "2.0" : anyJson(random),
    ...(random.chance(0.95) ? { id: random.chance(0.9) ? 1 : anyJson(random) } : {}),
    method: random.chance(0.97) ? method : anyJson(random),
    params: random.chance(0.9)
      ? {
          name: random.pick(toolNames),
          arguments: random.chance(0.9) ? objectFor(random, input) : anyJson(random),
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "fuzz", version: "1" },
        }
      : anyJson(random),
  };
  return Buffer.from(jsonText(random, random.chance(0.03) ? [message, message] : message));
}

const eventTypes = [
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "checkout.session.completed",
  "invoice.paid",
  "toString",
];

/** An event as the payment provider would send it, with strange things in it. */
export function billingBody(random: Random): Buffer {
  if (random.chance(0.2)) return oddBody(random, {});
  const strange = (usual: unknown) => (random.chance(0.85) ? usual : anyJson(random));
  return Buffer.from(
    jsonText(random, {
      id: strange(`evt_${random.integer(1, 1e6)}`),
      object: "event",
      type: strange(random.pick(eventTypes)),
      created: strange(1_790_000_000 + random.integer(0, 1e6)),
      data: strange({
        object: strange({
          id: strange("sub_1"),
          object: strange("subscription"),
          customer: strange("cus_1"),
          status: strange("active"),
          client_reference_id: strange("00000000-0000-4000-8000-000000000000"),
          metadata: strange({ account_id: strange("x"), tier: strange("developer") }),
          items: strange({
            data: strange([
              strange({
                price: strange({ id: "p", lookup_key: strange("developer"), metadata: {} }),
                current_period_end: strange(1_900_000_000),
              }),
            ]),
          }),
        }),
      }),
    }),
  );
}
