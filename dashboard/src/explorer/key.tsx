import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import type { z } from "zod";
import type { explorerKey } from "../../../shared/responses/account/keys.ts";
import { useAccountRequest } from "../api/context.tsx";
import { useChosenAccount } from "../members/chosen-account.tsx";
import { type ExplorerKeys, ExplorerKeysContext } from "./keys.ts";

type IssuedExplorerKey = z.infer<typeof explorerKey>;

/** A key is not used any more when it would expire within this time: a request takes a moment. */
const marginMs = 20_000;

/** Provides keys that are made from the sign-in. */
export function ExplorerKeyProvider({ children }: { children: ReactNode }) {
  const request = useAccountRequest();
  const queries = useQueryClient();
  const { accountId } = useChosenAccount();
  const [typed, type] = useState("");
  const made = useRef<{ key: string; expiresAtMs: number }>(undefined);
  const isMade = () => made.current !== undefined && made.current.expiresAtMs - marginMs >= Date.now();
  const isAtHand = () => typed.trim() !== "" || isMade();
  const current = async () => {
    if (typed.trim() !== "") return typed.trim();
    if (made.current === undefined || !isMade()) {
      const { key, expires_at } = await request<IssuedExplorerKey>("/explorer-key", { method: "POST" });
      if (key === null) throw new Error("the key's text did not come");
      made.current = { key, expiresAtMs: Date.parse(expires_at) };
    }
    return made.current.key;
  };
  const drop = (key: string) => {
    if (made.current?.key !== key) return false;
    made.current = undefined;
    return true;
  };
  const keys: ExplorerKeys = {
    ...{ typed, type, current, isAtHand, drop },
    user: { accountId, refresh: () => void queries.invalidateQueries() },
  };
  return <ExplorerKeysContext value={keys}>{children}</ExplorerKeysContext>;
}
