/** Sender of a deployment's mails. */
export interface Sender {
  /** Empty where there is none. */
  name: string;
  address: string;
}

/**
 * Whether a text is one address and nothing else: no name, list, quotes, comment or control character. So it is the same
 * recipient to every program on the mail's way.
 */
export function isPlainAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text);
}

/** Reads a sender: `Name <address>`, or an address alone. */
export function readSender(text: string): Sender | undefined {
  const [, name = "", bracketed] = /^([^<>\p{C}]*)<([^<>]*)>$/u.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim();
  return isPlainAddress(address) ? { name: name.trim().replace(/^"(.*)"$/, "$1"), address } : undefined;
}
