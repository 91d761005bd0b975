/**
 * Adds `transferToFixedLength` to buffers in Node 20, whose V8 lacks it: pdf.js needs it to load fonts. Documents are read under Deno,
 * which has it; the tests of the readers run in Vitest's own process.
 */
if (!("transferToFixedLength" in ArrayBuffer.prototype)) {
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer) {
      return structuredClone(this, { transfer: [this] });
    },
  });
}
