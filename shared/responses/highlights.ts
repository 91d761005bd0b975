import * as z from "zod";

const place = z.int().min(0);

/** What to mark in a text. @param field the text's name. */
export function markedRanges(field: string) {
  return z.array(z.object({ start: place, end: place })).meta({
    description: `What to mark in \`${field}\`, in its order: from \`start\` to before \`end\`, in UTF-16 code units, as JavaScript, Java and C# count.`,
  });
}

export const highlightOfField = z
  .object({
    text: z.string().meta({ description: "The passage, of at most 240 UTF-16 code units." }),
    offset: place.meta({ description: "Where the passage begins in the field, in UTF-16 code units." }),
    ranges: markedRanges("text"),
  })
  .meta({ description: "The best passage of a field." });

export const highlights = z
  .object({
    title: highlightOfField.optional(),
    name: highlightOfField.optional(),
    description: highlightOfField.optional(),
    summary: highlightOfField.optional(),
    identifier: highlightOfField.optional(),
  })
  .meta({
    description:
      "Where the result has what was searched for, by field. `description` and `summary` are there with nothing to mark, too; `identifier` is a number of the record that was searched for. Only with `highlight=true`.",
  });

export type Highlight = z.infer<typeof highlightOfField>;
export type Highlights = z.infer<typeof highlights>;
