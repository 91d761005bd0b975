/** Meaning of `opportunity_type=open`. All descriptions use these words. */
export const openOpportunities = "opportunities whether upcoming, open or closed";

/** Scope of lists without filters and of searches by meaning. */
export const defaultScope = `${openOpportunities}; nothing awarded, nothing archived`;

/** Tells readers how to tell open opportunities from closed ones. */
export const scopeHint = "`status` and `deadline_date` tell which can still be applied for.";
