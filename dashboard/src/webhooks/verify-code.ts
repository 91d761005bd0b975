export const verifyLanguages = [
  { value: "typescript", name: "TypeScript" },
  { value: "python", name: "Python" },
] as const;
export type VerifyLanguage = (typeof verifyLanguages)[number]["value"];

/** Code that verifies a delivery with the clients of packages/. The secret is in an environment variable. */
export const verifyCode: Readonly<Record<VerifyLanguage, string>> = {
  typescript: `import { verifyWebhook, WebhookVerificationError } from "funding-opportunities-client/webhooks";

export async function receive(request: Request): Promise<Response> {
  const secret = process.env.FUNDING_WEBHOOK_SECRET ?? "";
  try {
    const body = await request.text();
    const event = await verifyWebhook({ body, headers: request.headers, secret });
    if (!event.test) console.log(event.event, event.data);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}`,
  python: `import os

from funding_opportunities import WebhookVerificationError, verify_webhook


def receive(body, headers):
    """Takes the raw body and the headers, and returns the status of the answer."""
    try:
        event = verify_webhook(body, headers, os.environ["FUNDING_WEBHOOK_SECRET"])
    except WebhookVerificationError:
        return 400
    if not event.get("test"):
        print(event["event"], event["data"])
    return 204`,
};
