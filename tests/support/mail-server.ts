import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** Answer that a mail server's step is to give, in place of taking the mail. */
export interface Refusal {
  step: "auth" | "sender" | "recipient" | "message";
  /** Status of the answer; `cut` ends the connection, `silence` says nothing. */
  answer: number | "cut" | "silence";
}

/** A mail server on this machine that keeps what it takes. */
export interface MailServer {
  /** `smtp://127.0.0.1:PORT` */
  url: string;
  /** Messages that came whole, whether they were taken or not. */
  messages: string[];
  envelopes: { from: string; to: string[] }[];
  logins: { user: string; password: string }[];
  refusal: Refusal | undefined;
  close(): Promise<void>;
}

export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: MailServer = {
    url: "",
    messages: [],
    envelopes: [],
    logins: [],
    refusal: undefined,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  type Done = (error?: Error | null) => void;
  const answer = (step: Refusal["step"], done: Done) => {
    const { refusal } = mails;
    if (refusal?.step !== step) return done();
    if (refusal.answer === "silence") return;
    if (refusal.answer !== "cut") return done(Object.assign(new Error("not now"), { responseCode: refusal.answer }));
    for (const connection of server.connections) connection._socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      const user = username ?? "";
      mails.logins.push({ user, password: password ?? "" });
      answer("auth", (error) => done(error ?? null, { user }));
    },
    onMailFrom: (_address, _session, done) => answer("sender", done),
    onRcptTo: (_address, _session, done) => answer("recipient", done),
    onData(stream, { envelope }, done) {
      void buffer(stream).then((message) => {
        mails.messages.push(message.toString());
        const from = envelope.mailFrom === false ? "" : (envelope.mailFrom?.address ?? "");
        mails.envelopes.push({ from, to: envelope.rcptTo.map(({ address }) => address) });
        answer("message", done);
      });
    },
    ...options,
  });
  // A connection that a test cuts is no fault of the server.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  mails.url = `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}`;
  return mails;
}
