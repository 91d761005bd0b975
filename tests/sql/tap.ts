/**
 * Faults of a pgTAP file's output: each failed assertion with its diagnosis, and a number
 * of assertions other than the planned one. Empty when all is well.
 */
export function faultsIn(lines: readonly string[]): string[] {
  const planned = Number(lines.map((line) => /^1\.\.(\d+)$/.exec(line)?.[1]).find((count) => count !== undefined));
  const results = lines.filter((line) => /^(not )?ok \d+/.test(line)).length;
  // pgTAP's finish() says in such a line when the numbers differ or an assertion failed.
  const faults = lines.filter((line) => /^not ok/.test(line) || (line.startsWith("#") && !/^# SKIP/i.test(line)));
  if (results !== planned) faults.push(`planned ${planned} assertions, and made ${results}`);
  return faults;
}
