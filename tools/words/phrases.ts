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
  { avoid: /\bwhere nothing is said\b/i, write: 'by default' },
  { avoid: /\bat the most\b/i, write: 'at most' },
  { avoid: /\bmake room\b/i, write: 'free some space' },
  {
    avoid: /\bsees? (players|everybody|all players) off\b|\bseen off\b|\bseeing players off\b/i,
    write: 'drain; warn and disconnect players',
  },
  { avoid: /\bsen(d|t|ds) away\b/i, write: 'kick' },
  { avoid: /\bturned away\b/i, write: 'refused' },
  { avoid: /\bnobody knows\b/i, write: 'it is unknown' },
  { avoid: /\bgood for nothing\b|\bnot good for\b/i, write: 'does not allow' },
  { avoid: /\bthose that there are\b|\bwhat there is\b/i, write: 'all …, the existing …' },
  { avoid: /\bgoes? on where it (was|stopped)\b/i, write: 'continues where it stopped' },
  { avoid: /\bwhat became of\b|\bwhat becomes of\b/i, write: 'how it ended, the outcome' },
  { avoid: /\bdials? in\b|\bdialled in\b|\bdial again\b/i, write: 'connect' },
  {
    avoid: /\bcomes? by (address|direct IP|another (way|door))\b/i,
    write: 'connect by IP, connect in another way',
  },
  { avoid: /\ball the same\b/i, write: 'anyway, still' },
  { avoid: /\bis left as it is\b/i, write: 'is left unchanged' },
  { avoid: /\bdoes not pass\b/i, write: 'does not work' },
  { avoid: /\bbetween commas\b|\bwith commas between\b/i, write: 'separated by commas' },
];
