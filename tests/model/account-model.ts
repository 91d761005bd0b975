/** Tiers of the model, with their requests a day; `none` has no API access. */
export const tiers = { none: undefined, "model-few": 2, "model-some": 5, "model-all": -1 } as const;
export type Tier = keyof typeof tiers;

/** Active keys that an account may have; twice as many while old ones are being replaced. */
export const mostKeys = 3;

/** Key of the model. Its name is its identity. */
export interface ModelKey {
  name: string;
  isRevoked: boolean;
  /** Names of the keys that replaced it: another one where the first was revoked. */
  replacements: string[];
  /** Hours since the program began, or null for never. */
  expiresAt: number | null;
}

export interface ModelAccount {
  tier: Tier;
  isCanceled: boolean;
  /** Hours since the program began, or null for no end. */
  periodEnd: number | null;
  usedToday: number;
  keys: ModelKey[];
  /** Usage so far: answers by status. */
  answers: Record<number, number>;
  /** Body of each write that succeeded, by its Idempotency-Key. */
  written: Record<string, string>;
}

/** State of the service as its documentation promises it. */
export interface Model {
  hours: number;
  accounts: ModelAccount[];
}

/** Things that happen to an account, each at one moment. */
export type Operation = { account: number } & (
  | { kind: "ask"; key: string }
  | { kind: "create key"; name: string; hours: number | null; idempotencyKey?: string }
  | { kind: "rotate"; key: string; name: string; overlapHours: number }
  | { kind: "revoke"; key: string }
  | { kind: "set tier"; tier: Tier }
  | { kind: "cancel" }
  | { kind: "end period"; hours: number }
);

export function newModel(accounts: number): Model {
  return {
    hours: 0,
    accounts: Array.from({ length: accounts }, () => ({
      tier: "model-some",
      isCanceled: false,
      periodEnd: null,
      usedToday: 0,
      keys: [],
      answers: {},
      written: {},
    })),
  };
}

/** Applies an operation to a model. @returns what the service answers. */
export function apply(model: Model, operation: Operation): string {
  const account = model.accounts[operation.account];
  if (account === undefined) throw new Error(`there is no account ${operation.account}`);
  const isLater = (end: number | null) => end === null || end > model.hours;
  const isValid = (key: ModelKey) => !key.isRevoked && isLater(key.expiresAt);
  const find = (name: string) => {
    const key = account.keys.find((known) => known.name === name);
    if (key === undefined) throw new Error(`there is no key ${name}`);
    return key;
  };
  const active = account.keys.filter(isValid).length;

  switch (operation.kind) {
    case "ask": {
      const [status, answer] = admit(account, isValid(find(operation.key)), isLater(account.periodEnd));
      // A caller who is not known has no usage.
      if (status !== 401) account.answers[status] = (account.answers[status] ?? 0) + 1;
      return answer;
    }
    case "create key": {
      const { name, hours, idempotencyKey } = operation;
      const body = `${name} ${hours}`;
      if (idempotencyKey !== undefined && idempotencyKey in account.written) {
        return account.written[idempotencyKey] === body ? `201 ${name}` : "409";
      }
      if (active >= mostKeys) return "409";
      const expiresAt = hours === null ? null : model.hours + hours;
      account.keys.push({ name, isRevoked: false, replacements: [], expiresAt });
      if (idempotencyKey !== undefined) account.written[idempotencyKey] = body;
      return `201 ${name}`;
    }
    case "rotate": {
      const old = find(operation.key);
      const earlier = old.replacements.map(find);
      const isReplaced = earlier.some((key) => !key.isRevoked || key.replacements.length > 0);
      if (!isValid(old) || isReplaced || active >= 2 * mostKeys) return "409";
      // A replacement that was revoked has the expiry from before it was made.
      const { expiresAt } = earlier[0] ?? old;
      account.keys.push({ name: operation.name, isRevoked: false, replacements: [], expiresAt });
      old.replacements.push(operation.name);
      const end = model.hours + operation.overlapHours;
      old.expiresAt = expiresAt === null ? end : Math.min(expiresAt, end);
      return "201";
    }
    case "revoke":
      find(operation.key).isRevoked = true;
      return "200";
    case "set tier":
      Object.assign(account, { tier: operation.tier, isCanceled: false, periodEnd: null });
      return "done";
    case "cancel":
      account.isCanceled = true;
      return "done";
    case "end period":
      account.periodEnd = model.hours + operation.hours;
      return "done";
  }
}

/** Answers a request, and counts it where it is served. @returns its status, and the answer with what remains of the quota. */
function admit(account: ModelAccount, isKeyValid: boolean, isInPeriod: boolean): [number, string] {
  if (!isKeyValid) return [401, "401"];
  const quota = tiers[account.tier];
  if (quota === undefined || account.isCanceled || !isInPeriod) return [403, "403"];
  if (quota < 0) return [200, "200 -1"];
  if (account.usedToday >= quota) return [429, "429"];
  account.usedToday += 1;
  return [200, `200 ${quota - account.usedToday}`];
}

/** Lets hours pass. */
export function wait(model: Model, hours: number): void {
  model.hours += hours;
}

/** Lets midnight pass, which hours alone do not. */
export function passMidnight(model: Model): void {
  for (const account of model.accounts) account.usedToday = 0;
}

/** What `GET /account-api/keys` shows of a key: its status and, while it is active, the hours that are left. */
export function shown(model: Model, { isRevoked, expiresAt }: ModelKey): string {
  if (isRevoked) return "revoked";
  if (expiresAt === null) return "active";
  return expiresAt > model.hours ? `active for ${expiresAt - model.hours} h` : "expired";
}

/**
 * Models that explain what operations at the same time were answered: one of `before` to which they happened in some order. (Linearizability,
 * Herlihy and Wing 1990.)
 */
export function explain(
  before: readonly Model[],
  operations: readonly Operation[],
  answers: readonly string[],
): Model[] {
  const found = new Map<string, Model>();
  for (const model of before) {
    for (const order of ordersOf(operations.map((_, index) => index))) {
      const after = structuredClone(model);
      const isRight = order.every((index) => {
        const operation = operations[index];
        return operation !== undefined && apply(after, operation) === answers[index];
      });
      for (const account of after.accounts) account.keys.sort((one, other) => one.name.localeCompare(other.name));
      if (isRight) found.set(JSON.stringify(after), after);
    }
  }
  return [...found.values()];
}

function ordersOf(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
