interface Phrase {
  /** What nobody searches for, or what readers stumble over. */
  readonly avoid: RegExp;
  /** What to write instead. */
  readonly write: string;
}

/** The house style, as far as a machine can hold it. Add a phrase together with the change that takes it out of every page. */
export const phrases: readonly Phrase[] = [
  { avoid: /\bmend(s|ed|ing)?\b/i, write: 'fix; “how to fix it”' },
  { avoid: /\bnobody can tell\b/i, write: 'it is unknown' },
  { avoid: /\bby hand\b/i, write: 'manually, yourself, in an editor' },
  { avoid: /\banew\b/i, write: 'again' },
  { avoid: /\b(takes?|taken) up\b(?! to\b)/i, write: 'use, save, import' },
  { avoid: /\bthere to be known\b/i, write: 'for information' },
  { avoid: /\bin vain\b/i, write: 'without success, it failed' },
  { avoid: /\bdeeds?\b(?!\()/i, write: 'action, change' },
  { avoid: /\bhad better\b/i, write: 'should' },
  { avoid: /\ba \w+ of yours\b/i, write: 'your own' },
];
