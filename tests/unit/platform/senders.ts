import { createFetchTransport } from "../../../functions/dispatch/fetch-transport.ts";
import { createHttpMailer } from "../../../functions/dispatch/mail/http-mailer.ts";
import type { Transport } from "../../../functions/dispatch/transport.ts";
import { createNodeTransport } from "../../../local/embedded/node-transport.ts";

/** Ways of sending what must not be sent twice. Each returns what it says of the attempt. */
export const senders: Record<string, (url: URL, text: string) => Promise<string>> = {
  "a webhook over node:http": overTransport(createNodeTransport({ allowLoopback: true })),
  "a webhook over fetch": overTransport(createFetchTransport()),
  "a mail over fetch": async (url, text) => {
    const mailer = createHttpMailer({ url, token: undefined, sender: { name: "", address: "a@kelp.example" } });
    const [messageId, to] = ["<one@kelp.example>", "b@kelp.example"];
    const mail = { messageId, date: new Date(), to, subject: text, text: "", html: "", headers: {} };
    return (await mailer.send(mail, 5_000)).outcome;
  },
};

function overTransport(transport: Transport) {
  const headers = { "Content-Type": "application/json" };
  return (url: URL, body: string) =>
    transport.send({ url, headers, body, timeoutMs: 5_000 }).then(
      ({ status }) => String(status),
      (error: { fault: string }) => error.fault,
    );
}

// Under Deno, as a program: SENDER URL TEXT... prints each outcome.
if (process.argv[1]?.endsWith("senders.ts")) {
  const [name = "", url = "", ...texts] = process.argv.slice(2);
  for (const text of texts) console.log(await senders[name]?.(new URL(url), text));
}
