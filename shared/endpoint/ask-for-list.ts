import type { Admitted, ListBody, ListPage, ListRpc, RpcOutcome, UnchangedList } from "../database/rpc.ts";
import type { Cursor } from "../validation/cursor.ts";
import { askWithMeaning } from "./ask-with-meaning.ts";
import type { WrittenList } from "./recent-lists.ts";
import type { AskContext } from "./route.ts";

export interface ListParameters extends Record<string, unknown> {
  limit: number;
  offset: number;
  search_mode: string;
  search?: string | undefined;
  cursor?: Cursor | undefined;
  format?: "json" | "csv" | undefined;
}

/** A total alone, a page, or a CSV's first page and how to get the others. */
export type FoundList =
  | { counted: CountedList }
  | { page: WrittenList }
  | { first: ListPage; rest(cursor: Cursor, rows: number): Promise<ListBody> };

type CountedList = Exclude<ListBody, ListPage>;

/** Asks for a page, or for a total alone. The records of one that was asked for lately come only if they have changed. */
export async function askForPage(
  context: AskContext,
  list: ListRpc,
  parameters: ListParameters,
): Promise<RpcOutcome<Admitted<FoundList>>> {
  const request = `${list} ${JSON.stringify(parameters)}`;
  const known = context.lists.get(request);
  const outcome = await ask(context, list, parameters, known === undefined ? {} : { known_tag: known.tag });
  if (!outcome.ok) return outcome;
  const { admission, body } = outcome.value;
  const found = (): FoundList => {
    if ("results" in body) return { page: context.lists.remember(request, body) };
    if ("total" in body) return { counted: body };
    if (known === undefined) throw unasked();
    return { page: { ...known, ...body } };
  };
  return { ok: true, value: { admission, body: found() } };
}

/** Asks for the first of the pages that a CSV is made of, or for a total alone. */
export async function askForPages(
  context: AskContext,
  list: ListRpc,
  parameters: ListParameters,
): Promise<RpcOutcome<Admitted<FoundList>>> {
  const outcome = await ask(context, list, parameters);
  if (!outcome.ok) return outcome;
  const { admission, body: first } = outcome.value;
  if (!("total" in first)) throw unasked();
  if (!("results" in first)) return { ok: true, value: { admission, body: { counted: first } } };
  const query = meantBy(parameters);
  const rest = async (cursor: Cursor, limit: number): Promise<ListBody> => {
    const { sort_by, order } = cursor;
    const more = await context.database.call(list, {
      key_hash: context.keyHash,
      parameters: { ...parameters, limit, offset: 0, sort_by, order, cursor },
      // The first call admitted and counted the caller.
      query_vector: {
        model: null,
        vector: null,
        ...(query === undefined ? undefined : context.embeddings.remembered(query)),
        is_second_call: true,
      },
    });
    if (more.ok && "total" in more.value.body) return more.value.body;
    const reason = more.ok ? "the query's vector was forgotten" : `${more.failure.code} ${more.failure.message}`;
    context.warn(`a list broke off after its answer had begun: ${reason}`);
    throw new Error(reason);
  };
  return { ok: true, value: { admission, body: { first, rest } } };
}

function ask(context: AskContext, list: ListRpc, parameters: ListParameters, known: { known_tag?: string } = {}) {
  return askWithMeaning<ListBody | UnchangedList>(context, meantBy(parameters), (meaning) =>
    context.database.call(list, { key_hash: context.keyHash, parameters, ...meaning, ...known }),
  );
}

/** What is searched for by meaning, if anything is. */
function meantBy({ search_mode, search }: ListParameters): string | undefined {
  return search_mode === "keyword" ? undefined : search;
}

/** Only to a call that brought a tag may the database answer that the list is unchanged. */
function unasked(): Error {
  return new Error("the database says that a list which nobody knew is unchanged");
}
