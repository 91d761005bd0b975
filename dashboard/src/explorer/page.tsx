import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { ApiProblem, isProblem } from "../api/errors.ts";
import { Card } from "../components/card.tsx";
import { focusInvalidField } from "../components/form.tsx";
import { useFieldErrors } from "../components/form-error.tsx";
import { EmptyState, ErrorState, Skeleton } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { SaveSearchButton } from "../saved-searches/save-button.tsx";
import { useDeployment } from "../session/context.tsx";
import { formAt, useFormInAddress } from "./address.ts";
import { Answer, BackToList } from "./answer.tsx";
import { AnswerHead } from "./answer-parts.tsx";
import { AsCode } from "./as-code.tsx";
import { useCsvDownload } from "./csv.ts";
import { type Dataset, parametersOf } from "./datasets.ts";
import { changed, cleared, filtered, opened, paged, switched } from "./form.ts";
import { isAskedFor, useEntry, useIsAskedFor } from "./history.ts";
import { KeyChoice } from "./key-choice.tsx";
import { ParameterFields } from "./parameter-fields.tsx";
import { type ExplorerForm, recordIdOf, requestFor } from "./request.ts";
import { useRun } from "./run.ts";
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
  const [form, setForm, enter] = useFormInAddress(initialForm);
  const entry = useEntry();
  const { run, sent, status, isPending, error, hasAnswer } = useRun(config.base_url, entry?.id);
  const csv = useCsvDownload(config.base_url);

  const body = sent?.answer.body;
  const problem = useMemo(() => (isProblem(body) ? new ApiProblem(body) : undefined), [body]);
  const { errors, forget } = useFieldErrors(problem);
  const fields = useRef<HTMLFormElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  // The sender of the request sees its outcome: the field that is wrong, or the answer.
  useEffect(() => {
    if (status === "idle" || status === "pending") return;
    if (!focusInvalidField(fields.current)) answer.current?.scrollIntoView({ block: "nearest" });
  }, [status]);

  const sendForm = (next: ExplorerForm) => {
    if (!isPending) run({ form: next, id: enter(next) });
  };
  // A link of another page, such as the overview's records, asks for the answer at once.
  const isAsked = useIsAskedFor();
  useEffect(() => {
    if (!isAsked || !isAskedFor()) return;
    const asked = formAt(location.search) ?? initialForm;
    run({ form: asked, id: enter(asked) });
  }, [isAsked, run, enter]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog that saves a search has a form of its own, whose events come through here.
    if (fields.current?.contains(event.target as Node)) sendForm(form);
  };
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
  };
  const open = (dataset: Dataset, id: string) => sendForm(opened(sent?.form ?? form, dataset, id));
  const list = entry?.list;
  const back = list !== undefined && hasAnswer(list.id) ? () => history.go(-list.steps) : undefined;

  return (
    <Page title="Explorer" description="Send a real request, read the answer, and copy it as code." isWide>
      <div className="explorer">
        <form ref={fields} className="explorer-request" onSubmit={submit} onKeyDown={submitByKey} noValidate>
          <Card>
            <Toolbar
              dataset={form.dataset}
              onDataset={(dataset) => setForm((before) => switched(before, dataset))}
              isSending={isPending}
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
              <div className="explorer-answer-body" aria-live="polite" aria-busy={isPending}>
                {isPending ? (
                  <>
                    <AnswerHead />
                    <Skeleton lines={5} />
                  </>
                ) : error !== null ? (
                  <>
                    <ErrorState error={error} />
                    {back !== undefined && <BackToList onClick={back} />}
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
                    onBack={back}
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
