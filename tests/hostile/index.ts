import { runCommand } from "../../cli/command.ts";
import { UsageError } from "../../cli/options.ts";
import { NoClockError } from "./clock.ts";
import { NoDiskError } from "./disk.ts";
import { type Part, parts, runMix } from "./mix.ts";

const help = `Runs npm start on a small disk of its own, among strangers who cancel downloads, open idle connections, read slowly and
send what is no HTTP; on a machine whose disk fills up, whose clock jumps and whose processes are killed. Beside them a
customer lists, searches and writes: each of his answers must be right, or a 503 within 30 s, and nothing that was
acknowledged may be missing or there twice.

usage: npm run test:hostile -- [options]

  --minutes N      how long (default 60). Every fault happens at least once, so that a short run may take a little longer
  --seed N         draws the same mix again (default: a new one, which is printed). When things happen differs all the same
  --without PARTS  leaves parts out, with commas: ${parts.join(", ")}
  --log FILE       where the server's log goes (default: nowhere; the end of it is printed with a violation)
  --help

Linux alone; root, to mount the disk. Exit status: 0, 1 if anything was not as it must be, 2 if the mix could not be run.`;

await runCommand({
  help,
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    without: { type: "string", default: "" },
    log: { type: "string" },
  },
  async run({ values }) {
    const without = values.without.split(",").filter((name) => name !== "");
    const unknown = without.find((name) => !parts.includes(name as Part));
    if (unknown !== undefined) throw new UsageError(`there is no part ${unknown}: the parts are ${parts.join(", ")}`);
    const given = {
      minutes: numberOf("minutes", values.minutes),
      seed: numberOf("seed", values.seed),
      without: without as Part[],
      log: values.log,
    };
    try {
      return (await runMix(given)) ? 0 : 1;
    } catch (error) {
      if (!(error instanceof NoDiskError || error instanceof NoClockError)) throw error;
      console.error(error.message);
      return 2;
    }
  },
});

function numberOf(name: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${name} must be a number, not "${text}"`);
  return Number(text);
}
