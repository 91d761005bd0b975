import * as z from "zod";
import { instant } from "../../validation/fields.ts";

/** Position in a log of the account. */
export interface LogPage {
  at: string;
  id: string;
}

const pageBy = (isId: (id: string) => boolean) =>
  z
    .string()
    .min(1)
    .transform((text, context): LogPage => {
      const [at = "", id = "", ...rest] = text.split("_");
      if (rest.length > 0 || !instant().safeParse(at).success || !isId(id)) {
        context.addIssue({ code: "custom", message: "must be what an answer had in next" });
      }
      return { at, id };
    });

/** The query parameter `page`: the `next` of an answer, which is a position. */
export const logPage = pageBy((id) => /^\d{1,18}$/.test(id));

/** The same of a list whose ids are UUIDs. */
export const listPage = pageBy((id) => z.guid().safeParse(id).success);

/** The `next` of an answer. */
export function nextOf(position: LogPage | null): string | null {
  return position === null ? null : `${position.at}_${position.id}`;
}
