import type { Log } from "../../shared/log/log.ts";
import type { RunEntry } from "../documents/daily.mjs";

/** Message of the launcher with what came of a command that brings documents. */
export interface DocumentsMessage {
  documents: RunEntry;
}

/** Whether a message of the launcher is about documents. */
export function isDocumentsMessage(message: unknown): message is DocumentsMessage {
  return typeof message === "object" && message !== null && "documents" in message;
}

/** Logs what the launcher tells of documents: it starts the commands, which this process may not. */
export function logDocuments(log: Log): void {
  process.on("message", (message) => {
    if (!isDocumentsMessage(message)) return;
    const { level, command, message: text } = message.documents;
    log.write(level, { function: "documents", command, message: text });
  });
}
