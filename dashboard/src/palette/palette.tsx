import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { useKeys } from "../api/account.ts";
import { Icon } from "../components/icon.tsx";
import { usePageLinks } from "../layout/navigation.tsx";
import { type Entry, type EntryGroup, entriesFor } from "./entries.ts";
import { useFoundRecords, useRequestOf, useSettled } from "./known.ts";
import "../components/dialog.css";
import "./palette.css";

/** Dialog that finds pages, keys, requests by their id, and records. It is open while it is mounted. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const settled = useSettled(text.trim());
  const pages = usePageLinks().map(({ path, name, icon }): Entry => ({ id: `page ${path}`, name, icon, href: path }));
  const groups = entriesFor(text, {
    pages: [...pages, { id: "page audit-log", name: "Audit log", icon: "account", href: "/account/audit-log" }],
    keys: useKeys().data ?? [],
    request: useRequestOf(settled),
    records: useFoundRecords(settled),
  });
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const hasChosen = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ href, state }: Entry) => {
    hasChosen.current = true;
    onClose();
    if (href.startsWith("/")) navigate(href, { ...(state && { state }) });
    else location.assign(href);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup
          className="palette"
          initialFocus={input}
          // Without a choice it returns to where it was.
          finalFocus={() => (hasChosen.current ? (document.getElementById("page-heading") ?? true) : true)}
        >
          <Dialog.Title className="visually-hidden">Search pages, keys, requests and records</Dialog.Title>
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            value={text}
            onValueChange={(next, { reason }) => reason !== "item-press" && setText(next)}
            itemToStringValue={({ name }: Entry) => name}
            autoHighlight="always"
            keepHighlight
          >
            <div className="palette-head">
              <Icon name="search" />
              <Autocomplete.Input
                ref={input}
                className="palette-input"
                aria-label="Search pages, keys, requests and records"
                placeholder="A page, a key, a request’s id, a record…"
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
                onKeyDown={(event) => {
                  if (event.key === "Escape") onClose();
                }}
              />
              <Dialog.Close className="button button-quiet palette-close">Close</Dialog.Close>
            </div>
            <Autocomplete.Status className="visually-hidden">
              {count === 1 ? "One entry" : `${count} entries`}
            </Autocomplete.Status>
            <Autocomplete.Empty className="palette-empty muted">Nothing has all of these words.</Autocomplete.Empty>
            <Autocomplete.List className="palette-list" aria-label="Found">
              {(group: EntryGroup) => (
                <Autocomplete.Group key={group.value} items={group.items} className="palette-group">
                  <Autocomplete.GroupLabel className="palette-group-name">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => (
                      <Autocomplete.Item
                        key={entry.id}
                        value={entry}
                        className="palette-entry"
                        onClick={() => choose(entry)}
                      >
                        <Icon name={entry.icon} />
                        <span className="palette-entry-name">{entry.name}</span>
                        {entry.detail !== undefined && (
                          <span className="palette-entry-detail muted small">{entry.detail}</span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
