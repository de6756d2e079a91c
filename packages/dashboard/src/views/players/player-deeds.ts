import type { FarmOperations } from '@steward/client';
import type { Answered, Deed } from '../../parts/deed.ts';
import { go, path } from '../../router.ts';
import { banWords, playerDeedWords as says } from '../../words.ts';
import { askingAgain } from '../bans/ask-again.ts';
import { ownerOf, type Person } from './people.ts';

interface Given {
  readonly farm: FarmOperations;
  readonly person: Person;
  readonly name: string;
  /** By the names of what it asks for. */
  readonly typed: Readonly<Record<string, string>>;
}

export interface AskedFor {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** One of these; else whatever is typed in. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Digits; those seen lately are offered, and a link may bring them. */
  readonly isIdentity?: true;
  readonly wrong?: (typed: string) => string | undefined;
}

/** Something that can be done about somebody; its words stand under the name of its operation. */
export interface PlayerDeed {
  readonly does: Extract<keyof FarmOperations, keyof typeof says>;
  readonly isDangerous?: true;
  readonly isFor: (person: Person) => boolean;
  /** Who gets the farmhand of an admin is one. */
  readonly givesAway?: true;
  /** Why it cannot be done as things are. */
  readonly notNow?: (person: Person) => string | undefined;
  /** What it has to be told beside. */
  readonly asks?: readonly AskedFor[];
  readonly of: (given: Given) => Deed<Answered>;
}

const { kickPlayer, addBan, grantAdmin, rebindFarmhand, releaseFarmhand, deleteFarmhand } = says;

/** A farmhand, as only who may moderate knows them; others know of who is here alone. */
const isFarmhand = ({ isCustomized }: Person) => isCustomized !== undefined;

const reason: AskedFor = { name: 'reason', label: banWords.reason };

export const playerDeeds: readonly PlayerDeed[] = [
  {
    does: 'kickPlayer',
    isFor: ({ isOnline }) => isOnline,
    asks: [reason],
    of: ({ farm, person: { id: playerId }, name, typed }) => ({
      question: { title: kickPlayer.sure(name), text: kickPlayer.text, verb: kickPlayer.verb },
      run: (options) => farm.kickPlayer({ playerId, reason: typed['reason'] || undefined }, options),
    }),
  },
  {
    does: 'addBan',
    isDangerous: true,
    isFor: ({ isCustomized }) => isCustomized !== false,
    asks: [reason, { name: 'until', label: banWords.ends, options: banWords.endings }],
    of: ({ farm, person: { id: playerId }, name, typed: { reason, until } }) => ({
      question: {
        title: addBan.sure(name),
        text: addBan.sureText,
        verb: addBan.verb,
        isDangerous: true,
      },
      run: (options) =>
        askingAgain((force) =>
          farm.addBan({ playerId, reason: reason || undefined, until: until || undefined, force }, options),
        ),
    }),
  },
  {
    does: 'grantAdmin',
    isFor: ({ isAdmin, isCustomized }) => isAdmin !== true && isCustomized !== false,
    of: ({ farm, person, name }) => ({
      question: { title: grantAdmin.sure(name), text: grantAdmin.text, verb: grantAdmin.verb },
      run: (options) => farm.grantAdmin({ playerId: person.id }, options),
    }),
  },
  {
    does: 'rebindFarmhand',
    givesAway: true,
    isFor: isFarmhand,
    asks: [
      {
        name: 'identity',
        label: rebindFarmhand.field,
        hint: rebindFarmhand.hint,
        isIdentity: true,
        wrong: (typed) => (/^\d{1,20}$/.test(typed) ? undefined : rebindFarmhand.wrong),
      },
    ],
    of: ({ farm, person, name, typed: { identity = '' } }) => ({
      question: {
        title: rebindFarmhand.sure(name),
        text: rebindFarmhand.sureText(identity),
        verb: rebindFarmhand.verb,
      },
      run: (options) => farm.rebindFarmhand({ playerId: person.id, identity }, options),
    }),
  },
  {
    does: 'releaseFarmhand',
    givesAway: true,
    isFor: (person) => isFarmhand(person) && ownerOf(person) !== 'released',
    of: ({ farm, person, name }) => ({
      question: {
        title: releaseFarmhand.sure(name),
        text: releaseFarmhand.text,
        verb: releaseFarmhand.verb,
      },
      run: (options) => farm.releaseFarmhand({ playerId: person.id }, options),
    }),
  },
  {
    does: 'deleteFarmhand',
    isDangerous: true,
    isFor: isFarmhand,
    notNow: ({ isOnline }) => (isOnline ? deleteFarmhand.online : undefined),
    of: ({ farm, person: { id: playerId }, name }) => ({
      question: async () => {
        // Whatever keeps it from being deleted is said before anybody is asked.
        const { message } = await farm.deleteFarmhand({ playerId, dryRun: true });
        return {
          title: deleteFarmhand.sure(name),
          text: `${message}. ${deleteFarmhand.sureText}`,
          verb: deleteFarmhand.verb,
          isDangerous: true,
        };
      },
      run: (options) => farm.deleteFarmhand({ playerId }, options),
      onDone: () => {
        // Whoever looks at something else by then stays there.
        if (path.peek().endsWith(`/${playerId}`)) go('/players');
      },
    }),
  },
];
