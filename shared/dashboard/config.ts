import * as z from "zod";

/** What `/config.json` tells the dashboard of the deployment that serves it. Nothing in it is secret. */
export const dashboardConfig = z.strictObject({
  base_url: z.url().describe("The API, up to and including `/functions/v1`."),
  supabase_url: z.url().describe("Where sign-in is: supabase-js is made with it."),
  supabase_key: z.string().min(1).describe("The publishable (or anon) key that supabase-js is made with."),
  sign_in: z
    .enum(["mail", "link"])
    .describe("How people sign in: by a link that is mailed to them, or by one that the server's terminal prints."),
  reference_url: z.string().min(1).describe("The API's reference: an address, or a path of this origin."),
  changelog_url: z.string().min(1).nullable().describe("The changelog likewise; null where there is none."),
});
export type DashboardConfig = z.infer<typeof dashboardConfig>;
