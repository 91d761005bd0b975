import { runCommand } from "../../cli/command.ts";
import { parseCount } from "../../cli/options.ts";
import { print, printError } from "../../local/print.ts";
import { Chance } from "../simulation/chance.ts";
import { describeMutation, mutate, mutationsOf } from "./mutations.ts";
import { Runner } from "./runner.ts";

const help = `Changes the SQL functions in small ways, one at a time ("<" to "<=", "and" to "or", a condition left out), and runs the files of the
SQL suite that call the function: each change that no test notices is printed. A part of them by chance, the same for each run of a seed.

usage: npm run test:mutation -- [options]

  --sample N       changes to try (default 100, about a quarter of an hour on two cores)
  --seed N         which ones (default 1)
  --only NAME      in functions whose name has this in it
  --workers N      databases side by side (default 2)
  --help`;

await runCommand({
  help,
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    workers: { type: "string", default: "2" },
  },
  async run({ values }) {
    const chance = new Chance(parseCount("--seed", values.seed, 1));
    const first = new Runner();
    const covered = await first.cover();
    const mutants = covered
      .filter(({ name }) => name.includes(values.only))
      .flatMap((known) => mutationsOf(known.body).map((mutation) => ({ known, mutation })));
    const sample = chance.shuffle(mutants).slice(0, parseCount("--sample", values.sample, 1));
    print([
      `${covered.length} functions are called by the SQL suite, with ${mutants.length} changes; ${sample.length} of them are tried`,
    ]);
    const counts = { killed: 0, survived: 0, invalid: 0, endless: 0 };
    const waiting = [...sample];
    const work = async (runner: Runner) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { known, mutation } = next;
        const outcome = await runner.try(known, mutate(known.body, mutation));
        counts[outcome] += 1;
        if (outcome === "survived") print([`survived: ${known.name}: ${describeMutation(known.body, mutation)}`]);
        printError(`${sample.length - waiting.length} of ${sample.length}`);
      }
      runner.close();
    };
    const runners = Array.from({ length: parseCount("--workers", values.workers, 1) - 1 }, () => new Runner());
    await Promise.all([first, ...runners].map(work));
    const noticed = counts.killed + counts.endless;
    print([`${noticed} of ${noticed + counts.survived} were noticed; ${counts.invalid} were no SQL`]);
    return 0;
  },
});
