import { type FormEvent, useRef, useState } from "react";
import {
  type IssuedAddress,
  type SavedSearch,
  useDeleteSavedSearch,
  useIssueAddress,
  useRenameSavedSearch,
  useRevokeAddress,
} from "../api/saved-searches.ts";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { FormError, fieldErrors } from "../components/form-error.tsx";
import { formatRelative } from "../format/dates.ts";
import { useDeployment } from "../session/context.tsx";
import "../components/secret-dialog.css";

/** Renames a saved search. */
export function RenameDialog({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const [name, setName] = useState(search.name);
  const rename = useRenameSavedSearch(search.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rename.isPending) rename.mutate(name, { onSuccess: onClose });
  };
  return (
    <Dialog isOpen onClose={onClose} title="Rename this search">
      <Form refusal={rename.error} onSubmit={submit} noValidate>
        <TextField
          label="Name"
          value={name}
          onValueChange={setName}
          maxLength={100}
          autoComplete="off"
          autoFocus
          error={fieldErrors(rename.error).name}
        />
        <FormError error={rename.error} known={["name"]} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={rename.isPending}>
            Rename
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
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
    <Dialog
      isOpen
      isSticky={issue.isPending}
      onClose={onClose}
      title={address === null ? "Feed and calendar" : "Replace feed and calendar?"}
      description={
        address === null
          ? "Programs read them without a key, at secret addresses that you can revoke. Whoever has an address can read what the search finds."
          : `The present addresses stop working at once.${use}`
      }
    >
      <FormError error={issue.error} mayHaveWorked="Addresses may have been made anyway: make new ones." />
      <DialogActions>
        <Button onClick={onClose} disabled={issue.isPending}>
          Cancel
        </Button>
        <Button
          look="primary"
          isBusy={issue.isPending}
          onClick={() => issue.mutateAsync(undefined).then(onIssued, () => undefined)}
        >
          {address === null ? "Make addresses" : "Replace addresses"}
        </Button>
      </DialogActions>
    </Dialog>
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
  const isDone = useRef(false);
  const ending = what === "address" ? revoke : remove;
  const done = () => {
    isDone.current = true;
    onClose();
  };
  return (
    <Dialog
      isOpen
      isOpenerGone={() => isDone.current && what === "search"}
      onClose={onClose}
      title={what === "address" ? `Revoke the addresses of ${search.name}?` : `Delete ${search.name}?`}
      description={
        what === "address"
          ? "Its feed and calendar stop at once. You can make new addresses later."
          : "Its e-mails, feed and calendar stop at once. This cannot be undone."
      }
    >
      <FormError error={ending.error} />
      <DialogActions>
        <Button onClick={onClose}>Keep {what === "address" ? "them" : "it"}</Button>
        <Button look="danger" isBusy={ending.isPending} onClick={() => ending.mutate(undefined, { onSuccess: done })}>
          {what === "address" ? "Revoke addresses" : "Delete search"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
