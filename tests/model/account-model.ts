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
  /** Requests a day, or null for no limit of its own. */
  quota: number | null;
  /** Key at the beginning of its rotations, whose count of the day they share. */
  root: string;
  /** Whether it reads funders alone. The others read everything. */
  isForFunders: boolean;
}

export type Role = "owner" | "member";

export interface ModelAccount {
  tier: Tier;
  isCanceled: boolean;
  /** Hours since the program began, or null for no end. */
  periodEnd: number | null;
  usedToday: number;
  /** Requests today of keys with a quota, by their root. */
  usedByKey: Record<string, number>;
  keys: ModelKey[];
  /** Role of each person in it, by their number. */
  members: Record<number, Role>;
  /** Role that whoever has an invited address would have, and the owner who invited it. */
  invitations: Record<string, { role: Role; invitedBy: number }>;
  /** Usage so far: answers by status. */
  answers: Record<number, number>;
  /** Body of each write that succeeded, by its Idempotency-Key. */
  written: Record<string, string>;
}

/** State of the service as its documentation promises it. */
export interface Model {
  hours: number;
  accounts: ModelAccount[];
  /** How often each person has changed their address, by their number. */
  moves: Record<number, number>;
}

/** Present address of a person. */
export function addressOf({ moves }: Model, person: number): string {
  return `${person} after ${moves[person] ?? 0} moves`;
}

/** Gives a person another address. Nobody is invited by it. */
export function move(model: Model, person: number): void {
  model.moves[person] = (model.moves[person] ?? 0) + 1;
}

/** Limits of a key; one that is absent stays. */
export type Limits = { quota: number | null } | { isForFunders: boolean };

/** Things that happen to an account, each at one moment. `by` and `member` are the numbers of people. */
export type Operation = { account: number } & (
  | { kind: "ask"; key: string }
  | {
      kind: "create key";
      by: number;
      name: string;
      hours: number | null;
      quota: number | null;
      idempotencyKey?: string;
    }
  | { kind: "rotate"; by: number; key: string; name: string; overlapHours: number }
  | { kind: "limit"; by: number; key: string; limits: Limits }
  | { kind: "revoke"; by: number; key: string }
  | { kind: "list keys"; by: number }
  | { kind: "invite"; by: number; member: number; role: Role }
  | { kind: "accept"; by: number }
  | { kind: "change role"; by: number; member: number; role: Role }
  | { kind: "remove"; by: number; member: number }
  | { kind: "set tier"; tier: Tier }
  | { kind: "cancel" }
  | { kind: "end period"; hours: number }
);

/** Number of the person who is a member of the first account from the beginning, and has none that the model knows. */
export const guest = 2;

/** Model of new accounts, each the own one of the person with its number. */
export function newModel(accounts: number): Model {
  return {
    hours: 0,
    moves: {},
    accounts: Array.from({ length: accounts }, (_, number) => ({
      tier: "model-some",
      isCanceled: false,
      periodEnd: null,
      usedToday: 0,
      usedByKey: {},
      keys: [],
      members: { [number]: "owner", ...(number === 0 ? { [guest]: "member" as const } : {}) },
      invitations: {},
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
  if ("by" in operation && operation.kind !== "accept" && account.members[operation.by] === undefined) return "404";

  switch (operation.kind) {
    case "ask": {
      const key = find(operation.key);
      const [status, answer] = admit(account, key, isValid(key), isLater(account.periodEnd));
      // A caller who is not known has no usage.
      if (status !== 401) account.answers[status] = (account.answers[status] ?? 0) + 1;
      return answer;
    }
    case "create key": {
      const { name, hours, quota, idempotencyKey } = operation;
      const body = `${name} ${hours} ${quota}`;
      if (idempotencyKey !== undefined && idempotencyKey in account.written) {
        return account.written[idempotencyKey] === body ? `201 ${name}` : "409";
      }
      if (active >= mostKeys) return "409";
      const expiresAt = hours === null ? null : model.hours + hours;
      account.keys.push({
        name,
        isRevoked: false,
        replacements: [],
        expiresAt,
        quota,
        root: name,
        isForFunders: false,
      });
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
      account.keys.push({ ...old, name: operation.name, replacements: [], expiresAt });
      old.replacements.push(operation.name);
      const end = model.hours + operation.overlapHours;
      old.expiresAt = expiresAt === null ? end : Math.min(expiresAt, end);
      return "201";
    }
    case "limit": {
      const key = find(operation.key);
      if (!isValid(key)) return "409";
      Object.assign(key, operation.limits);
      return "200";
    }
    case "revoke":
      find(operation.key).isRevoked = true;
      return "200";
    case "list keys":
      return "200";
    case "invite":
    case "accept":
    case "change role":
    case "remove":
      return changeMembers(model, account, operation);
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

/** An operation on the members of an account, by one of them or by somebody who is invited. */
function changeMembers(
  model: Model,
  { members, invitations }: ModelAccount,
  operation: Extract<Operation, { kind: "invite" | "accept" | "change role" | "remove" }>,
): string {
  const { by } = operation;
  if (operation.kind === "accept") {
    const invitation = invitations[addressOf(model, by)];
    if (invitation === undefined) return "404";
    // Invited by an earlier address, they may be in it already.
    if (members[by] !== undefined) return "409";
    delete invitations[addressOf(model, by)];
    members[by] = invitation.role;
    return "200";
  }
  const { member } = operation;
  const isLeaving = operation.kind === "remove" && member === by;
  if (members[by] !== "owner" && !isLeaving) return "403";
  if (operation.kind === "invite") {
    const address = addressOf(model, member);
    if (members[member] !== undefined || invitations[address] !== undefined) return "409";
    invitations[address] = { role: operation.role, invitedBy: by };
    return "201";
  }
  if (members[member] === undefined) return "404";
  const isOtherOwner = Object.entries(members).some(([other, role]) => Number(other) !== member && role === "owner");
  const endsOwner = members[member] === "owner" && !(operation.kind === "change role" && operation.role === "owner");
  if (endsOwner && !isOtherOwner) return "409";
  if (endsOwner) {
    for (const [address, { invitedBy }] of Object.entries(invitations)) {
      if (invitedBy === member) delete invitations[address];
    }
  }
  if (operation.kind === "remove") delete members[member];
  else members[member] = operation.role;
  return "200";
}

/**
 * Answers a request for grants, and counts it where it is served.
 *
 * @returns its status, and the answer with what remains of the quota of which less is left.
 */
function admit(account: ModelAccount, key: ModelKey, isKeyValid: boolean, isInPeriod: boolean): [number, string] {
  if (!isKeyValid) return [401, "401"];
  const quota = tiers[account.tier];
  if (quota === undefined || account.isCanceled || !isInPeriod || key.isForFunders) return [403, "403"];
  const usedByKey = account.usedByKey[key.root] ?? 0;
  if (key.quota !== null && usedByKey >= key.quota) return [429, "429"];
  if (quota >= 0 && account.usedToday >= quota) return [429, "429"];
  const remaining: number[] = [];
  if (key.quota !== null) {
    account.usedByKey[key.root] = usedByKey + 1;
    remaining.push(key.quota - usedByKey - 1);
  }
  if (quota >= 0) {
    account.usedToday += 1;
    remaining.push(quota - account.usedToday);
  }
  return [200, `200 ${remaining.length === 0 ? -1 : Math.min(...remaining)}`];
}

/** Lets hours pass. */
export function wait(model: Model, hours: number): void {
  model.hours += hours;
}

/** Lets midnight pass, which hours alone do not. */
export function passMidnight(model: Model): void {
  for (const account of model.accounts) Object.assign(account, { usedToday: 0, usedByKey: {} });
}

/** Facts that `GET /account-api/keys` shows of a key: its status, its limits and, while it is active, the hours that are left. */
export function shown(model: Model, { isRevoked, expiresAt, quota, isForFunders }: ModelKey): string {
  const limits = `, quota ${quota}, ${isForFunders ? "funders" : "all"}`;
  if (isRevoked) return `revoked${limits}`;
  if (expiresAt === null) return `active${limits}`;
  return (expiresAt > model.hours ? `active for ${expiresAt - model.hours} h` : "expired") + limits;
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
