import { allPlaces, type Place } from "./places.ts";

/** Limit of the places found. */
const maximumFound = 30;

let index: readonly (Place & { folded: string; foldedName: string })[] | undefined;

/** Places with all words, the best first: those with the words in their names before others. */
export function searchReference(typed: string): Place[] {
  const words = typed.split(/\s+/).map(fold).filter(Boolean);
  if (words.length === 0) return [];
  index ??= allPlaces().map((place) => {
    return { ...place, foldedName: fold(place.name), folded: fold(`${place.name} ${place.kind} ${place.text}`) };
  });
  const whole = words.join("");
  const rank = ({ foldedName }: { foldedName: string }) => {
    if (foldedName === whole) return 0;
    if (foldedName.startsWith(whole)) return 1;
    return words.every((word) => foldedName.includes(word)) ? 2 : 3;
  };
  return index
    .filter(({ folded }) => words.every((word) => folded.includes(word)))
    .map((place) => ({ place, rank: rank(place) }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maximumFound)
    .map(({ place }) => place);
}

/** A text in which `quota_exceeded`, `quota-exceeded` and `Quota exceeded` are the same. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[-_\s]/g, "");
}
