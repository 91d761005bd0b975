/** What `opportunity_type=open` means, in the words that every description of it uses. */
export const openOpportunities = "opportunities whether upcoming, open or closed";

/** What lists without filters and searches by meaning cover. */
export const defaultScope = `${openOpportunities}; nothing awarded, nothing archived`;

/** How a reader tells the open ones from the closed. */
export const scopeHint = "`status` and `deadline_date` tell which can still be applied for.";
