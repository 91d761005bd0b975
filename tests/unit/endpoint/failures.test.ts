import { expect, test } from "vitest";
import { refusalFor } from "../../../shared/endpoint/failures.ts";

const refusal = (code: string) =>
  refusalFor({ code, message: "secret words of the database", details: null, hint: null }, new Date()).problem;

test.each([
  ["08006", "the connection broke"],
  ["40P01", "a deadlock"],
  ["53100", "the disk is full"],
  ["53200", "out of memory"],
  ["53300", "too many connections"],
  ["55P03", "a lock that was not to be had"],
  ["57P01", "the server is being shut down"],
  ["57P03", "the server is starting"],
  ["58030", "the disk cannot be read"],
])("%s, %s, passes: 503 with Retry-After", (code) => {
  const problem = refusal(code);
  expect(problem.name).toBe("unavailable");
  expect(problem.headers?.["Retry-After"]).toMatch(/^\d+$/);
  expect(problem.detail).not.toContain("secret");
});

test.each(["42883", "22P02", "XX000", "P0001"])("%s is a fault of ours: 500", (code) => {
  expect(refusal(code).name).toBe("server-error");
});
