import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkName } from "./build/chunks.ts";
import { compressFiles } from "./build/compress.ts";
import { guideModules } from "./build/guides.ts";
import { writePages } from "./build/pages.ts";

/** Where `npm start` is: `npm run dashboard` takes the API, the sign-in and the configuration from it. */
const server = `http://127.0.0.1:${process.env.PORT ?? 54321}`;

export default defineConfig({
  plugins: [react(), guideModules(), writePages(), compressFiles()],
  build: {
    // Every icon and font is a file: `data:` addresses are not allowed for fonts by the page's policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: chunkName, debugName: "base" }] } } },
  },
  server: {
    proxy: { "/auth": server, "/docs": server, "/functions": server, "/config.json": server },
    // The OpenAPI document and the changelog are outside of this folder.
    fs: { allow: [".."] },
  },
});
