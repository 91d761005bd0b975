/** Test collection for search: documents, queries, and relevance judgements. */
export interface Collection {
  name: string;
  documents: CollectionDocument[];
  queries: CollectionQuery[];
  judgements: Judgements;
}

export interface CollectionDocument {
  id: string;
  /** May be empty. */
  title: string;
  text: string;
}

export interface CollectionQuery {
  id: string;
  text: string;
}

/** Grades of the judged documents, by query and document: 0 for irrelevant, more for better. */
export type Judgements = Map<string, Map<string, number>>;
