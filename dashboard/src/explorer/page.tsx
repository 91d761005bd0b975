import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useKeys } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Choice } from "../components/choice.tsx";
import { Icon } from "../components/icon.tsx";
import { EmptyState, ErrorState, Skeleton } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";
import { Answer } from "./answer.tsx";
import { AsCode } from "./as-code.tsx";
import { datasets, parametersOf } from "./datasets.ts";
import { KeyField } from "./key-field.tsx";
import { Parameters } from "./parameters.tsx";
import { type ExplorerForm, requestFor } from "./request.ts";
import { send } from "./send.ts";
import { useTypedKey } from "./typed-key.tsx";
import "./page.css";

const initialForm: ExplorerForm = {
  dataset: "grants",
  values: {
    search: "summer meals for children",
    search_mode: "hybrid",
    query: "cleaning up polluted lakes",
    limit: "5",
  },
};

/** The form for the dataset that the address names (`?dataset=funders`), as the reference links to it. */
function formFor(search: string): ExplorerForm {
  const named = new URLSearchParams(search).get("dataset");
  const dataset = datasets.find(({ value }) => value === named)?.value;
  return dataset === undefined ? initialForm : { ...initialForm, dataset };
}

/** Sends requests to the API with one of the account's keys, and shows the response and the request as code. */
export default function ExplorerPage() {
  const { config } = useDeployment();
  const [key, setKey] = useTypedKey();
  const [form, setForm] = useState(() => formFor(location.search));
  const [isKeyMissing, setKeyMissing] = useState(false);
  const keys = useKeys();
  const queries = useQueryClient();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const request = requestFor(form, config.base_url);
  const run = useMutation({
    mutationFn: () => {
      running.current?.abort();
      running.current = new AbortController();
      return send(request, key.trim(), running.current.signal);
    },
    // The request counts against the quota: cached usage, quota and last use of the key are stale.
    onSettled: () => void queries.invalidateQueries(),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setKeyMissing(key.trim() === "");
    if (key.trim() !== "" && !run.isPending) run.mutate();
  };
  const change = (name: string, value: string) =>
    setForm(({ dataset, values }) => ({ dataset, values: { ...values, [name]: value } }));

  return (
    <Page title="Explorer" description="Send a real request with one of your keys, and copy it as code.">
      <form className="explorer" onSubmit={submit} noValidate>
        <Card>
          <div className="stack-small explorer-form">
            <KeyField
              value={key}
              onChange={setKey}
              hasNoKeys={keys.data?.length === 0}
              error={isKeyMissing && key.trim() === "" ? "Enter a key to send a request." : undefined}
            />
            <Choice
              label="Dataset"
              value={form.dataset}
              options={datasets}
              onChange={(dataset) => setForm(({ values }) => ({ dataset, values }))}
            />
            <Parameters parameters={parametersOf[form.dataset]} values={form.values} onChange={change} />
            <div className="row">
              <Button type="submit" look="primary" isBusy={run.isPending}>
                <Icon name="play" />
                {run.isPending ? "Sending…" : "Send request"}
              </Button>
              <Button look="quiet" onClick={() => setForm(({ dataset }) => ({ dataset, values: {} }))}>
                Clear
              </Button>
            </div>
          </div>
        </Card>
      </form>
      <AsCode request={request} />
      <Card title="Answer">
        <div aria-live="polite" aria-busy={run.isPending}>
          {run.isPending ? (
            <Skeleton lines={5} />
          ) : run.isError ? (
            <ErrorState error={run.error} />
          ) : run.data === undefined ? (
            <EmptyState icon="explorer" title="Nothing sent yet">
              The answer appears here, with its status, headers and time.
            </EmptyState>
          ) : (
            <Answer answer={run.data} />
          )}
        </div>
      </Card>
    </Page>
  );
}
