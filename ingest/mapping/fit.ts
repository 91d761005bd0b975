import type { Fit, MeasureFit } from "../read/record-lists.ts";
import { isSameColumn } from "./columns.ts";
import { findField } from "./field-name.ts";
import { type MappingRequest, requiredFields } from "./mapping.ts";
import { listOnPath, listPaths, valuesAt } from "./path.ts";

/**
 * Returns a function that measures how well objects fit the options of a mapping: which of its columns they have outside of lists. Options that
 * do not fit anything are refused later, with a message of their own.
 */
export function createFitMeasure({ dataset, maps, sets }: MappingRequest): MeasureFit {
  const columns = new Map<string, string[]>();
  for (const [field, text] of maps.flatMap((map) => splitAssignment(dataset, map))) {
    columns.set(field, [...(columns.get(field) ?? []), text, ...text.split(",").map((part) => part.trim())]);
  }
  const constants = new Set(sets.flatMap((set) => splitAssignment(dataset, set)).map(([field]) => field));
  const required = requiredFields[dataset].filter((field) => !constants.has(field));
  return (objects): Fit => {
    const fields = new Set<string>();
    for (const object of objects) {
      const paths = listPaths(object, { isThroughLists: false });
      for (const [field, names] of columns) {
        if (!fields.has(field) && names.some((name) => hasColumn(object, name, paths))) fields.add(field);
      }
      for (const name of Object.keys(object)) {
        const field = findField(dataset, name)?.field;
        if (field !== undefined && !columns.has(field) && !constants.has(field)) fields.add(field);
      }
    }
    return { isComplete: objects.length > 0 && required.every((field) => fields.has(field)), score: fields.size };
  };
}

function splitAssignment(dataset: MappingRequest["dataset"], text: string): [field: string, value: string][] {
  const equals = text.indexOf("=");
  const field = findField(dataset, text.slice(0, equals))?.field;
  return equals < 1 || field === undefined ? [] : [[field, text.slice(equals + 1).trim()]];
}

function hasColumn(object: Record<string, unknown>, name: string, paths: readonly string[]): boolean {
  const isThere = valuesAt(object, name).length > 0 && listOnPath(object, name) === undefined;
  return isThere || paths.some((path) => isSameColumn(path, name));
}
