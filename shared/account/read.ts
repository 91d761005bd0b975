import * as z from "zod";
import type { PathParameters } from "../endpoint/find-route.ts";
import { fail, type Outcome, succeed } from "../http/problems.ts";
import { readJsonBody } from "../validation/body.ts";
import { invalidParameters, noParameters, readQuery } from "../validation/query.ts";

const uuid = z.guid();

/** The UUID that a path names, in the place of `{id}` unless another is said; in lower case, the form that ids are stored in. */
export function readId(parameters: PathParameters, name = "id"): Outcome<string> {
  const id = parameters[name] ?? "";
  if (uuid.safeParse(id).success) return succeed(id.toLowerCase());
  return fail(invalidParameters([{ parameter: name, message: "must be a UUID" }]));
}

/** The JSON body of a request without query parameters. */
export async function readAccountBody<Shape extends z.core.$ZodShape>(
  request: Request,
  schema: z.ZodObject<Shape>,
): Promise<Outcome<z.output<z.ZodObject<Shape>>>> {
  const query = readQuery(new URL(request.url).search, noParameters);
  return query.ok ? readJsonBody(request, { names: Object.keys(schema.shape), schema }) : query;
}

/** The id in a path, beside what else is read. */
export async function readWithId<Asked = undefined>(
  parameters: PathParameters,
  read?: () => Promise<Outcome<Asked>> | Outcome<Asked>,
): Promise<Outcome<{ id: string; asked: Asked }>> {
  const id = readId(parameters);
  if (!id.ok) return id;
  const asked = await (read === undefined ? succeed(undefined as Asked) : read());
  return asked.ok ? succeed({ id: id.value, asked: asked.value }) : asked;
}
