import * as z from "zod";
import { EmbeddingError } from "./errors.ts";

/** Size of a model's vectors where its name does not say another. */
export const defaultSize = 384;

export type Vector = readonly number[];

/** Returns the vector of length 1 in the same direction, or undefined for the null vector. */
export function normalized(vector: Vector): Vector | undefined {
  const length = Math.hypot(...vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}

/** Writes a vector in pgvector's text form, with more digits than half precision can tell apart. */
export function vectorText(vector: Vector): string {
  return `[${vector.map((value) => value.toPrecision(5)).join(",")}]`;
}

/** The part of an embeddings protocol's answer that we read. */
const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

/**
 * Reads the vectors of a provider's answer, in the order of the texts: the protocol numbers them by `index`.
 *
 * @param count texts that were sent.
 * @param size numbers of each vector.
 * @throws {EmbeddingError} unless there is exactly one valid vector for each text.
 */
export function readVectors(answer: unknown, count: number, size: number): Vector[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new EmbeddingError("invalid", "the answer is not a list of embeddings");
  const { data } = parsed.data;
  if (data.length !== count) {
    throw new EmbeddingError("invalid", `the answer has ${data.length} vectors for ${count} texts`);
  }
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, index) => readVector(byIndex.get(index), size));
}

/** Part of an answer with the tokens that are billed. Not every server has it. */
const usageSchema = z.object({ usage: z.object({ total_tokens: z.int().positive() }) });

/** Reads the tokens that a provider bills for an answer; undefined where it does not say. */
export function readTokens(answer: unknown): number | undefined {
  return usageSchema.safeParse(answer).data?.usage.total_tokens;
}

/**
 * Reads one vector and normalizes it.
 *
 * @param size its numbers.
 * @throws {EmbeddingError} when the database could not store or compare it.
 */
export function readVector(given: unknown, size: number): Vector {
  if (!Array.isArray(given) || !given.every((value) => Number.isFinite(value))) {
    throw new EmbeddingError("invalid", "the answer lacks a vector, or has one that is not made of numbers");
  }
  if (given.length !== size) {
    throw new EmbeddingError("unsuitable", `the model's vectors have ${given.length} dimensions, not ${size}`);
  }
  const vector = normalized(given as number[]);
  if (vector === undefined) throw new EmbeddingError("invalid", "the answer has a vector without a direction");
  return vector;
}
