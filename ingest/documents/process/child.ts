/**
 * Program of the process that reads one document: its bytes come on standard input, a DocumentContent or an Unreadable goes to standard
 * output as JSON. It has no permission but to read this project's code.
 */
import { readContent } from "../read-content.ts";

const pieces: Uint8Array[] = [];
for await (const piece of process.stdin) pieces.push(piece);
const read = await readContent(Buffer.concat(pieces));
process.stdout.write(JSON.stringify(read), () => process.exit(0));
