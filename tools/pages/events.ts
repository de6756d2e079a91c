import { eventData } from '@steward/shared/events/event-data';
import {
  type EventType,
  eventTypeNames,
  eventTypes,
  topicNames,
  topicOf,
  topics,
} from '@steward/shared/events/event-types';
import { isIdentity } from '@steward/shared/identities';
import { enough } from '@steward/shared/scopes';
import { asCode, type Places, table } from './places.ts';

export const eventPlaces: Places = {
  'types of events': topicNames
    .map((topic) => {
      const types = eventTypeNames.filter((type) => topicOf(type) === topic);
      const { means, hear } = topics[topic];
      const scopes = enough(hear).map(asCode).join(' or ');
      const rows = types.map((type) => [asCode(type), eventTypes[type], membersOf(type)]);
      return `### ${asCode(topic)}\n\n${means}. For keys with ${scopes}.\n\n${table(['Type', 'What happened', '`data`'], rows)}`;
    })
    .join('\n\n'),
};

function membersOf(type: EventType): string {
  const members = Object.entries(eventData[type].shape).map(([name, member]) => {
    const marks = [
      ...(isIdentity(member) ? ['for `moderate` alone'] : []),
      ...(member.isOptional() ? ['where there is one'] : []),
    ];
    return marks.length === 0 ? asCode(name) : `${asCode(name)} (${marks.join(', ')})`;
  });
  return members.length === 0 ? 'nothing more' : members.join(', ');
}
