/** Whether every word of a text is in the content, or a part of a word there, in upper or lower case. */
export function hasWords(content: readonly string[], text: string): boolean {
  const searched = content.join("\n").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
