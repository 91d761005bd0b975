/** Orders of lists as SQL, from shared/catalogue/orders.ts. */
import { type Order, orders } from "../../shared/catalogue/orders.ts";

/** Type of a key. */
const types: Record<Order["form"], string> = {
  moment: "timestamptz",
  exactMoment: "timestamptz",
  day: "date",
  number: "double precision",
  score: "double precision",
  text: "text",
};

/** SQL for a key as cursors show it. */
export function cursorKey({ key, form }: Order): string {
  if (form === "moment") return `funding.moment(${key})`;
  return form === "exactMoment" ? `funding.exact_moment(${key})` : key;
}

/** Cells of an order's row in `funding.list_orders`. */
export function orderRows(literal: (value: string) => string): string[][] {
  return Object.entries<Order>(orders).map(([name, order]) => [
    literal(name),
    literal(order.key),
    literal(cursorKey(order)),
    literal(types[order.form]),
    String(order.hasNulls ?? false),
  ]);
}
