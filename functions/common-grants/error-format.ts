import type { ErrorFormat } from "../../shared/http/problems.ts";
import { problemStatus } from "../../shared/http/problems.ts";
import type { CommonError } from "../../shared/responses/common-grants.ts";

/** Failures as the protocol has them. Its makers' checker expects `application/json`. */
export const commonErrorFormat: ErrorFormat = {
  contentType: "application/json",
  body: ({ name, detail, errors = [] }): CommonError => ({
    status: problemStatus(name),
    message: detail,
    errors: errors.map(({ parameter, message }) => ({ field: parameter, message })),
  }),
};
