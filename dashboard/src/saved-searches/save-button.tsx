import { useState } from "react";
import { useSaveSearch } from "../api/saved-searches.ts";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { fieldErrors } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { useToast } from "../components/toasts.tsx";
import type { Dataset } from "../explorer/datasets.ts";

/** Saves the explorer's search. `url` is that of its request. Searches across datasets cannot be saved. */
export function SaveSearchButton({ dataset, url }: { dataset: Dataset; url: string }) {
  const [isOpen, setOpen] = useState(false);
  if (dataset === "semantic") return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="bookmark" />
        Save this search
      </Button>
      {isOpen && (
        <SaveSearchDialog dataset={dataset} query={new URL(url).search.slice(1)} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function SaveSearchDialog({
  dataset,
  query,
  onClose,
}: {
  dataset: Exclude<Dataset, "semantic">;
  query: string;
  onClose: () => void;
}) {
  const [name, setName] = useState(() => new URLSearchParams(query).get("search")?.slice(0, 100) ?? "");
  const save = useSaveSearch();
  const toast = useToast();
  const submit = () =>
    save.mutate(
      { name, dataset, query },
      {
        onSuccess: () => {
          toast({ title: `${name} is saved`, description: "It counts new records from now on, under Saved searches." });
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Save this search"
      description="It counts what is new, and can have a feed, a calendar of deadlines, or a webhook. New records are found by the filters and by all words of the search."
      change={save}
      known={["name"]}
      mayHaveWorked="It may have been saved anyway. Check Saved searches."
      submitName="Save search"
      busyName="Saving…"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        maxLength={100}
        autoComplete="off"
        autoFocus
        error={fieldErrors(save.error).name}
      />
    </FormDialog>
  );
}
