import type { StewardEvent } from '@steward/shared/events/event-data';
import {
  topics as declared,
  eventTypeNames,
  keptTopicNames,
  type Topic,
  topicOf,
} from '@steward/shared/events/event-types';
import { showsIdentities } from '@steward/shared/events/shown-event';
import { keptEvents } from '../game/bridge-events.ts';
import { type Caller, may } from '../keys/caller.ts';

/** What somebody hears of all that happens. */
export interface Choice {
  readonly topics: ReadonlySet<Topic>;
  /** Whether with the identities that are in it; false also where there are none. */
  readonly seesIdentities: boolean;
}

const identified = new Set(eventTypeNames.filter(showsIdentities).map(topicOf));

/** These topics, as the caller sees them. */
export function choiceOf(caller: Caller, named: Iterable<Topic>): Choice {
  const topics = new Set(named);
  const isSomebodyNamed = topics.values().some((topic) => identified.has(topic));
  return { topics, seesIdentities: isSomebodyNamed && may(caller, 'moderate') };
}

export function mayHear(caller: Caller, topic: Topic): boolean {
  return may(caller, declared[topic].hear);
}

/** What a caller hears who names no topics: nothing of what is only live. */
export function allHeardBy(caller: Caller): readonly Topic[] {
  return keptTopicNames.filter((topic) => mayHear(caller, topic));
}

/** Whether this choice includes the event. Blank lines and chat commands have no topic, so nobody gets them. */
export function isChosen({ topics }: Pick<Choice, 'topics'>, event: StewardEvent): boolean {
  const topic = keptEvents.topicOf(event);
  return topic !== undefined && topics.has(topic);
}
