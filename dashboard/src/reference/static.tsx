import { createContext, type ReactNode, useContext } from "react";

/** Depth of folded content while a page is rendered to HTML at the build; undefined in a browser. */
export const StaticContext = createContext<number | undefined>(undefined);

/** Content for readers without JavaScript, in place of what only a script shows. */
export function WithoutScript({ children }: { children: ReactNode }) {
  return useContext(StaticContext) === undefined ? null : <noscript>{children}</noscript>;
}
