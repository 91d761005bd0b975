import type pg from "pg";
import { insertGrant } from "../records.ts";
import type { Service } from "../service.ts";

/** A writer's statements, and the errors that it found. */
export interface Writing {
  /** Each record's word, by its id, as it was left. */
  words: Map<string, string>;
  /** Duration of each statement, in milliseconds. */
  waits: number[];
  wrong: string[];
}

/** Leaves the processors to the fit now and then, as real load would on a machine that is not full. */
export const pauseMs = 100;

/** A word that no record has, of letters that no stemmer takes for an ending. */
function newWord(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => "bcdfghjkmpqvwxz"[byte % 15]);
  return `zq${letters.join("")}`;
}

/** Words that the lexicon knows well, that no records have together, and that the readers do not search for. */
const topics =
  "drought museum broadband telehealth wetland bridge transit solar asthma opioid theater seismic dental recycling orchestra elevator";

/** Five of them, chosen by chance. */
function someTopics(): string {
  const words = topics.split(" ");
  return Array.from({ length: 5 }, () => words.splice(Math.floor(Math.random() * words.length), 1)[0]).join(" ");
}

/**
 * Inserts records and changes some of them until told to stop. After each change it asks for the record, by a
 * word that only it has and by the meaning of its title, and notes when it is not found.
 */
export async function writeUntil(stopped: () => boolean, session: pg.Client, service: Service): Promise<Writing> {
  const writing: Writing = { words: new Map(), waits: [], wrong: [] };
  const timed = async (work: Promise<unknown>) => {
    const started = performance.now();
    await work;
    writing.waits.push(performance.now() - started);
  };
  const find = async (path: string, id: string, what: string) => {
    const { results } = await service.get<{ results: { id: string }[] }>(`/grants-api?status=closed&limit=100&${path}`);
    if (!results.some((result) => result.id === id)) writing.wrong.push(`not found ${what}: ${path}`);
  };

  for (let round = 0; !stopped(); round++) {
    const id = crypto.randomUUID();
    const word = newWord();
    const topic = someTopics();
    writing.words.set(id, word);
    await timed(insertGrant(session, { id, title: `${topic} ${word}`, description: topic, status: "closed" }));
    await find(`search=${word}`, id, "by its word after its insert");
    await find(`search=${word}&search_mode=hybrid`, id, "in a hybrid search after its insert");
    await find(`search=${topic.replaceAll(" ", "+")}&search_mode=semantic`, id, "by its meaning after its insert");

    const [other, old] = [...writing.words][round >> 1] ?? [id, word];
    const changed = newWord();
    writing.words.set(other, changed);
    await timed(session.query("update funding.grants set title = $2 where id = $1", [other, `${topic} ${changed}`]));
    await find(`search=${changed}&sort_by=relevance`, other, "by its new word after a change");
    const { total } = await service.get<{ total: number }>(`/grants-api?status=closed&search=${old}&count_only=true`);
    if (total > 0) writing.wrong.push(`found by its old word: ${old}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return writing;
}
