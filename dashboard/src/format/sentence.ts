/** A text as a sentence, so that another can follow it: with a capital, and a full stop where it has no punctuation at its end. */
export function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
