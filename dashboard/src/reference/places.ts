import { slugOf } from "./guide-links.ts";
import { guides, tools } from "./guides.generated.ts";
import { answerHeaders, requestHeaders } from "./headers.ts";
import type { Schema } from "./openapi.ts";
import { groups, type Operation } from "./operations.ts";
import { problems } from "./problems.ts";
import { fieldsOf, plain } from "./schema.ts";
import { topics } from "./topics.ts";

/** A place in the reference that can be searched for. */
export interface Place {
  name: string;
  /** What it is: "error 429", "parameter of List grants". */
  kind: string;
  /** Path with the anchor. */
  href: string;
  /** More text that words are looked for in. */
  text: string;
}

/** Depth to which fields of answers are searched: a schema may contain itself. */
const maximumDepth = 3;

/** All places, and of those that are equally good the ones to show first. */
export function allPlaces(): Place[] {
  const operations = groups.flatMap((group) => group.operations);
  return [
    ...topics.map(({ id, title }) => ({
      name: title,
      kind: "page",
      href: `/reference/${id}`,
      text: id === "mcp" ? "/mcp" : "",
    })),
    ...problems.map(({ name, status, title, type }) => {
      return { name, kind: `error ${status}`, href: `/reference/errors#${name}`, text: `${title} ${type}` };
    }),
    ...[...answerHeaders, ...requestHeaders].map(({ id, name, described }) => {
      const kind = id === name ? "header of answers" : "header of requests";
      return { name, kind, href: `/reference/headers#${id}`, text: described.description ?? "" };
    }),
    ...operations.map(({ id, method, path, summary, description = "" }) => {
      const isEvent = method === "EVENT";
      const name = isEvent ? path : summary.replace(/\.$/, "");
      const kind = isEvent ? "event" : `${method} ${path}`;
      return { name, kind, href: `/reference/${id}`, text: `${id} ${summary} ${description}` };
    }),
    ...tools.map(({ name, title, description }) => {
      return { name, kind: "tool of /mcp", href: `/reference/mcp#${name}`, text: `${title} ${description}` };
    }),
    ...operations.flatMap(requestPlaces),
    ...answerPlaces(operations),
    ...guides.flatMap(({ name, title, summary, headings }) => {
      const href = `/reference/guide-${name}`;
      return [
        { name: title, kind: "guide", href, text: summary },
        ...headings.map((heading) => ({
          name: heading,
          kind: `guide: ${title}`,
          href: `${href}#${slugOf(heading)}`,
          text: "",
        })),
      ];
    }),
  ];
}

/** Parameters and fields of the body. */
function requestPlaces({ id, summary, parameters, body, method }: Operation): Place[] {
  const of = summary.replace(/\.$/, "");
  const fields = body === undefined ? [] : fieldPlaces(body.media.schema, "body", 1);
  return [
    ...parameters
      .filter((parameter) => parameter.in !== "header")
      .map(({ name, description = "" }) => {
        return { name, kind: `parameter of ${of}`, href: `/reference/${id}#${name}`, text: description };
      }),
    ...fields.map(({ name, anchor, text }) => {
      const part = method === "EVENT" ? "payload" : "body";
      return { name, kind: `field of the ${part}: ${of}`, href: `/reference/${id}#${anchor}`, text };
    }),
  ];
}

/** Fields of answers. Those of a schema with a name are one place each, at the first operation that answers it. */
function answerPlaces(operations: readonly Operation[]): Place[] {
  const found = new Map<string, Place>();
  for (const { id, summary, answers } of operations) {
    const schema = answers.find(({ status }) => status.startsWith("2"))?.content?.["application/json"]?.schema;
    for (const { name, anchor, text, owner } of schema === undefined
      ? []
      : fieldPlaces(schema, "answer", maximumDepth)) {
      const of = owner ?? summary.replace(/\.$/, "");
      const key = `${of} ${name}`;
      if (!found.has(key)) found.set(key, { name, kind: `field of ${of}`, href: `/reference/${id}#${anchor}`, text });
    }
  }
  return [...found.values()];
}

interface FieldPlace {
  name: string;
  anchor: string;
  text: string;
  /** Name of the schema that the field is of. */
  owner: string | undefined;
}

function fieldPlaces(schema: Schema, prefix: string, depth: number): FieldPlace[] {
  const whole = fieldsOf(plain(schema));
  const first = whole?.choices.find((choice) => fieldsOf(choice) !== undefined);
  const owner = whole?.properties === undefined && first !== undefined ? fieldsOf(first) : whole;
  return Object.entries(owner?.properties ?? {}).flatMap(([name, each]) => {
    const anchor = `${prefix}.${name}`;
    const text = each.description ?? plain(each).description ?? "";
    const inner = depth > 1 ? fieldPlaces(each, anchor, depth - 1) : [];
    return [{ name, anchor, text, owner: owner?.name }, ...inner];
  });
}
