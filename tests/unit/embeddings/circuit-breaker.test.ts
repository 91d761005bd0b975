import { beforeEach, expect, test } from "vitest";
import { CircuitBreaker } from "../../../shared/embeddings/circuit-breaker.ts";

let now: number;
let circuit: CircuitBreaker;
beforeEach(() => {
  now = 1_000_000;
  circuit = new CircuitBreaker({ failures: 3, openMs: 15_000, longestOpenMs: 60_000 }, () => now);
});

function fail(times: number): void {
  for (let time = 0; time < times; time++) circuit.failed();
}

test("opens after three failures in a row, not two, and not three with a success among them", () => {
  fail(2);
  expect(circuit.admits()).toBe(true);
  circuit.succeeded();
  fail(2);
  expect(circuit.admits()).toBe(true);
  fail(1);
  expect(circuit.admits()).toBe(false);
});

test("lets one try when the time is over, and the rest when that went well", () => {
  fail(3);
  now += 14_999;
  expect(circuit.admits()).toBe(false);
  now += 1;
  expect([circuit.admits(), circuit.admits()]).toEqual([true, false]);
  circuit.succeeded();
  expect([circuit.admits(), circuit.admits()]).toEqual([true, true]);
});

test("stays open when the try failed", () => {
  fail(3);
  now += 15_000;
  expect(circuit.admits()).toBe(true);
  circuit.failed();
  now += 14_999;
  expect(circuit.admits()).toBe(false);
});

test("lets another try when the first was never heard of again", () => {
  fail(3);
  now += 15_000;
  expect(circuit.admits()).toBe(true);
  now += 15_000;
  expect(circuit.admits()).toBe(true);
});

test("opens at once for a provider that asks to be left alone, for as long as it asks, within reason", () => {
  circuit.failed(30_000);
  now += 29_999;
  expect(circuit.admits()).toBe(false);
  now += 1;
  expect(circuit.admits()).toBe(true);
  circuit.failed(86_400_000);
  now += 60_000;
  expect(circuit.admits()).toBe(true);
});
