/** A collection for judging a search: texts, questions, and how well which text answers which question. */
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

/** Of each query, the grades of the documents judged: 0 for irrelevant, more for better. */
export type Judgements = Map<string, Map<string, number>>;
