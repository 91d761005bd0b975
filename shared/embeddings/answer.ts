import * as z from "zod";
import { EmbeddingError } from "./errors.ts";
import { dimensions, normalized, type Vector } from "./vector.ts";

/** What the embeddings protocol answers, as far as we rely on it. */
const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

/**
 * The vectors of an answer in the order of the texts, which the protocol gives by index.
 *
 * @param count how many texts were sent.
 * @throws {EmbeddingError} when there is not exactly one good vector for each.
 */
export function vectorsIn(answer: unknown, count: number): Vector[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new EmbeddingError("invalid", "the answer is not a list of embeddings");
  const { data } = parsed.data;
  if (data.length !== count) {
    throw new EmbeddingError("invalid", `the answer has ${data.length} vectors for ${count} texts`);
  }
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, index) => checkedVector(byIndex.get(index)));
}

/** @throws {EmbeddingError} when it is not a vector that the database can hold and compare. */
export function checkedVector(given: unknown): Vector {
  if (!Array.isArray(given) || !given.every((value) => Number.isFinite(value))) {
    throw new EmbeddingError("invalid", "the answer lacks a vector, or has one that is not made of numbers");
  }
  if (given.length !== dimensions) {
    throw new EmbeddingError("unsuitable", `the model's vectors have ${given.length} dimensions, not ${dimensions}`);
  }
  const vector = normalized(given as number[]);
  if (vector === undefined) throw new EmbeddingError("invalid", "the answer has a vector without a direction");
  return vector;
}
