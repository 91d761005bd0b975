const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** What Windows-1252 has where Latin-1 has the control characters 0x80 to 0x9f. */
const windowsCharacters = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/**
 * Text from UTF-8, with or without a byte-order mark; or, when the bytes are not UTF-8, from
 * Windows-1252, in which every byte is a character and which is what spreadsheets export otherwise.
 */
export function decode(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? decodeWindows1252(bytes);
}

/** Undefined when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeWindows1252(bytes: Uint8Array): string {
  // Not TextDecoder's windows-1252, which is Latin-1 in Node 20.
  return windowsText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"));
}

/** Windows-1252's characters for the control characters 0x80 to 0x9f, which no text means. */
export function windowsText(text: string): string {
  return text.replaceAll(/[\x80-\x9f]/g, (character) => windowsCharacters.charAt(character.charCodeAt(0) - 0x80));
}

/** The byte that Windows-1252 writes a character with; undefined when it has none. */
export function windowsByte(character: string): number | undefined {
  const place = windowsCharacters.indexOf(character);
  if (place !== -1) return place + 0x80;
  const code = character.charCodeAt(0);
  return code < 0x100 ? code : undefined;
}
