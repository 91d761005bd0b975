/** Version of this software, as `npm run release` set it and its tag names it. The API's version is another: `apiVersion` of `openapi/document.ts`. */
export const release = "1.11.0";
