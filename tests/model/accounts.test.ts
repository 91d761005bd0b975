import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PlantedBug, plantBug } from "../support/planted-bug.ts";
// Sets the seed that a failed run printed.
import "../support/properties.ts";
import {
  explain,
  type Model,
  type ModelAccount,
  newModel,
  type Operation,
  passMidnight,
  shown,
  tiers,
  wait,
} from "./account-model.ts";
import { type AccountService, openAccountService } from "./account-service.ts";

let service: AccountService;
beforeAll(async () => {
  service = await openAccountService();
});
afterAll(() => service.close());

/** What a program may believe: every model that explains all answers so far. */
interface Believed {
  models: Model[];
  /** What was done and answered so far, for people to read. */
  program: string[];
  /** Makes names that no other key of the program has. */
  names: number;
  idempotencyKeys: number;
}

type Command = fc.AsyncCommand<Believed, AccountService>;

/** An operation whose key, if it has one, is a number: which of the account's keys is meant depends on what there is. */
type Draft = Operation extends infer Known
  ? Known extends { key: string }
    ? Omit<Known, "key"> & { key: number }
    : Known
  : never;

/** Operations at the same time. */
class Together implements Command {
  constructor(private readonly drafts: readonly Draft[]) {}

  check(): boolean {
    return true;
  }

  async run(believed: Believed, real: AccountService): Promise<void> {
    const [model] = believed.models;
    const operations = this.drafts.flatMap((draft) => {
      const named = name(draft, model?.accounts[draft.account], believed);
      return named === undefined ? [] : [named];
    });
    believed.idempotencyKeys += 1;
    const answers = await real.perform(operations);
    believed.program.push(
      operations.map((operation, index) => `${JSON.stringify(operation)}: ${answers[index]}`).join(" and "),
    );
    believed.models = explain(believed.models, operations, answers);
    if (believed.models.length === 0)
      throw new Error(`no order explains the last answers:\n${believed.program.join("\n")}`);
  }

  toString(): string {
    return this.drafts.map((draft) => JSON.stringify(draft)).join(" and ");
  }
}

/** Gives a draft its names. @returns undefined where the account has no key yet. */
function name(draft: Draft, account: ModelAccount | undefined, believed: Believed): Operation | undefined {
  const idempotent = "idempotencyKey" in draft ? draft.idempotencyKey : undefined;
  // Those at the same time with one Idempotency-Key and one expiry are the same request.
  const newName = () =>
    idempotent === undefined
      ? `key ${++believed.names}`
      : `key ${believed.idempotencyKeys}${idempotent}${draft.account}`;
  if (draft.kind === "create key") {
    return {
      ...draft,
      name: newName(),
      ...(idempotent === undefined
        ? {}
        : { idempotencyKey: `idempotency-key-${idempotent}-${believed.idempotencyKeys}` }),
    };
  }
  if (!("key" in draft)) return draft;
  const key = account?.keys[draft.key % Math.max(1, account.keys.length)]?.name;
  if (key === undefined) return undefined;
  return draft.kind === "rotate" ? { ...draft, key, name: newName() } : { ...draft, key };
}

class Wait implements Command {
  constructor(private readonly hours: number) {}

  check(): boolean {
    return true;
  }

  async run(believed: Believed, real: AccountService): Promise<void> {
    believed.program.push(String(this));
    await real.wait(this.hours);
    for (const model of believed.models) wait(model, this.hours);
  }

  toString(): string {
    return `${this.hours} hours pass`;
  }
}

class Midnight implements Command {
  check(): boolean {
    return true;
  }

  async run(believed: Believed, real: AccountService): Promise<void> {
    believed.program.push(String(this));
    await real.passMidnight();
    for (const model of believed.models) passMidnight(model);
  }

  toString(): string {
    return "midnight passes";
  }
}

const accounts = 2;
const account = fc.nat(accounts - 1);
const key = fc.nat(7);
const hours = fc.constantFrom(1, 2, 24);

const ask = fc.record({ kind: fc.constant("ask" as const), account, key });
const draft: fc.Arbitrary<Draft> = fc.oneof(
  { arbitrary: ask, weight: 12 },
  {
    arbitrary: fc.record(
      {
        kind: fc.constant("create key" as const),
        account,
        name: fc.constant(""),
        hours: fc.option(hours, { freq: 3 }),
        idempotencyKey: fc.constantFrom("a", "b"),
      },
      { requiredKeys: ["kind", "account", "name", "hours"] },
    ),
    weight: 8,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant("rotate" as const),
      account,
      key,
      name: fc.constant(""),
      overlapHours: fc.constantFrom(0, 1, 24),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant("revoke" as const), account, key }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant("set tier" as const),
      account,
      tier: fc.constantFrom(...(Object.keys(tiers) as (keyof typeof tiers)[])),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: fc.constant("cancel" as const), account }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant("end period" as const), account, hours }), weight: 1 },
);

const together = (smallest: number, most: number) =>
  fc.array(draft, { minLength: smallest, maxLength: most }).map((drafts) => new Together(drafts));
const commands = fc.commands<Believed, AccountService, false>(
  [together(1, 1), together(1, 1), together(2, 4), hours.map((count) => new Wait(count)), fc.constant(new Midnight())],
  { maxCommands: 16, size: "+1" },
);

const property = fc.asyncProperty(fc.scheduler(), commands, async (scheduler, program) => {
  const believed: Believed = { models: [newModel(accounts)], program: [], names: 0, idempotencyKeys: 0 };
  await service.begin(accounts, scheduler);
  try {
    await fc.asyncModelRun(() => ({ model: believed, real: service }), program);
  } catch (error) {
    // What the program failed with is what matters.
    await service.end().catch(() => undefined);
    throw error;
  }
  const looks = await service.end();
  const expected = believed.models.map((model) => model.accounts.map((account) => lookOf(model, account)));
  expect(expected, believed.program.join("\n")).toContainEqual(looks);
});

/** What is to be seen of an account. */
function lookOf(model: Model, { keys, usedToday, answers }: ModelAccount) {
  return { keys: Object.fromEntries(keys.map((known) => [known.name, shown(model, known)])), usedToday, answers };
}

test("whatever happens to accounts, in whatever order, is what a model of a few maps says", async () => {
  await fc.assert(property, { numRuns: 2_000 });
}, 600_000);

const bugs: Record<string, PlantedBug> = {
  "an expired key is let in": { name: "funding.admit", from: "api_key.expires_at > now()", to: "true" },
  "a request counts twice": {
    name: "funding.count_request",
    from: "used = quota.used + 1",
    to: "used = quota.used + 2",
  },
  "a canceled subscription gives access": {
    name: "funding.is_in_force",
    from: "'active',",
    to: "'active', 'canceled',",
  },
  "a key is replaced twice": {
    name: "funding.rotate_key",
    from: "replacement_of(old_key.id)",
    to: "replacement_of(new_key.id)",
  },
  "an overlap outlives the key": {
    name: "funding.rotate_key",
    from: "least(full_expiry, now() + overlap_)",
    to: "now() + overlap_",
  },
  "there is room for one key more": { name: "funding.require_room_for_key", from: ">= maximum", to: "> maximum" },
  "a repetition is made again": {
    name: "public.write_once",
    from: "where earlier.created_at < retained_since",
    to: "where true",
  },
};

describe("a planted bug is found:", () => {
  test.each(Object.entries(bugs))("%s", async (_, bug) => {
    const putBack = await plantBug(service.connection, bug);
    try {
      const { errorInstance } = await fc.check(property, { numRuns: 1_000, endOnFailure: true });
      expect(String(errorInstance)).toMatch(/no order explains|deep equally contain|keys are answered/);
    } finally {
      await putBack();
    }
  });
});
