import fc from "fast-check";
import { expect } from "vitest";
// Sets the seed that a failed run printed.
import "../support/properties.ts";
import {
  addressOf,
  explain,
  guest,
  type Model,
  type ModelAccount,
  move,
  newModel,
  type Operation,
  passMidnight,
  shown,
  tiers,
  wait,
} from "./account-model.ts";
import type { AccountService } from "./account-service.ts";

/** Beliefs that a program may hold: every model that explains all answers so far. */
interface Believed {
  models: Model[];
  /** Operations and answers so far, for people to read. */
  program: string[];
  /** Makes names that no other key of the program has. */
  names: number;
  idempotencyKeys: number;
}

type Command = fc.AsyncCommand<Believed, AccountService>;

/**
 * An operation whose key, if it has one, is a number: which of the account's keys is meant depends on what there is. Without `by` it is the
 * account's own user's.
 */
type Draft = Operation extends infer Known
  ? Known extends object
    ? {
        [Field in keyof Known]: Field extends "key" ? number : Field extends "by" ? number | undefined : Known[Field];
      }
    : never
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
  const own = { by: ("by" in draft ? draft.by : undefined) ?? draft.account };
  const idempotent = "idempotencyKey" in draft ? draft.idempotencyKey : undefined;
  // Those at the same time with one Idempotency-Key and one expiry are the same request.
  const newName = () =>
    idempotent === undefined
      ? `key ${++believed.names}`
      : `key ${believed.idempotencyKeys}${idempotent}${draft.account}`;
  if (draft.kind === "create key") {
    return {
      ...draft,
      ...own,
      name: newName(),
      ...(idempotent === undefined
        ? {}
        : { idempotencyKey: `idempotency-key-${idempotent}-${believed.idempotencyKeys}` }),
    };
  }
  if (!("key" in draft)) return "by" in draft ? { ...draft, ...own } : draft;
  const key = account?.keys[draft.key % Math.max(1, account.keys.length)]?.name;
  if (key === undefined) return undefined;
  if (draft.kind === "ask") return { ...draft, key };
  return draft.kind === "rotate" ? { ...draft, ...own, key, name: newName() } : { ...draft, ...own, key };
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

class Move implements Command {
  constructor(private readonly person: number) {}

  check(): boolean {
    return true;
  }

  async run(believed: Believed, real: AccountService): Promise<void> {
    believed.program.push(String(this));
    for (const model of believed.models) move(model, this.person);
    const [model] = believed.models;
    if (model !== undefined) await real.move(this.person, addressOf(model, this.person));
  }

  toString(): string {
    return `person ${this.person} has another address`;
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
/** The first own the accounts; the last is the guest. */
const people = 3;
/** Mostly the first, so that more happens to one account. The other is there to be confused with it. */
const account = fc.constantFrom(0, 0, 0, 1);
/** Mostly the account's own user, for whom undefined stands. */
const by = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 4 },
  { arbitrary: fc.constantFrom(guest, guest, 1, 0), weight: 1 },
);
const member = fc.constantFrom(guest, guest, 1, 1, 0);
const role = fc.constantFrom("owner" as const, "member" as const);
const key = fc.nat(7);
const hours = fc.constantFrom(1, 2, 24);
const quota = fc.integer({ min: 1, max: 3 });

const ask = fc.record({ kind: fc.constant("ask" as const), account, key });
const draft: fc.Arbitrary<Draft> = fc.oneof(
  { arbitrary: ask, weight: 12 },
  {
    arbitrary: fc.record(
      {
        kind: fc.constant("create key" as const),
        account,
        by,
        name: fc.constant(""),
        hours: fc.option(hours, { freq: 3 }),
        quota: fc.option(quota, { freq: 1 }),
        idempotencyKey: fc.constantFrom("a", "b"),
      },
      { requiredKeys: ["kind", "account", "by", "name", "hours", "quota"] },
    ),
    weight: 8,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant("rotate" as const),
      account,
      by,
      key,
      name: fc.constant(""),
      overlapHours: fc.constantFrom(0, 1, 24),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant("limit" as const),
      account,
      by,
      key,
      limits: fc.oneof(fc.record({ quota: fc.option(quota, { freq: 3 }) }), fc.record({ isForFunders: fc.boolean() })),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: fc.constant("revoke" as const), account, by, key }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("list keys" as const), account, by }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("invite" as const), account, by, member, role }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant("accept" as const), account, by: member }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant("change role" as const), account, by, member, role }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("remove" as const), account, by, member }), weight: 2 },
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
/** The first account's own user loses the role of an owner, where the guest is one. By the other drafts alone it is rare. */
const loss = fc
  .constantFrom<Draft[]>(
    { kind: "change role", account: 0, by: guest, member: 0, role: "member" },
    { kind: "remove", account: 0, by: guest, member: 0 },
  )
  .map((lost) => new Together([lost]));
const commands = fc.commands<Believed, AccountService, false>(
  [
    together(1, 1),
    together(1, 1),
    together(2, 4),
    hours.map((count) => new Wait(count)),
    fc.constant(new Midnight()),
    by.map((person) => new Move(person ?? 0)),
    loss,
  ],
  { maxCommands: 16, size: "max" },
);

/** Visible state of an account. */
function lookOf(model: Model, { keys, usedToday, usedByKey, members, invitations, answers }: ModelAccount) {
  const described = Object.fromEntries(keys.map((known) => [known.name, shown(model, known)]));
  const open = Object.fromEntries(Object.entries(invitations).map(([address, { role }]) => [address, role]));
  return { keys: described, usedToday, usedByKey, members, invitations: open, answers };
}

/** Each program begins with it: without a key, most of what follows would mean nothing. */
const firstKey = new Together([{ kind: "create key", account: 0, by: undefined, name: "", hours: null, quota: 3 }]);

/** So does every other one: with one owner alone, nobody who was an owner can try to come back. */
const secondOwner = new Together([{ kind: "change role", account: 0, by: undefined, member: guest, role: "owner" }]);

/** Programs of things that happen to accounts, each of which a model explains. */
export const accountsProperty = (service: AccountService) =>
  fc.asyncProperty(fc.scheduler(), fc.boolean(), commands, async (scheduler, hasTwoOwners, program) => {
    const believed: Believed = { models: [newModel(accounts)], program: [], names: 0, idempotencyKeys: 0 };
    await service.begin(people, accounts, scheduler);
    try {
      await firstKey.run(believed, service);
      if (hasTwoOwners) await secondOwner.run(believed, service);
      await fc.asyncModelRun(() => ({ model: believed, real: service }), program);
    } catch (error) {
      // The program's own failure is the one that matters.
      await service.end().catch(() => undefined);
      throw error;
    }
    const looks = await service.end();
    const expected = believed.models.map((model) => model.accounts.map((account) => lookOf(model, account)));
    expect(expected, believed.program.join("\n")).toContainEqual(looks);
  });
