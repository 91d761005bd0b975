import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { ApiProblem, isProblem } from "../api/errors.ts";
import { Card } from "../components/card.tsx";
import { focusInvalidField } from "../components/form.tsx";
import { useFieldErrors } from "../components/form-error.tsx";
import { EmptyState, ErrorState, Skeleton } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { SaveSearchButton } from "../saved-searches/save-button.tsx";
import { useDeployment } from "../session/context.tsx";
import { useFormInAddress } from "./address.ts";
import { Answer, AnswerHead, BackToList } from "./answer.tsx";
import { AsCode } from "./as-code.tsx";
import { useCsvDownload } from "./csv.ts";
import { type Dataset, parametersOf } from "./datasets.ts";
import { changed, cleared, filtered, opened, paged, switched } from "./form.ts";
import { KeyChoice } from "./key-choice.tsx";
import { ParameterFields } from "./parameter-fields.tsx";
import { type ExplorerForm, recordIdOf, requestFor } from "./request.ts";
import { type Sent, useRun } from "./run.ts";
import { Toolbar } from "./toolbar.tsx";
import "./page.css";

/** Initial state of the form: a search that finds something. */
const initialForm: ExplorerForm = {
  dataset: "grants",
  values: {
    search: "summer meals for children",
    search_mode: "hybrid",
    query: "cleaning up polluted lakes",
    limit: "5",
  },
};

/** Sends requests to the API, and shows the answer and the request as code beside them. */
export default function ExplorerPage() {
  const { config } = useDeployment();
  const [form, setForm] = useFormInAddress(initialForm);
  const { run, sent, setSent } = useRun(config.base_url);
  const csv = useCsvDownload(config.base_url);
  /** The list that the record on show was opened from. */
  const [list, setList] = useState<Sent>();

  const body = sent?.answer.body;
  const problem = useMemo(() => (isProblem(body) ? new ApiProblem(body) : undefined), [body]);
  const { errors, forget } = useFieldErrors(problem);
  const fields = useRef<HTMLFormElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  // The sender of the request sees its outcome: the field that is wrong, or the answer.
  useEffect(() => {
    if (run.status === "idle" || run.status === "pending") return;
    if (!focusInvalidField(fields.current)) answer.current?.scrollIntoView({ block: "nearest" });
  }, [run.status]);

  const sendForm = (next: ExplorerForm) => {
    if (run.isPending) return;
    setForm(next);
    if (recordIdOf(next) === undefined) setList(undefined);
    run.mutate(next);
  };
  // A link of another page, such as the overview's records, asks for the answer at once. A reload does not ask again.
  const isAskedFor = useRef((history.state as { send?: unknown } | null)?.send === true);
  useEffect(() => {
    if (!isAskedFor.current) return;
    isAskedFor.current = false;
    history.replaceState(null, "");
    run.mutate(form);
  }, [run.mutate, form]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog that saves a search has a form of its own, whose events come through here.
    if (fields.current?.contains(event.target as Node)) sendForm(form);
  };
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
  };
  const open = (dataset: Dataset, id: string) => {
    setList(sent);
    sendForm(opened(sent?.form ?? form, dataset, id));
  };
  const back = () => {
    if (list === undefined) return;
    setForm(list.form);
    setSent(list);
    setList(undefined);
    run.reset();
  };

  return (
    <Page title="Explorer" description="Send a real request, read the answer, and copy it as code." isWide>
      <div className="explorer">
        <form ref={fields} className="explorer-request" onSubmit={submit} onKeyDown={submitByKey} noValidate>
          <Card>
            <Toolbar
              dataset={form.dataset}
              onDataset={(dataset) => setForm((before) => switched(before, dataset))}
              isSending={run.isPending}
              onClear={() => setForm(cleared)}
              onDownload={
                form.dataset === "semantic" || recordIdOf(form) !== undefined ? undefined : () => csv.mutate(form)
              }
              isDownloading={csv.isPending}
              save={
                recordIdOf(form) === undefined && (
                  <SaveSearchButton dataset={form.dataset} url={requestFor(form, config.base_url).url} />
                )
              }
            />
            <div className="explorer-fields stack-small">
              <ParameterFields
                dataset={form.dataset}
                parameters={parametersOf[form.dataset]}
                values={form.values}
                onChange={(name, value) => {
                  forget(name);
                  setForm((before) => changed(before, name, value));
                }}
                errors={errors}
              />
              <KeyChoice />
            </div>
          </Card>
        </form>
        <div className="explorer-results">
          <div ref={answer} className="explorer-answer">
            <Card>
              <div className="explorer-answer-body" aria-live="polite" aria-busy={run.isPending}>
                {run.isPending ? (
                  <>
                    <AnswerHead />
                    <Skeleton lines={5} />
                  </>
                ) : run.isError ? (
                  <>
                    <ErrorState error={run.error} />
                    {list !== undefined && <BackToList onClick={back} />}
                  </>
                ) : sent === undefined ? (
                  <EmptyState icon="explorer" title="Nothing sent yet">
                    The answer appears here: records, JSON, headers and time.
                  </EmptyState>
                ) : (
                  <Answer
                    sent={sent}
                    onOpen={open}
                    onFilter={(name, value) => sendForm(filtered(sent.form, name, value))}
                    onPage={(cursor) => sendForm(paged(sent.form, cursor))}
                    onBack={list === undefined ? undefined : back}
                  />
                )}
              </div>
            </Card>
          </div>
          <AsCode form={form} baseUrl={config.base_url} />
        </div>
      </div>
    </Page>
  );
}
