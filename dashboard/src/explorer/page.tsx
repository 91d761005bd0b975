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
import { type Question, requestFor } from "./request.ts";
import { send } from "./send.ts";
import { useTypedKey } from "./typed-key.tsx";
import "./page.css";

const firstQuestion: Question = {
  dataset: "grants",
  values: {
    search: "summer meals for children",
    search_mode: "hybrid",
    query: "cleaning up polluted lakes",
    limit: "5",
  },
};

/** Asks the API with a key of the account, and shows the answer and the same request as code. */
export default function ExplorerPage() {
  const { config } = useDeployment();
  const [key, setKey] = useTypedKey();
  const [question, setQuestion] = useState(firstQuestion);
  const [isKeyMissing, setKeyMissing] = useState(false);
  const keys = useKeys();
  const queries = useQueryClient();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const request = requestFor(question, config.base_url);
  const run = useMutation({
    mutationFn: () => {
      running.current?.abort();
      running.current = new AbortController();
      return send(request, key.trim(), running.current.signal);
    },
    // The request counts: what other pages know of the quota and the key's last use is old.
    onSettled: () => void queries.invalidateQueries(),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setKeyMissing(key.trim() === "");
    if (key.trim() !== "" && !run.isPending) run.mutate();
  };
  const change = (name: string, value: string) =>
    setQuestion(({ dataset, values }) => ({ dataset, values: { ...values, [name]: value } }));

  return (
    <Page title="Explorer" description="Send a real request with one of your keys, and take it home as code.">
      <form className="explorer" onSubmit={submit} noValidate>
        <Card>
          <div className="stack-small explorer-form">
            <KeyField
              value={key}
              onChange={setKey}
              hasNoKeys={keys.data?.length === 0}
              error={isKeyMissing && key.trim() === "" ? "a key is needed to send a request" : undefined}
            />
            <Choice
              label="Dataset"
              value={question.dataset}
              options={datasets}
              onChange={(dataset) => setQuestion(({ values }) => ({ dataset, values }))}
            />
            <Parameters parameters={parametersOf[question.dataset]} values={question.values} onChange={change} />
            <div className="row">
              <Button type="submit" look="primary" isBusy={run.isPending}>
                <Icon name="play" />
                {run.isPending ? "Sending…" : "Send request"}
              </Button>
              <Button look="quiet" onClick={() => setQuestion(({ dataset }) => ({ dataset, values: {} }))}>
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
