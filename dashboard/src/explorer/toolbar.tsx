import type { ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { Choice } from "../components/choice.tsx";
import { Icon } from "../components/icon.tsx";
import { type Dataset, datasets } from "./datasets.ts";

/** Dataset of the request, and what can be done with it. Sending submits the form around it. */
export function Toolbar({
  dataset,
  onDataset,
  isSending,
  onClear,
  onDownload,
  isDownloading,
  save,
}: {
  dataset: Dataset;
  onDataset: (dataset: Dataset) => void;
  isSending: boolean;
  onClear: () => void;
  /** Undefined where the request has no file. */
  onDownload: (() => void) | undefined;
  isDownloading: boolean;
  /** Button that saves the search. */
  save: ReactNode;
}) {
  return (
    <div className="explorer-toolbar">
      <Choice label="Dataset" value={dataset} options={datasets} onChange={onDataset} />
      <div className="row">
        <Button type="submit" look="primary" isBusy={isSending}>
          <Icon name="play" />
          {isSending ? "Sending…" : "Send request"}
        </Button>
        {onDownload !== undefined && (
          <Button
            onClick={onDownload}
            isBusy={isDownloading}
            title="All records that match, up to 10,000. One request."
          >
            <Icon name="download" />
            CSV
          </Button>
        )}
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
        {save}
      </div>
    </div>
  );
}
