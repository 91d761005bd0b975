import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf, readJson } from "./client.ts";
import { needs } from "./needs.ts";
import { openApiDocument } from "./openapi-document.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

interface QueryParameter {
  path: string;
  name: string;
  required?: boolean;
  /** Whether a list is written by repeating it alone: its values may have commas. */
  explode?: boolean;
  schema: {
    type?: string;
    enum?: unknown[];
    items?: { enum?: string[] };
    examples?: (string | string[])[];
    anyOf?: { type?: string }[];
  };
}

/** Every query parameter of every GET of the document. */
const parameters: QueryParameter[] = Object.entries(openApiDocument.paths).flatMap(([path, item]) => {
  const { parameters = [] } = ("get" in item ? item.get : {}) as {
    parameters?: Partial<QueryParameter & { in: string }>[];
  };
  return parameters.flatMap(({ in: place, name = "", required = false, schema = {}, explode = false }) =>
    place === "query" ? [{ path, name, required, schema, explode }] : [],
  );
});
const isList = ({ schema }: QueryParameter) =>
  schema.type === "array" || schema.anyOf?.some(({ type }) => type === "array") === true;
const ofData = (parameter: QueryParameter) => !parameter.path.startsWith("/account-api");

/** Id in the paths of what the target has none of, documents: their parameters are read first. */
const noRecord = "00000000-0000-4000-8000-000000000000";

let ids: Record<string, string>;
beforeAll(async () => {
  const names = ["grants-api", "contracts-api", "funders-api"] as const;
  const found = await Promise.all(
    names.map(async (name) => [name, idsOf((await client.list(name, { limit: 1 })).results)[0]]),
  );
  ids = Object.fromEntries(found);
});
const pathOf = (path: string) => path.replace("{id}", ids[path.split("/")[1] ?? ""] ?? noRecord);

/** What a path requires beside a parameter. */
const besides = ({ path, name }: QueryParameter) =>
  parameters
    .filter((one) => one.path === path && one.required === true && one.name !== name)
    .map((one) => `&${one.name}=${encodeURIComponent(String(one.schema.examples?.[0] ?? ""))}`)
    .join("");

describe("a parameter that is a list", () => {
  test.each(parameters.filter(isList).filter(ofData))(
    "$name of $path may be given several times, and of codes means what it means with commas",
    async (parameter) => {
      const { path, name, schema, explode } = parameter;
      const values = (schema.items?.enum ?? schema.examples?.flat() ?? []).slice(0, 3);
      expect(values.length).toBeGreaterThan(0);
      if (explode === true) {
        const count = async (query: string) => client.json(`${pathOf(path)}?count_only=true&${query}`);
        expect(await count(`${name}=a&${name}=b`)).toBeDefined();
        expect(await count(`${name}=${values[0]}&${name}=${values[0]}`)).toEqual(await count(`${name}=${values[0]}`));
        return;
      }
      // Of a single value, too: a client may send what it was given.
      const sent = values.length === 1 ? [...values, ...values] : values;
      const answer = async (query: string) => {
        const response = await target.send(`${pathOf(path)}?${query}${besides(parameter)}`);
        const { meta: _, ...rest } = (await readJson(response, 200, query)) as Record<string, unknown>;
        return rest;
      };
      const joined = await answer(`${name}=${sent.join(",")}`);
      expect(await answer(sent.map((value) => `${name}=${value}`).join("&"))).toEqual(joined);
      expect(await answer(`${name}=${sent[0]}&${name}=${sent.slice(1).join(",")}`)).toEqual(joined);
    },
  );

  test("finds the records of each of its values: states=OH&states=PA are both", async () => {
    const count = async (query: string) => client.json(`/grants-api?count_only=true&${query}`);
    expect(await count("states=OH&states=PA")).toEqual(await count("states=OH,PA"));
    expect(await count("states=OH&states=PA")).not.toEqual(await count("states=PA"));
  });

  test("is refused for the first wrong value, wherever it stands", async () => {
    for (const query of ["states=OH&states=XX", "states=XX&states=OH", "states=OH&states="]) {
      const problem = await client.refused(`/grants-api?${query}`, 400);
      expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(["states"]);
    }
  });

  test("keeps its repetitions in the link to the next page", async () => {
    const { headers } = await target.send("/grants-api?states=OH&states=PA&limit=1");
    const [, next = ""] = /<\/functions\/v1([^>]+)>; rel="next"/.exec(headers.get("link") ?? "") ?? [];
    const first = (await client.json("/grants-api?states=OH,PA&limit=2")) as { results: { id: string }[] };
    const second = (await client.json(next)) as { results: { id: string }[] };
    expect(idsOf(second.results)).toEqual(idsOf(first.results).slice(1));
  });
});

describe("a parameter of one value", () => {
  const scalars = parameters.filter((parameter) => !isList(parameter) && ofData(parameter));
  test.each(scalars)("$name of $path is refused twice, whether or not its values differ", async ({ path, name }) => {
    for (const query of [`${name}=1&${name}=2`, `${name}=1&${name}=1`]) {
      const { errors, detail } = (await (await target.send(`${pathOf(path)}?${query}`)).json()) as {
        errors: { parameter?: string; field?: string; message: string }[];
        detail?: string;
      };
      const twice = errors.filter((error) => (error.parameter ?? error.field) === name);
      expect(twice).toContainEqual(expect.objectContaining({ message: "must be given once" }));
      if (detail !== undefined) expect(detail).toContain(`${name} must be given once`);
    }
  });
});

describe("in the account API", () => {
  needs("signIn");
  const ofAccount = parameters.filter((parameter) => !ofData(parameter) && !parameter.path.includes("{"));

  test.each(ofAccount)("$name of $path: a list may be repeated, another parameter not", async (parameter) => {
    const { path, name, schema } = parameter;
    const token = await (await target.people()?.newPerson())?.token();
    const send = async (query: string) => {
      const response = await target.send(
        `${path}?${query}`,
        { headers: { authorization: `Bearer ${token}` } },
        "nobody",
      );
      return { status: response.status, body: (await response.json()) as { errors?: object[] } };
    };
    if (isList(parameter)) {
      const [value] = schema.items?.enum ?? [];
      expect((await send(`from=2026-11-01&to=2026-11-02&${name}=${value}&${name}=${value}`)).status).toBe(200);
      return;
    }
    const { status, body } = await send(`${name}=1&${name}=1`);
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ parameter: name, message: "must be given once" });
  });
});
