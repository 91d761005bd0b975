import type { Service } from "./service.ts";

/** A node of a plan, as EXPLAIN ANALYZE's JSON has it. Rows are of one loop. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
}

/** A statement that the database ran, and how. */
export interface PlannedStatement {
  text: string;
  plan: PlanNode;
}

/**
 * Asks the API for a path and tells how the database answered: every statement that it ran, those inside
 * functions too, with the plan it ran by. (auto_explain, told to the client rather than to the log.)
 */
export async function plansOf({ session, get, forgetLists }: Service, path: string): Promise<PlannedStatement[]> {
  const statements: PlannedStatement[] = [];
  const listen = ({ message = "" }: { message?: string | undefined }) => {
    const json = /^duration: [\d.]+ ms\s+plan:\n([\s\S]+)$/.exec(message)?.[1];
    if (json === undefined) return;
    const { "Query Text": text, Plan: plan } = JSON.parse(json) as { "Query Text": string; Plan: PlanNode };
    statements.push({ text, plan });
  };
  session.on("notice", listen);
  await session.query(`
    load 'auto_explain';
    set auto_explain.log_nested_statements = on;
    set auto_explain.log_analyze = on;
    set auto_explain.log_timing = off;
    set auto_explain.log_format = json;
    set auto_explain.log_level = notice;
    set auto_explain.log_min_duration = 0;
  `);
  forgetLists();
  try {
    await get(path);
  } finally {
    await session.query("set auto_explain.log_min_duration = -1");
    session.off("notice", listen);
  }
  return statements;
}

/**
 * Plans of a list request without bitmaps: of the statement that finds its page, and of the one that counts its total.
 */
export interface ListPlans {
  page: PlanNode;
  count: PlanNode;
}

/** @throws {Error} when the statements are not found, because a test of no plan would always pass. */
export async function listPlans(service: Service, path: string): Promise<ListPlans> {
  await service.session.query("truncate funding.pages");
  const statements = await withoutBitmaps(service, () => plansOf(service, path));
  const find = (pattern: RegExp) => {
    const [found, ...others] = statements.filter(({ text }) => pattern.test(text));
    if (found === undefined || others.length > 0) throw new Error(`${path}: not one statement like ${pattern}`);
    return found.plan;
  };
  return {
    page: find(/^\s*select array\([^;]* from funding\.\w+ as record\s/),
    count: find(/^\s*select count\(\*\) from funding\.\w+ as record where/),
  };
}

/** Does `work` while bitmaps tell no total and no page, as before the first fit. */
export async function withoutBitmaps<Result>({ session }: Service, work: () => Promise<Result>): Promise<Result> {
  await session.query("update funding.blocks set dataset = 'hidden ' || dataset");
  try {
    return await work();
  } finally {
    await session.query("update funding.blocks set dataset = replace(dataset, 'hidden ', '')");
  }
}

/** All nodes of a plan. */
export function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The names of the indexes, of a table's or of all, that a plan uses. */
export function indexesOf(plan: PlanNode, table = ""): string[] {
  return nodesOf(plan)
    .flatMap((node) => node["Index Name"] ?? [])
    .filter((name) => name.startsWith(table));
}

/** Tables that a plan reads from end to end. */
export function tablesScanned(plan: PlanNode): string[] {
  return nodesOf(plan).flatMap((node) => (node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : []));
}

/** Whether a plan puts rows in order itself, rather than to take them as an index has them. */
export function isSorting(plan: PlanNode): boolean {
  return nodesOf(plan).some((node) => node["Node Type"] === "Sort");
}

/** The number of a table's rows that a plan visited. */
export function rowsRead(plan: PlanNode, table: string): number {
  return nodesOf(plan)
    .filter((node) => node["Relation Name"] === table)
    .map((node) => {
      const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
      return (node["Actual Rows"] + removed) * node["Actual Loops"];
    })
    .reduce((sum, rows) => sum + rows, 0);
}
