import * as z from "zod";
import { fieldChange } from "../shared/responses/changes.ts";
import { id, moment } from "../shared/responses/fields.ts";
import { contract, funder, grant } from "../shared/responses/records.ts";
import { type EventName, eventNames } from "../shared/webhooks/events.ts";
import { samples } from "../shared/webhooks/samples.ts";
import { name, referenceTo } from "./json-schema.ts";

const descriptions: Record<EventName, string> = {
  "grant.created": "A grant was added.",
  "grant.updated": "A grant was changed.",
  "grant.deadline_approaching": "A grant's deadline is near: by default, seven days away.",
  "grant.documents_changed": "What a grant's documents say has changed: one came, was read anew, or went.",
  "contract.created": "A contract was added.",
  "contract.updated": "A contract was changed.",
  "contract.deadline_approaching": "A contract's deadline is near: by default, seven days away.",
  "contract.documents_changed": "What a contract's documents say has changed: one came, was read anew, or went.",
  "funder.created": "A funder was added.",
  "funder.updated": "A funder was changed.",
};

const records = { grant, contract, funder };

/** Headers of a delivery. */
const headers = [
  {
    name: "X-Service-Signature",
    description:
      "`sha256=` and the lower-case hexadecimal HMAC-SHA256 of the raw body, keyed with the endpoint's secret. The operator may have given this header another name.",
    schema: { type: "string", pattern: "^sha256=[0-9a-f]{64}$" },
  },
  { name: "webhook-id", description: "The event's id (Standard Webhooks).", schema: { type: "string" } },
  {
    name: "webhook-timestamp",
    description: "When this attempt was sent, in Unix seconds (Standard Webhooks).",
    schema: { type: "integer" },
  },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the bytes of the secret; during a rotation one for each secret, with a space between (Standard Webhooks).",
    schema: { type: "string", examples: ["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="] },
  },
];

/** Webhooks of the document, by event. */
export const webhooks = Object.fromEntries(
  eventNames.map((event) => {
    const description = descriptions[event];
    const payload = name(schemaName(event), makePayload(event).meta({ description }));
    return [
      event,
      {
        post: {
          operationId: event.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
          tags: ["Webhooks"],
          summary: description,
          security: [],
          parameters: headers.map((header) => ({ ...header, in: "header", required: true })),
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: referenceTo(payload),
                examples: { delivery: { value: samples[event] } },
              },
            },
          },
          responses: {
            "2XX": {
              description:
                "Received. After any other answer, or none within 15 seconds, the event is sent again later.",
            },
            "410": { description: "The endpoint is no longer wanted, and is disabled at once." },
          },
        },
      },
    ];
  }),
);

/** Name of an event's schema: `GrantDeadlineApproachingEvent` for `grant.deadline_approaching`. */
function schemaName(event: string): string {
  return `${event.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

function makePayload(event: EventName) {
  const [kind] = event.split(".") as [keyof typeof records];
  return z.object({
    id: id("The same in every delivery of the event, and in the header `webhook-id`."),
    event: z.literal(event),
    created_at: moment("When it happened."),
    data: records[kind],
    ...(event.endsWith(".updated") && {
      changes: z.array(fieldChange).meta({
        description: "What changed, in the record or its details. Empty where it is nothing that the API shows.",
      }),
    }),
    test: z.boolean().optional().meta({
      description:
        "True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other events.",
    }),
  });
}
