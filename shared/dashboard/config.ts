import * as z from "zod";

/** `/config.json`: settings that a deployment gives its dashboard. None is secret. */
export const dashboardConfig = z.strictObject({
  base_url: z.url().describe("Address of the API, up to and including `/functions/v1`."),
  supabase_url: z.url().describe("Address of the sign-in, for supabase-js."),
  supabase_key: z.string().min(1).describe("Publishable (or anon) key, for supabase-js."),
  sign_in: z
    .enum(["mail", "link"])
    .describe(
      "How people sign in: by a link that is mailed to them, or by a link that the server prints in its terminal.",
    ),
  reference_url: z
    .string()
    .min(1)
    .describe("API reference: `/reference`, the dashboard's own page, or the address of another."),
  changelog_url: z
    .string()
    .min(1)
    .nullable()
    .describe(
      "Changelog: `/changelog`, the dashboard's own page, or the address of another; null where there is none.",
    ),
  status_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Status page (`npm run status`), if anywhere: on another host than the service's."),
  status_history_url: z
    .string()
    .min(1)
    .optional()
    .describe("History of the server's own checks, if it keeps one: `/status.json`, which `npm start` has."),
  guide_url: z.url().optional().describe("Where the operator publishes docs/api.md, if anywhere."),
});
export type DashboardConfig = z.infer<typeof dashboardConfig>;
