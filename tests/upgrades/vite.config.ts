import { defineConfig } from "vite";

/** The edge functions of a release in one file, with what they load when they need it, and without the packages that they import. */
export default defineConfig({
  logLevel: "warn",
  build: {
    ssr: "tests/native/functions.ts",
    target: "esnext",
    minify: true,
    rollupOptions: { output: { codeSplitting: false } },
  },
});
