import type { AccountKey } from "../api/account.ts";
import { Menu } from "../components/menu.tsx";

/** Actions for an active key. A key can be rotated once. */
export function KeyMenu({
  subject,
  onLimit,
  onRotate,
  onRevoke,
}: {
  subject: AccountKey;
  onLimit: () => void;
  onRotate: () => void;
  onRevoke: () => void;
}) {
  const limit = { name: "Limits…", icon: "edit", onSelect: onLimit } as const;
  const rotate = { name: "Rotate…", icon: "rotate", onSelect: onRotate } as const;
  const revoke = { name: "Revoke…", icon: "revoke", isDangerous: true, onSelect: onRevoke } as const;
  return (
    <Menu
      label={`Actions for ${subject.name}`}
      entries={subject.replaced_by === null ? [limit, rotate, revoke] : [limit, revoke]}
    />
  );
}
