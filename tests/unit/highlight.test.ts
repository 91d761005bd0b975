import fc from "fast-check";
import { expect, test } from "vitest";
import { createHighlighter, type Marks } from "../../shared/highlight/highlight.ts";

const nothing: Marks = { words: {}, phrases: [], near: {}, passages: {}, identifiers: {} };
const marksOf = (words: string[], more: Partial<Marks> = {}): Marks => ({
  ...nothing,
  words: Object.fromEntries(words.map((word) => [word, 1])),
  ...more,
});
const markedIn = (text: string, marks: Marks) => {
  const { highlights } = createHighlighter([marks])({ id: "1", description: text });
  const { text: passage = "", ranges = [] } = highlights.description ?? {};
  return ranges.map(({ start, end }) => passage.slice(start, end));
};

test.each([
  ["Waters, watering and watered waterways", ["water"], ["Waters", "watering", "watered"]],
  ["Peña's School for Niños", ["pena", "nino"], ["Peña", "Niños"]],
  ["The U.S. and us, in USA", ["us"], ["U.S.", "us"]],
  ["low-income low income", ["low", "incom"], ["low", "income", "low", "income"]],
  ["nothing here", ["water"], []],
])("in %j, %j marks %j", (text, stems, marked) => {
  expect(markedIn(text, marksOf(stems))).toEqual(marked);
});

test("a phrase is marked where its words follow each other, with as many between as it says", () => {
  const phrases = [
    [
      { stem: "clean", gap: 1 },
      { stem: "water", gap: 1 },
    ],
    [
      { stem: "state", gap: 1 },
      { stem: "art", gap: 3 },
    ],
  ];
  const text = "Water is clean. Clean water; state of the art, state art.";
  expect(markedIn(text, { ...nothing, phrases })).toEqual(["Clean", "water", "state", "art"]);
});

test("an identifier is marked however it is punctuated", () => {
  const marks = { ...nothing, identifiers: { 1: ["EPA-R4-2026"] } };
  const { highlights } = createHighlighter([marks])({ id: "1", title: "Notice epa r4/2026", description: "Other" });
  expect(highlights.title).toMatchObject({ ranges: [{ start: 7, end: 18 }] });
  expect(highlights.identifier).toEqual({ text: "EPA-R4-2026", offset: 0, ranges: [{ start: 0, end: 11 }] });
});

test("the passage is where most of the words are, whole words of the text, and no longer than 240", () => {
  const filler = "Lorem ipsum dolor sit amet. ".repeat(30);
  const text = `Water at first. ${filler}Clean water for rural schools is here. ${filler}`;
  const { highlights } = createHighlighter([marksOf(["clean", "water", "rural", "school"])])({
    id: "1",
    description: text,
  });
  expect(highlights.description?.text).toContain("Clean water for rural schools");
  expect(highlights.description?.ranges).toHaveLength(4);
});

test("whatever the text, the passage is of the text, the ranges are in order in it, and no character is cut", () => {
  const word = fc.constantFrom(
    "water",
    "Waters",
    "clean",
    "🌊",
    "naïve",
    "ß",
    ".",
    "\n",
    "x".repeat(300),
    "low-income",
    "İ",
  );
  const text = fc.array(word, { maxLength: 120 }).chain((words) => fc.constantFrom(words.join(" "), words.join("")));
  fc.assert(
    fc.property(text, (description) => {
      const { highlights } = createHighlighter([marksOf(["water", "clean"])])({ id: "1", description });
      const found = highlights.description;
      if (description === "") {
        expect(found).toBeUndefined();
        return;
      }
      if (found === undefined) throw new Error("there is no passage");
      expect(description.slice(found.offset, found.offset + found.text.length)).toBe(found.text);
      expect(found.text.length).toBeLessThanOrEqual(240);
      expect(found.text.isWellFormed()).toBe(true);
      let last = 0;
      for (const { start, end } of found.ranges) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(found.text.slice(start, end)).toMatch(/^(waters?|clean)$/i);
        last = end;
      }
    }),
  );
});

test("a text is shown at its nearest passage: at the words there, else at words elsewhere, else at its beginning", () => {
  const filler = "Lorem ipsum dolor sit amet. ".repeat(30);
  const text = `Water at first. \u{1f9ad} ${filler}Kelp for rural schools. ${filler}`;
  const start = [...text.slice(0, text.indexOf("Kelp"))].length;
  const shown = (words: string[]) => {
    const marks = marksOf(words, { passages: { 1: [start, start + 200] } });
    return createHighlighter([marks])({ id: "1", description: text }).highlights.description;
  };
  expect(shown(["water", "school"])?.text).toMatch(/^Kelp for rural schools/);
  expect(shown(["water"])?.text).toMatch(/^Water at first/);
  expect(shown([])).toMatchObject({ text: expect.stringMatching(/^Kelp for rural/), ranges: [] });
  expect(shown([])?.offset).toBe(text.indexOf("Kelp"));
});
