import * as z from "zod";
import { problemTypes } from "../http/problems.ts";

export const fieldError = z
  .object({
    parameter: z.string().meta({ description: "The parameter or field, as the client wrote it.", examples: ["limit"] }),
    message: z.string().meta({ description: "What was expected.", examples: ["must be an integer from 1 to 100"] }),
  })
  .meta({ description: "One wrong parameter or field." });

/** An RFC 9457 problem document. */
export const problemDocument = z
  .object({
    type: z.enum(problemTypes).meta({ description: "What went wrong: the name to switch on." }),
    title: z.string().meta({ description: "The type in words." }),
    status: z.int().min(400).max(599).meta({ description: "The response's status." }),
    detail: z.string().meta({ description: "What happened and what to do about it, for this request." }),
    instance: z.string().meta({ description: "The path of the request." }),
    request_id: z.string().meta({ description: "The response's `X-Request-Id`, for support." }),
    errors: z.array(fieldError).optional().meta({ description: "Every wrong parameter or field, where some are." }),
  })
  .meta({ description: "Why a request failed (RFC 9457)." });

/** One wrong field: its name as the client wrote it, and what was expected. */
export type FieldError = z.infer<typeof fieldError>;
export type ProblemDocument = z.infer<typeof problemDocument>;
