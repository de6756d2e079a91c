/** Ways to break a rule on purpose, each with the rule that must notice. */
export const faults = {
  'speaks-before-hello': 'hello',
  'ignores-refusal': 'refused-hello',
  'partial-state': 'whole-state',
  'malformed-state': 'valid-messages',
  'numeric-ids': 'valid-messages',
  batches: 'valid-messages',
  'no-ticks': 'ticks',
  'stuck-count': 'ticks',
  'holds-its-loop': 'ticks-while-waiting',
  'no-claim': 'claim-before-apply',
  'ignores-denial': 'denied-claim',
  impatient: 'unanswered-claim',
  'claims-after-loss': 'lost-claim',
  'applies-twice': 'applied-once',
  'empty-journal': 'journal',
  'breaks-its-promise': 'absent-is-kept',
  'journal-outlives-crash': 'journal-follows-save',
  'journal-not-saved': 'journal-follows-save',
  'stays-away': 'reconnect',
  'half-a-state-later': 'reconnect',
  'dies-on-garbage': 'bad-lines',
  'mute-on-unknown': 'unknown-request',
  'reads-packets': 'framing',
  'dies-on-extras': 'unknown-members',
  'takes-any-value': 'refusals',
  'mute-on-unsupported': 'unsupported',
  'closed-lobby': 'lobby-visibility',
  'changes-farm': 'same-farm',
  'ignores-stop': 'stop',
  'outlives-its-input': 'input-end',
} as const;

export type Fault = keyof typeof faults;

export function isFault(name: string): name is Fault {
  return Object.hasOwn(faults, name);
}
