import type { ReactNode } from "react";
import { Brand } from "../layout/brand.tsx";
import { ThemeChoice } from "../layout/theme-choice.tsx";
import { useDeployment } from "../session/context.tsx";
import "../layout/shell.css";
import "./sign-in.css";

/** Layout of the pages before sign-in. */
export function SignInCard({ children }: { children: ReactNode }) {
  const { config } = useDeployment();
  return (
    <main className="sign-in">
      <div className="sign-in-top">
        <Brand />
        <ThemeChoice />
      </div>
      <div className="sign-in-card">{children}</div>
      <p className="muted small sign-in-links">
        <a href={config.reference_url}>API reference</a>
        {config.changelog_url !== null && <a href={config.changelog_url}>Changelog</a>}
      </p>
    </main>
  );
}
