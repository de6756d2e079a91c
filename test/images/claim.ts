/** Something that a document must keep to, with the ways to break it that the claim itself must notice. */
export interface Claim<Document> {
  readonly says: string;
  /** What is wrong, a line each; empty when the claim holds. */
  readonly problems: (document: Document) => string[];
  /** Each changes a copy that is in order into one that is not. */
  readonly breaks: Readonly<Record<string, (document: Document) => void>>;
}

/** The complaint when the condition is not met, as a list to spread into others. */
export function unless(condition: boolean, complaint: string): string[] {
  return condition ? [] : [complaint];
}
