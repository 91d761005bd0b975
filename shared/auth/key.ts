import { sha256, toHex } from "../encoding.ts";

/**
 * API keys, the secret addresses of saved searches, and the tokens in mails that unsubscribe: a prefix, 32 random base62
 * characters, and 6 of checksum over all before them. The checksum lets a mistyped key be refused without asking the
 * database, and a secret scanner tell a real key from a look-alike.
 */
export type KeyPrefix = "fo_live_" | "fo_feed_" | "fo_mail_";
const apiKey = "fo_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const afterPrefix = new RegExp(`^[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Generates a key. It is shown once and then known only by its hash. */
export function generateKey(prefix: KeyPrefix = apiKey): string {
  let random = "";
  while (random.length < randomLength) {
    for (const byte of crypto.getRandomValues(new Uint8Array(randomLength))) {
      // 248 is the largest multiple of 62 in a byte: beyond it, some characters would be likelier.
      if (byte < 248 && random.length < randomLength) random += alphabet[byte % alphabet.length];
    }
  }
  return `${prefix}${random}${checksum(`${prefix}${random}`)}`;
}

/** Whether the text has the form and checksum of an issued key. */
export function isWellFormedKey(text: string, prefix: KeyPrefix = apiKey): boolean {
  if (!text.startsWith(prefix) || !afterPrefix.test(text.slice(prefix.length))) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** Returns the SHA-256 of a key in lower-case hexadecimal, which the database stores and looks up. */
export async function hashKey(key: string): Promise<string> {
  return toHex(await sha256(key));
}

/** Returns the part of a key that stays visible: its start and its last four characters. */
export function displayKey(key: string): string {
  return `${key.slice(0, apiKey.length + 4)}…${key.slice(-4)}`;
}

/** CRC-32 (IEEE 802.3) in base62, padded. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let encoded = "";
  for (let digit = 0; digit < checksumLength; digit++) {
    encoded = alphabet[value % alphabet.length] + encoded;
    value = Math.floor(value / alphabet.length);
  }
  return encoded;
}
