import type { Operation } from "./operations.ts";

/** HTTP method of an operation, or "event". */
export function Method({ method }: Pick<Operation, "method">) {
  return <span className={`method method-${method.toLowerCase()}`}>{method === "DELETE" ? "DEL" : method}</span>;
}
