import { expect, test } from "vitest";
import {
  invalidParameters,
  maximumErrors,
  type ProblemName,
  problemBody,
  problemDocument,
  problemNames,
  problemStatus,
  problemTitle,
  problemType,
} from "../../../shared/http/problems.ts";

/** Statuses that clients rely on. */
const statuses: Record<ProblemName, number> = {
  "invalid-parameters": 400,
  "invalid-body": 400,
  "invalid-signature": 400,
  unauthorized: 401,
  "not-signed-in": 401,
  forbidden: 403,
  "outside-key-limits": 403,
  "not-included": 403,
  "email-not-confirmed": 403,
  "role-required": 403,
  "not-found": 404,
  "unknown-route": 404,
  "method-not-allowed": 405,
  conflict: 409,
  "body-too-large": 413,
  "unsupported-media-type": 415,
  "quota-exceeded": 429,
  "write-limit-exceeded": 429,
  "server-error": 500,
  unavailable: 503,
};

test.each(Object.entries(statuses) as [ProblemName, number][])("%s has the status %i", (name, status) => {
  expect(problemStatus(name)).toBe(status);
  const document = problemBody({ name, detail: "why" }, "/grants-api", "request-1");
  expect(document).toEqual({
    type: `urn:funding-opportunities:problem:${name}`,
    title: problemTitle(name),
    status,
    detail: "why",
    instance: "/grants-api",
    request_id: "request-1",
  });
  expect(problemDocument.parse(document)).toEqual(document);
});

test("every problem has a type and a title of its own", () => {
  expect(problemNames.sort()).toEqual(Object.keys(statuses).sort());
  expect(new Set(problemNames.map(problemType)).size).toBe(problemNames.length);
  expect(new Set(problemNames.map(problemTitle)).size).toBe(problemNames.length);
});

test("the document of invalid fields has all of them, the first in its detail", () => {
  const field = (parameter: string) => ({ parameter, message: "must be text" });
  expect(invalidParameters([field("a")]).detail).toBe("a must be text");
  expect(invalidParameters([field("a"), field("b"), field("c")]).detail).toBe("a must be text (and 2 more)");
  expect(invalidParameters([]).detail).toBe("The request is not valid.");
  const problem = invalidParameters([field("a"), field("b")]);
  expect(problemBody(problem, "/", "1")).toMatchObject({ status: 400, errors: [field("a"), field("b")] });
});

test("of thousands of errors it has fifty", () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({ parameter: `p${index}`, message: "is wrong" }));
  const { errors, detail } = invalidParameters(many);
  expect(maximumErrors).toBe(50);
  expect(errors).toEqual(many.slice(0, 50));
  expect(detail).toBe("p0 is wrong (and 49 more)");
});
