import fc from "fast-check";
import { expect, test } from "vitest";
import { BackendReader, type FrontendMessage, FrontendReader } from "../../../local/embedded/postgres-protocol.ts";
import { wireMessage } from "../../support/postgres-wire.ts";

/** Cuts bytes at any places. */
const cutAt = (bytes: Buffer, places: number[]) => {
  const sorted = [0, ...places.map((index) => index % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
};
const cuts = fc.array(fc.nat(), { maxLength: 40 });
const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // The end of an answer, in the middle of one.
  fc.constant(Buffer.concat([wireMessage("D", "x"), wireMessage("Z", "I")])),
);

test("a client's messages are the same however they are cut", () => {
  const message = fc.tuple(fc.constantFrom(..."QPBFd"), body).map(([type, bytes]) => wireMessage(type, bytes));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), cuts, (messages, places) => {
      const reader = new FrontendReader();
      const seen: FrontendMessage[] = [];
      for (const piece of cutAt(Buffer.concat(messages), places)) seen.push(...reader.push(piece));
      expect(seen.map((each) => (each.kind === "message" ? each.bytes : undefined))).toEqual(messages);
    }),
  );
});

test("the session's state is that of ReadyForQuery alone, however an answer is cut and whatever its rows hold", () => {
  const row = fc.tuple(fc.constantFrom(..."DdCTNEA"), body).map(([type, bytes]) => wireMessage(type, bytes));
  const answer = fc.tuple(fc.array(row, { maxLength: 10 }), fc.constantFrom("I", "T", "E", undefined));
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 5 }), cuts, (answers, places) => {
      const bytes = Buffer.concat(
        answers.flatMap(([rows, status]) => [...rows, ...(status === undefined ? [] : [wireMessage("Z", status)])]),
      );
      const expected = answers.map(([, status]) => status).filter((status) => status !== undefined);
      const reader = new BackendReader();
      // A byte at a time shows every ReadyForQuery, other pieces the last of each.
      const all = [...bytes].map((byte) => reader.push(Uint8Array.of(byte))).filter((status) => status !== undefined);
      expect(all).toEqual(expected.map((status) => (status === "I" ? "idle" : "in-transaction")));
      expect(reader.unfinishedBytes).toBe(0);

      const inPieces = new BackendReader();
      const last = cutAt(bytes, places)
        .map((piece) => inPieces.push(piece))
        .filter((status) => status !== undefined)
        .at(-1);
      expect(last).toBe(all.at(-1));
    }),
  );
});

test.each([
  ["no such type", wireMessage("z", "")],
  ["a password out of turn", wireMessage("p", "secret\0")],
  ["a length below its own", Buffer.from([0x51, 0, 0, 0, 3])],
  ["a negative length", Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff])],
  ["a Sync of 20,000 bytes", wireMessage("S", Buffer.alloc(20_000))],
  ["a statement of a gigabyte", Buffer.from([0x51, 0x40, 0, 0, 0])],
])("%s is refused, after what came before it", (_name, bytes) => {
  const reader = new FrontendReader();
  const kinds = reader.push(Buffer.concat([wireMessage("S"), bytes, wireMessage("S")]));
  expect(kinds.map(({ kind }) => kind)).toEqual(["message", "invalid"]);
  expect(reader.push(wireMessage("S"))).toEqual([]);
});
