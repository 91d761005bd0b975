import { useState } from "react";
import {
  type IssuedAddress,
  type SavedSearch,
  useDeleteSavedSearch,
  useIssueAddress,
  useRenameSavedSearch,
  useRevokeAddress,
} from "../api/saved-searches.ts";
import { Button } from "../components/button.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { fieldErrors } from "../components/form-error.tsx";
import { formatRelative } from "../format/dates.ts";
import { useDeployment } from "../session/context.tsx";
import "../components/secret-dialog.css";

/** Renames a saved search. */
export function RenameDialog({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const [name, setName] = useState(search.name);
  const rename = useRenameSavedSearch(search.id);
  return (
    <FormDialog
      title="Rename this search"
      change={rename}
      known={["name"]}
      submitName="Rename"
      onSubmit={() => rename.mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        maxLength={100}
        autoComplete="off"
        autoFocus
        error={fieldErrors(rename.error).name}
      />
    </FormDialog>
  );
}

/** Issues the addresses of feed and calendar, or new ones in place of those that there are. */
export function IssueAddressDialog({
  search,
  onClose,
  onIssued,
}: {
  search: SavedSearch;
  onClose: () => void;
  onIssued: (issued: IssuedAddress) => void;
}) {
  const issue = useIssueAddress(search.id);
  const { address } = search;
  const use = address?.last_read_at == null ? "" : ` They were last read ${formatRelative(address.last_read_at)}.`;
  return (
    <FormDialog
      title={address === null ? "Feed and calendar" : "Replace feed and calendar?"}
      description={
        address === null
          ? "Programs read them without a key, at secret addresses that you can revoke. Whoever has an address can read what the search finds."
          : `The present addresses stop working at once.${use}`
      }
      change={issue}
      mayHaveWorked="Addresses may have been made anyway: make new ones."
      submitName={address === null ? "Make addresses" : "Replace addresses"}
      isSticky
      onSubmit={() => issue.mutateAsync(undefined).then(onIssued, () => undefined)}
      onClose={onClose}
    />
  );
}

/** Shows the addresses once. Only its button closes it. */
export function AddressDialog({ issued, onClose }: { issued: IssuedAddress; onClose: () => void }) {
  const { config } = useDeployment();
  const at = (document: string) => `${config.base_url}/saved-searches/${issued.token}/${document}`;
  const documents = [
    { name: "Feed", address: at("feed.atom") },
    ...(issued.dataset === "funders" ? [] : [{ name: "Calendar", address: at("deadlines.ics") }]),
  ];
  return (
    <Dialog
      isOpen
      isSticky
      isOpenerGone={() => true}
      onClose={onClose}
      title={`Addresses of ${issued.name}`}
      description="Copy them now. They are secret, and cannot be shown again."
    >
      {documents.map(({ name, address }) => (
        <div key={name} className="stack-small">
          <output className="secret" aria-label={name}>
            {address}
          </output>
          <CopyButton text={address} label={`Copy ${name.toLowerCase()}`} />
        </div>
      ))}
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Revokes the addresses of feed and calendar, or deletes a search, after a confirmation. */
export function EndDialog({
  search,
  what,
  onClose,
}: {
  search: SavedSearch;
  what: "address" | "search";
  onClose: () => void;
}) {
  const revoke = useRevokeAddress(search.id);
  const remove = useDeleteSavedSearch(search.id);
  const ending = what === "address" ? revoke : remove;
  return (
    <ConfirmDialog
      title={what === "address" ? `Revoke the addresses of ${search.name}?` : `Delete ${search.name}?`}
      description={
        what === "address"
          ? "Its feed and calendar stop at once. You can make new addresses later."
          : "Its e-mails, feed and calendar stop at once. This cannot be undone."
      }
      change={ending}
      keepName={what === "address" ? "Keep them" : "Keep it"}
      confirmName={what === "address" ? "Revoke addresses" : "Delete search"}
      isOpenerKept={what === "address"}
      onConfirm={(options) => ending.mutate(undefined, options)}
      onDone={onClose}
      onClose={onClose}
    />
  );
}
