import * as z from "zod";
import { fieldError } from "../../http/problems.ts";
import { instant, integer, maximumPageSize, oneOf } from "../../validation/fields.ts";
import { id, moment } from "../fields.ts";
import { logPage } from "./log-page.ts";

/** Status classes that the log is filtered by. */
export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

/** A request of the log. */
export const loggedRequest = z
  .strictObject({
    request_id: z.string().meta({ description: "The response's `X-Request-Id`." }),
    at: moment("When it was answered."),
    key: z
      .strictObject({ id: id("The key's id."), name: z.string().meta({ description: "The key's name." }) })
      .meta({ description: "The key that it was sent with, which may be revoked since." }),
    method: z.string().meta({ examples: ["GET"] }),
    endpoint: z
      .string()
      .meta({ description: "Function and route, as in the account's usage.", examples: ["grants-api/{id}"] }),
    status: z.int().min(200).max(599).meta({ description: "The response's status." }),
    duration_ms: z.number().min(0).meta({ description: "Milliseconds until the answer began." }),
    problem: z
      .strictObject({
        name: z.string().meta({ description: "Last part of the problem's `type`.", examples: ["invalid-parameters"] }),
        detail: z.string().meta({ description: "The sentence that the response had, at most 500 characters." }),
        errors: z.array(fieldError).meta({
          description: "The wrong parameters or fields, the first ten. Names that the API does not have are `…`.",
        }),
      })
      .nullable()
      .meta({ description: "Why it was refused or failed; null for an answer." }),
    head: z.record(z.string(), z.string()).meta({
      description:
        "The answer's headers that differ between answers: `Content-Type`, `Content-Length`, `ETag`, `Retry-After`, `X-RateLimit-...`, `Server-Timing`.",
      examples: [{ "Content-Type": "application/json; charset=utf-8", "X-RateLimit-Remaining": "998" }],
    }),
    parameters: z.record(z.string(), z.string()).meta({
      description:
        "Parameters by name, as they were sent, each at most 500 characters. Of a body that was refused, none.",
    }),
    withheld: z.record(z.string(), z.int().min(0)).meta({
      description:
        "Searches that are not kept, by their parameter: the number of characters. Empty where the account keeps them (`keeps_search_text`).",
    }),
  })
  .meta({ description: "A request of the account." });
export type LoggedRequest = z.infer<typeof loggedRequest>;

/** Answer of `GET /account-api/requests`. */
export const loggedRequests = z
  .strictObject({
    requests: z.array(loggedRequest),
    next: z.string().nullable().meta({ description: "The `page` of the next request; null at the end." }),
  })
  .meta({ description: "Requests of the account, newest first." });

/** The id in a path. */
export const requestId = z.string().regex(/^[\w.:-]{1,128}$/, { error: "must be the X-Request-Id of an answer" });

/** Query parameters of `GET /account-api/requests`. */
export const requestListParameters = z.strictObject({
  request_id: requestId.optional().meta({ description: "Only those with this `X-Request-Id`." }),
  status: oneOf(statusClasses).optional().meta({ description: "Only those answered with this class of statuses." }),
  endpoint: z
    .string()
    .regex(/^[\w{}/-]{1,100}$/, { error: "must be a function and route, such as grants-api/{id}" })
    .optional()
    .meta({ description: "Only those of this function and route, as in the answers." }),
  key_id: z.guid({ error: "must be a UUID" }).optional().meta({ description: "Only those sent with this key." }),
  since: instant().optional().meta({ description: "Only those answered at this moment or later." }),
  until: instant().optional().meta({ description: "Only those answered before this moment." }),
  limit: integer(1, maximumPageSize).default(50).meta({ description: "Maximum number of requests in the answer." }),
  page: logPage.optional().meta({ description: "The `next` of the answer before." }),
});
