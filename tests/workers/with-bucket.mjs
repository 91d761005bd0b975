// @ts-check
// Prints wrangler.jsonc with a binding of an R2 bucket for snapshots, as docs/operate/install.md adds it, and with paths that hold in any folder.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const text = readFileSync(`${root}wrangler.jsonc`, "utf8").replace(/^\s*\/\/.*$/gm, "");
const config = JSON.parse(text);
config.main = root + config.main;
config.build.cwd = root;
config.build.watch_dir = root + config.build.watch_dir;
config.assets.directory = root + config.assets.directory;
config.r2_buckets = [{ binding: "SNAPSHOTS", bucket_name: process.argv[2] }];
process.stdout.write(JSON.stringify(config));
