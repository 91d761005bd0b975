import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useKeys } from "../api/account.ts";
import { ApiProblem, isProblem } from "../api/errors.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Choice } from "../components/choice.tsx";
import { useFieldErrors } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { EmptyState, ErrorState, Skeleton } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { SaveSearchButton } from "../saved-searches/save-button.tsx";
import { useDeployment } from "../session/context.tsx";
import { useFormInAddress } from "./address.ts";
import { Answer } from "./answer.tsx";
import { AsCode } from "./as-code.tsx";
import { datasets, parametersOf } from "./datasets.ts";
import { KeyField } from "./key-field.tsx";
import { Parameters } from "./parameters.tsx";
import { type ExplorerForm, requestFor } from "./request.ts";
import { send } from "./send.ts";
import { useTypedKey } from "./typed-key.tsx";
import "./page.css";

/** What the form has at first: a search that finds something. */
const initialForm: ExplorerForm = {
  dataset: "grants",
  values: {
    search: "summer meals for children",
    search_mode: "hybrid",
    query: "cleaning up polluted lakes",
    limit: "5",
  },
};

/** Sends requests to the API with one of the account's keys, and shows the response and the request as code. */
export default function ExplorerPage() {
  const { config } = useDeployment();
  const [key, setKey] = useTypedKey();
  const [form, setForm] = useFormInAddress(initialForm);
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
  const body = run.data?.body;
  const problem = useMemo(() => (isProblem(body) ? new ApiProblem(body) : undefined), [body]);
  const { errors, forget } = useFieldErrors(problem);
  const fields = useRef<HTMLFormElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  // Whoever sent the request sees what became of it: the field that is wrong, or the answer.
  useEffect(() => {
    if (run.status === "idle" || run.status === "pending") return;
    const wrong = fields.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    wrong?.focus();
    if (!wrong) answer.current?.scrollIntoView({ block: "nearest" });
  }, [run.status]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setKeyMissing(key.trim() === "");
    if (key.trim() !== "" && !run.isPending) run.mutate();
  };
  const change = (name: string, value: string) => {
    forget(name);
    setForm(({ dataset, values }) => ({ dataset, values: { ...values, [name]: value } }));
  };

  return (
    <Page title="Explorer" description="Send a real request with one of your keys, and copy it as code." isWide>
      <div className="explorer">
        <form ref={fields} onSubmit={submit} noValidate>
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
              <Parameters
                parameters={parametersOf[form.dataset]}
                values={form.values}
                onChange={change}
                errors={errors}
              />
              <div className="row">
                <Button type="submit" look="primary" isBusy={run.isPending}>
                  <Icon name="play" />
                  {run.isPending ? "Sending…" : "Send request"}
                </Button>
                <Button look="quiet" onClick={() => setForm(({ dataset }) => ({ dataset, values: {} }))}>
                  Clear
                </Button>
                <SaveSearchButton dataset={form.dataset} url={request.url} />
              </div>
            </div>
          </Card>
        </form>
        <div className="explorer-results">
          <div ref={answer}>
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
          </div>
          <AsCode request={request} />
        </div>
      </div>
    </Page>
  );
}
