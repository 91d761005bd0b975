import { isProblem } from "../api/errors.ts";
import { Callout } from "../components/callout.tsx";
import { curlCommand } from "../components/code-literals.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { ErrorState, Skeleton } from "../components/states.tsx";
import { AnswerBody, AnswerHead, AnswerHeaders, AnswerStatus, Faults } from "../explorer/answer-parts.tsx";
import type { Operation } from "./operations.ts";
import { tokenVariable } from "./samples.ts";
import type { Attempt } from "./use-try.ts";

/** Answer to a request that was tried: status, time, body and headers. */
export function TryAnswer({ operation, attempt }: { operation: Operation; attempt: Attempt }) {
  return (
    <div aria-live="polite" aria-busy={attempt.status === "pending"}>
      {attempt.status === "pending" && <Skeleton lines={4} />}
      {attempt.status === "failed" && <ErrorState error={attempt.error} />}
      {attempt.status === "answered" && (
        <div className="stack-small">
          <AnswerHead>
            <AnswerStatus answer={attempt.answer} />
            <CopyButton text={curlCommand(attempt.request, tokenVariable(operation))} label="Copy as curl" />
          </AnswerHead>
          {isProblem(attempt.answer.body) && (
            <Callout tone="warning" title={attempt.answer.body.title}>
              <Faults of={attempt.answer.body} />
            </Callout>
          )}
          <AnswerBody answer={attempt.answer} />
          <AnswerHeaders answer={attempt.answer} />
        </div>
      )}
    </div>
  );
}
