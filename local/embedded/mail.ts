import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mailer } from "../../functions/dispatch/mail/mailer.ts";
import { createMailPlatform, type MailPlatform } from "../../functions/dispatch/mail/platform.ts";
import { composeMessage, createSmtpMailer } from "../../functions/dispatch/mail/smtp-mailer.ts";
import type { Sender } from "../../shared/mail/sender.ts";

/** Mails at a time. */
const concurrency = 2;
/** Files that the folder keeps: the oldest go. */
const maximumFiles = 200;

/** Sender of the mails in the folder, where `MAIL_FROM` names no other. */
const folderSender: Sender = { name: "Funding Opportunities", address: "digests@example.org" };

/**
 * Mail platform of the embedded server: by SMTP or HTTP where that is set (`MAIL_...`), and otherwise into the folder `mail` of the data
 * folder, as one `.eml` file for each mail.
 *
 * @param folder the data folder.
 * @param origin of the server, which has the API and the dashboard.
 */
export function createEmbeddedMail(
  folder: string,
  origin: string,
  variable: (name: string) => string | undefined,
): MailPlatform {
  return createMailPlatform(variable, {
    concurrency,
    smtp: createSmtpMailer,
    fallback: { mailer: (sender) => createFolderMailer(join(folder, "mail"), sender), sender: folderSender },
    apiUrl: `${origin}/functions/v1`,
    dashboardUrl: origin,
  });
}

/** Creates a mailer that writes each mail into a folder, readable by its owner alone. Mail programs open the files. */
export function createFolderMailer(folder: string, sender: Sender): Mailer {
  return {
    async send(mail) {
      try {
        const message = await composeMessage(mail, sender);
        const name = `${mail.date.toISOString().replaceAll(":", "-")}-${crypto.randomUUID().slice(0, 8)}.eml`;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, name), message, { mode: 0o600, flag: "wx" });
        const files = readdirSync(folder)
          .filter((file) => file.endsWith(".eml"))
          .sort();
        for (const file of files.slice(0, -maximumFiles)) rmSync(join(folder, file), { force: true });
        return { outcome: "sent" };
      } catch (error) {
        return { outcome: "failed", message: (error as Error).message };
      }
    },
  };
}
