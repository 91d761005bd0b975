/** The part of a secret to search for. It leaves out the parts of a key that are shown: its start and its last four. */
export function needleOf(secret: string): string {
  // Of a token, the signature: what it says of its holder is no secret.
  const text = /^eyJ[^.]*\.[^.]*\./.test(secret) ? (secret.split(".").at(-1) ?? "") : secret;
  return text.length > 24 ? text.slice(12, -4) : text;
}

/** Finds secrets in a text: plain, percent-encoded or in base64. Returns each with its line, cut. */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const needle = needleOf(secret);
    const forms = [needle, encodeURIComponent(needle), Buffer.from(secret).toString("base64").slice(16, -8)];
    const lines = text.split("\n").filter((line) => forms.some((form) => form.length > 7 && line.includes(form)));
    return lines.map((line) => `${name}: ${line.slice(0, 300)}`);
  });
}
