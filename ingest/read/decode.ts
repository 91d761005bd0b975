const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Characters of Windows-1252 for 0x80 to 0x9f, where Latin-1 has control characters. */
const windowsCharacters = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/**
 * Decodes UTF-8, with or without a byte-order mark. Bytes that are not UTF-8 are decoded as Windows-1252, in which every
 * byte is a character and which is the other encoding that spreadsheets export.
 */
export function decode(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? decodeWindows1252(bytes);
}

/** Decodes UTF-8. Undefined when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeWindows1252(bytes: Uint8Array): string {
  // TextDecoder's windows-1252 is not used: it is Latin-1 in Node 20.
  return restoreWindowsCharacters(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"));
}

/** Replaces the control characters 0x80 to 0x9f, which no text has on purpose, with Windows-1252's characters. */
export function restoreWindowsCharacters(text: string): string {
  return text.replaceAll(/[\x80-\x9f]/g, (character) => windowsCharacters.charAt(character.charCodeAt(0) - 0x80));
}

/** Returns the byte of a character in Windows-1252. Undefined when it has none. */
export function toWindowsByte(character: string): number | undefined {
  const index = windowsCharacters.indexOf(character);
  if (index !== -1) return index + 0x80;
  const code = character.charCodeAt(0);
  return code < 0x100 ? code : undefined;
}
