import { eventTypes, type Topic, topicNames } from '@steward/shared/events/event-types';
import type { ToldEvent } from '../sending.ts';
import { longest, theirs, words } from './pieces.ts';
import { ofNoTopic, type Says, says, type Telling } from './says.ts';

/** A server that has a name says it first, as several may write to one channel. */
export function tellingOf(event: ToldEvent, instance: string): Telling {
  const said = saysOf(event);
  const named = instance === '' ? [] : words`${theirs(instance, longest.name)}: `;
  const text = said.text?.filter((piece) => typeof piece === 'string' || piece.theirs !== '');
  return { codes: [], weight: 'usual', ...said, title: [...named, ...said.title], text: text ?? [] };
}

function saysOf({ type, data }: ToldEvent): Says {
  if (type === 'gap' || type === 'test') return ofNoTopic[type];
  // The log has checked that an event says what its type does; ids alone are shown in another form.
  const say = says[type] as ((data: object) => Says) | undefined;
  return say?.(data) ?? { icon: '📣', title: words`${theirs(eventTypes[type] ?? type, longest.word)}` };
}

/** What concerns every reader has none. */
export function topicTold({ type }: ToldEvent): Topic | undefined {
  return topicNames.find((topic) => type.startsWith(`${topic}.`));
}

const colours: Readonly<Record<Topic, `#${string}`>> = {
  chat: '#5865f2',
  players: '#2eb67d',
  farm: '#e8a33d',
  farmhands: '#8bc34a',
  invites: '#9b59b6',
  game: '#3498db',
  operations: '#607d8b',
  backups: '#795548',
  schedules: '#3f51b5',
  sidecar: '#1abc9c',
  server: '#34495e',
  webhooks: '#e67e22',
  state: '#9e9e9e',
};

const urgentColour = '#e01e5a';
const plainColour = '#95a5a6';

/** By topic, but for what somebody should look at. */
export function colourOf(event: ToldEvent, { weight }: Telling): `#${string}` {
  if (weight === 'urgent') return urgentColour;
  const topic = topicTold(event);
  return topic === undefined ? plainColour : colours[topic];
}
