import fc from "fast-check";

const separators = /[^\p{L}\p{N}]+/gu;

/** Ways in which people write a number that they copied, read or remember. */
export function spellingsOf(identifier: string): fc.Arbitrary<string> {
  const cased = fc.constantFrom(identifier, identifier.toLowerCase(), identifier.toUpperCase());
  const separated = fc.tuple(
    cased,
    fc.constantFrom(undefined, "", " ", "-", "_", "/", " - ", "\u2011", "\u2013", "\u00a0"),
  );
  return fc.tuple(separated, fc.constantFrom(...surroundings)).map(([[text, separator], surround]) => {
    // The dot of an assistance listing tells it from other numbers, so who writes another mark writes another number.
    const isListing = /^\d{2}\.\w{3}$/.test(text);
    return surround(
      separator === undefined || (isListing && separator !== "") ? text : text.replaceAll(separators, separator),
    );
  });
}

const surroundings: ((text: string) => string)[] = [
  (text) => text,
  (text) => `  ${text}\t`,
  (text) => `"${text}"`,
  (text) => `(${text})`,
  (text) => `${text}.`,
  (text) => `#${text}`,
  (text) => `${text} -zorbwarts`,
  (text) => `zorbwarts or ${text}`,
  (text) => `Solicitation No. ${text}`,
  (text) => `Opportunity Number: ${text}`,
  (text) => `CFDA ${text}`,
  (text) => `ein: ${text}`,
];

/** Numbers as publishers make them up: letters, digits and marks, at least one of them a digit. */
export const oddIdentifiers: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,6}$/), { minLength: 1, maxLength: 6 }),
    fc.array(fc.constantFrom("-", " ", ".", "/", "_", "\u2013", ":", "", " / "), { minLength: 6, maxLength: 6 }),
    fc.integer({ min: 0, max: 99_999 }),
  )
  .map(([parts, marks, serial]) => parts.map((part, index) => part + (marks[index] ?? "")).join("") + serial);
