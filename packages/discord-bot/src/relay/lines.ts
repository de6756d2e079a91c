import type { Event } from '@steward/client';
import { capital } from '@steward/shared/text';
import { harmless, mostNameShown } from '../text/outward.ts';

/** What of the game is told in the channel beside the chat. */
export const tellable = ['players', 'days', 'trouble'] as const;
export type Tellable = (typeof tellable)[number];

/** One line for the channel, and the place in the farm's events behind it; without a text nothing is shown of it. */
export interface Line {
  readonly cursor: string;
  /** Who says it; without one it is told of the farm. */
  readonly speaker?: string;
  /** Ready to be shown. */
  readonly text?: string;
}

/** What the channel is told of an event. */
export function lineOf(event: Event, told: readonly Tellable[]): Line {
  const { cursor } = event;
  if (event.type === 'chat.said') {
    const { playerName, message } = event.data;
    return { cursor, speaker: playerName, text: harmless(message) };
  }
  const [kind, text] = newsOf(event);
  return kind === undefined || told.includes(kind)
    ? { cursor, ...(text === undefined ? {} : { text }) }
    : { cursor };
}

/** The news of an event; of what is always told without its kind. */
function newsOf(event: Event): readonly [Tellable | undefined, string | undefined] {
  switch (event.type) {
    case 'gap':
      return [undefined, '⚠️ Some events on the farm were not recorded and cannot be shown here.'];
    case 'players.joined':
      return ['players', `→ ${bold(event.data.playerName)} joined`];
    case 'players.left':
      return ['players', `← ${bold(event.data.playerName)} left`];
    case 'farm.dayStarted': {
      const { day, season, year } = event.data;
      return ['days', `☀️ ${capital(season)} ${day}, year ${year}`];
    }
    case 'game.crashed':
      return ['trouble', '⚠️ The game crashed and is starting again.'];
    case 'game.frozen':
      return ['trouble', '⚠️ The game does not respond.'];
    case 'backups.failed':
      return ['trouble', `⚠️ A backup failed: ${harmless(event.data.reason)}`];
    default:
      return [undefined, undefined];
  }
}

/** A name as it is, in bold; of who has none yet, that they are new. */
export function bold(name: string): string {
  return `**${harmless(name, mostNameShown) || 'Somebody new'}**`;
}
