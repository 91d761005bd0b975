import type { z } from "zod";
import { fail, invalidParameters, maximumErrors, type Outcome, succeed } from "../http/problems.ts";
import { fieldErrors, sanitizeName } from "./errors.ts";
import { nearest } from "./suggest.ts";

/** Largest request body, in bytes. */
export const maximumBodyBytes = 64 * 1024;
/** Item limit of a list in a body, checked before its items are parsed. Schemas allow fewer. */
const maximumItems = 100;

/**
 * Reads and parses a JSON request body strictly.
 *
 * @param names the fields of the schema. Others are refused.
 */
export async function readJsonBody<Schema extends z.ZodType>(
  request: Request,
  { names, schema }: { names: readonly string[]; schema: Schema },
): Promise<Outcome<z.output<Schema>>> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(contentType)) {
    return fail({ name: "unsupported-media-type", detail: "The Content-Type must be application/json, in UTF-8." });
  }
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    return fail({
      name: "unsupported-media-type",
      detail: "The body must not be compressed: leave out Content-Encoding.",
    });
  }
  const text = await readText(request, maximumBodyBytes);
  if (!text.ok) return text;

  let body: unknown;
  try {
    body = JSON.parse(text.value);
  } catch {
    return fail({ name: "invalid-body", detail: "The body is not valid JSON." });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return fail({ name: "invalid-body", detail: `The body must be a JSON object with ${names.join(", ")}.` });
  }
  const unknownNames = Object.keys(body).filter((name) => !names.includes(name));
  const unknown = unknownNames.slice(0, maximumErrors).map((name) => {
    const meant = nearest(name, names);
    return {
      parameter: sanitizeName(name),
      message: `is not a field of this body; ${meant === undefined ? `it takes ${names.join(", ")}` : `did you mean ${meant}?`}`,
    };
  });
  const known = Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
  const tooLong = Object.entries(known).filter(([, value]) => Array.isArray(value) && value.length > maximumItems);
  if (tooLong.length > 0) {
    const message = `must have at most ${maximumItems} items`;
    return fail(invalidParameters([...unknown, ...tooLong.map(([parameter]) => ({ parameter, message }))]));
  }
  const parsed = schema.safeParse(known);
  if (parsed.success && unknown.length === 0) return succeed(parsed.data);
  return fail(invalidParameters([...unknown, ...(parsed.success ? [] : fieldErrors(parsed.error, known))]));
}

/** Reads the body's text. It stops at the limit, whatever the Content-Length says. */
export async function readText(request: Request, maximumBytes: number): Promise<Outcome<string>> {
  const tooLarge = fail({
    name: "body-too-large",
    detail: `The body must be at most ${maximumBytes} bytes.`,
  });
  if (Number(request.headers.get("content-length") ?? 0) > maximumBytes) return tooLarge;

  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = request.body?.getReader();
  let text = "";
  let bytes = 0;
  try {
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      bytes += part.value.byteLength;
      if (bytes > maximumBytes) {
        // Not waited for: the sender may take any time with the rest.
        reader?.cancel().catch(() => undefined);
        return tooLarge;
      }
      text += decoder.decode(part.value, { stream: true });
    }
    return succeed(text + decoder.decode());
  } catch {
    return fail({ name: "invalid-body", detail: "The body could not be read as UTF-8 text." });
  }
}
