import type { AccountKey } from "../api/account.ts";
import { Menu } from "../components/menu.tsx";

/** What can be done with an active key. A key is rotated once. */
export function KeyMenu({
  subject,
  onRotate,
  onRevoke,
}: {
  subject: AccountKey;
  onRotate: () => void;
  onRevoke: () => void;
}) {
  const rotate = { name: "Rotate…", icon: "rotate", onSelect: onRotate } as const;
  const revoke = { name: "Revoke…", icon: "revoke", isDangerous: true, onSelect: onRevoke } as const;
  return (
    <Menu label={`Actions for ${subject.name}`} entries={subject.replaced_by === null ? [rotate, revoke] : [revoke]} />
  );
}
