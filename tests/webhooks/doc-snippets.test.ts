import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openReceiver, type Received } from "./receiver.ts";
import { grant, openWebhookService } from "./webhook-service.ts";

/** Runners of the snippets of docs/webhooks.md: a program around each prints true or false for BODY_FILE, SIGNATURE and SECRET. */
interface Language {
  fence: string;
  /** Says that the interpreter is there. */
  probe: string[];
  file: string;
  command: (file: string) => string[];
  around: (snippet: string) => string;
}

const deno = fileURLToPath(new URL("../../local/deno.mjs", import.meta.url));
const languages: Language[] = [
  {
    fence: "ts",
    probe: ["node", "--version"],
    file: "verify.ts",
    command: (file) => ["node", deno, file],
    around: (snippet) => `${snippet}
      import { readFileSync } from "node:fs";
      const { BODY_FILE = "", SIGNATURE = "", SECRET = "" } = process.env;
      console.log(isFromUs(readFileSync(BODY_FILE, "utf8"), SIGNATURE, SECRET));`,
  },
  {
    fence: "python",
    probe: ["python3", "--version"],
    file: "verify.py",
    command: (file) => ["python3", file],
    around: (snippet) => `${snippet}
import os
body = open(os.environ["BODY_FILE"], "rb").read()
print(str(is_from_us(body, os.environ["SIGNATURE"], os.environ["SECRET"])).lower())
`,
  },
  {
    fence: "go",
    probe: ["go", "version"],
    file: "verify.go",
    command: (file) => ["go", "run", file],
    around: (snippet) =>
      `${snippet.replace('"encoding/hex"', '"encoding/hex"\n\t"fmt"\n\t"os"')}
func main() {
	body, _ := os.ReadFile(os.Getenv("BODY_FILE"))
	fmt.Println(isFromUs(body, os.Getenv("SIGNATURE"), os.Getenv("SECRET")))
}
`,
  },
  {
    fence: "php",
    probe: ["php", "--version"],
    file: "verify.php",
    command: (file) => ["php", file],
    around: (snippet) => `${snippet}
echo is_from_us(file_get_contents(getenv('BODY_FILE')), getenv('SIGNATURE'), getenv('SECRET')) ? 'true' : 'false';
`,
  },
  {
    fence: "ruby",
    probe: ["ruby", "--version"],
    file: "verify.rb",
    command: (file) => ["ruby", file],
    around: (snippet) => `${snippet}
puts from_us?(File.binread(ENV["BODY_FILE"]), ENV["SIGNATURE"], ENV["SECRET"])
`,
  },
];

const mustRun = ["ts", "python"];
const isHere = ({ probe: [program = "", ...words] }: Language) => spawnSync(program, words).status === 0;
const present = languages.filter((language) => mustRun.includes(language.fence) || isHere(language));
const absent = languages.filter((language) => !present.includes(language)).map(({ fence }) => fence);
if (absent.length > 0) {
  console.warn(`docs/webhooks.md: NOT RUN, for want of the language on this machine: ${absent.join(", ")}`);
}

let document: string;
let folder: string;
let secret: string;
let delivery: Received;

beforeAll(async () => {
  document = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  folder = await mkdtemp(join(tmpdir(), "webhook-snippets-"));
  const service = await openWebhookService();
  const receiver = await openReceiver();
  ({ secret } = await service.subscribe({ url: receiver.url, events: ["grant.created"] }));
  await service.load("grants", grant({ title: "Peña's “clean” water – 北京 & <more>" }));
  await service.dispatch();
  const [received] = receiver.received;
  if (received === undefined) throw new Error("nothing was delivered");
  delivery = received;
  await receiver.close();
  await service.close();
  await writeFile(join(folder, "body"), delivery.body);
  await writeFile(join(folder, "changed"), delivery.body.replace("80000", "90000"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(present)("the verification code in $fence", (language) => {
  test("accepts a real delivery, and neither a changed body, nor another secret, nor a signature cut short", async () => {
    const snippet = new RegExp(`\`\`\`${language.fence}\\n(.*?)\`\`\``, "s").exec(document)?.[1] ?? "";
    const file = join(folder, language.file);
    await writeFile(file, language.around(snippet));
    const [program = "", ...words] = language.command(file);
    const signature = delivery.headers["x-service-signature"] ?? "";
    const verdict = async (body: string, given: string, key: string) => {
      const { stdout } = await promisify(execFile)(program, words, {
        env: { ...process.env, BODY_FILE: join(folder, body), SIGNATURE: given, SECRET: key },
      });
      return stdout.trim();
    };
    expect(await verdict("body", signature, secret)).toBe("true");
    expect(await verdict("changed", signature, secret)).toBe("false");
    expect(await verdict("body", signature, `${secret}x`)).toBe("false");
    expect(await verdict("body", signature.slice(0, -1), secret)).toBe("false");
  });
});
