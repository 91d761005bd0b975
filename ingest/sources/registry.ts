import { threeSixtyGiving } from "./360giving.ts";
import { commonGrants } from "./common-grants.ts";
import { federalOrganizations } from "./federal-organizations.ts";
import { grantsGov } from "./grants-gov.ts";
import { grantsGovSearch2 } from "./grants-gov-search2.ts";
import { grantsGovSite } from "./grants-gov-site.ts";
import { irs990pf } from "./irs-990pf.ts";
import { nihReporter } from "./nih-reporter.ts";
import { nsf } from "./nsf.ts";
import { samGov } from "./sam-gov.ts";
import { simpler } from "./simpler.ts";
import type { Source } from "./source.ts";
import { usaspending } from "./usaspending.ts";

/** Sources that the command knows by name, in the order of --help. */
export const sources: readonly Source[] = [
  grantsGov,
  grantsGovSearch2,
  grantsGovSite,
  simpler,
  commonGrants,
  samGov,
  usaspending,
  nsf,
  nihReporter,
  threeSixtyGiving,
  irs990pf,
  federalOrganizations,
];
