/** A number as WebAssembly writes it. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7) {
    if (left < 128) return [...bytes, left];
    bytes.push((left & 127) | 128);
  }
}
const text = (value: string) => [...leb(Buffer.byteLength(value)), ...Buffer.from(value)];
const section = (id: number, bytes: number[]) => [id, ...leb(bytes.length), ...bytes];
/** `i32.const`, signed, of a small number. */
const constant = (value: number) => [0x41, ...(value < 64 ? [value] : [(value & 127) | 128, value >> 7]), 0x0b];

/**
 * A shared library as Postgres' `load` takes it, compiled to WebAssembly, whose only content is a string of JavaScript in
 * the place where Emscripten keeps the bodies of functions. Its loader evaluates them.
 *
 * @param statement has at most 8,000 bytes.
 */
export function evaluatingModule(statement: string): Buffer {
  // The loader makes `() => { BODY };` of it.
  const body = Buffer.from(`}; ${statement}; if (false) {\0`);
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(0, [...text("dylink.0"), 1, ...leb(leb(body.length).length + 3), ...leb(body.length), 0, 0, 0]),
    ...section(2, [
      2,
      ...text("env"),
      ...text("memory"),
      2,
      0,
      1,
      ...text("env"),
      ...text("__memory_base"),
      3,
      0x7f,
      0,
    ]),
    ...section(6, [2, 0x7f, 0, ...constant(0), 0x7f, 0, ...constant(body.length)]),
    ...section(7, [2, ...text("__start_em_asm"), 3, 1, ...text("__stop_em_asm"), 3, 2]),
    ...section(11, [1, 0, 0x23, 0, 0x0b, ...leb(body.length), ...body]),
  ]);
}
