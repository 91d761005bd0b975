/**
 * Whether an `Accept` header asks for CSV rather than JSON: it names `text/csv`, and gives JSON less weight by name.
 * What accepts anything gets JSON.
 */
export function prefersCsv(accept: string | null): boolean {
  if (accept === null) return false;
  const weights = new Map(
    accept.split(",").map((item) => {
      const [type = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  const csv = weights.get("text/csv") ?? 0;
  return csv > (weights.get("application/json") ?? 0);
}
