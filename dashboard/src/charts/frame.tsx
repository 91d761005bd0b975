import { Collapsible } from "@base-ui/react/collapsible";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Table } from "../components/table.tsx";
import type { Step } from "./steps.ts";
import "./charts.css";

/** Height of a chart in pixels. */
export const chartHeight = 240;

/** Name of a chart for those who come to it with the keyboard. The figure and the table have the plain one. */
export const nameOf = (label: string, step: Step) => `${label}, a chart: the arrow keys go from ${step} to ${step}`;

/** Style of every axis: labels without lines. */
export const axis = {
  axisLine: false,
  tickLine: false,
  tickMargin: 8,
  tick: { fill: "var(--text-muted)", fontSize: 12 },
} as const;

/** A chart with its legend, and the same figures as a table, for screen readers and for reading. */
export function ChartFrame({
  label,
  series,
  columns,
  rows,
  links,
  children,
}: {
  label: string;
  series: readonly { name: string; colour: string }[];
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Addresses that the rows' names lead to. */
  links?: readonly string[] | undefined;
  children: ReactNode;
}) {
  return (
    <figure className="chart" aria-label={label}>
      <ul className="chart-legend" aria-hidden="true">
        {series.map(({ name, colour }) => (
          <li key={name}>
            <span className="chart-dot" style={{ background: colour }} />
            {name}
          </li>
        ))}
      </ul>
      {children}
      <Collapsible.Root>
        <Collapsible.Trigger className="chart-table-button">Show as a table</Collapsible.Trigger>
        <Collapsible.Panel className="chart-table" tabIndex={0} role="region" aria-label={`${label}, as a table`}>
          <Table className="" columns={columns.map((column, index) => (index === 0 ? column : [column, "number"]))}>
            {rows.map(([name, ...values], index) => (
              <tr key={name}>
                <th scope="row">{links?.[index] === undefined ? name : <Link href={links[index]}>{name}</Link>}</th>
                {values.map((value, index) => (
                  <td key={columns[index + 1]} className="number">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        </Collapsible.Panel>
      </Collapsible.Root>
    </figure>
  );
}
