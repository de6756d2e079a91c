import type { Farm, FarmOperations } from '@steward/client';
import type { Answered, Deed } from '../../parts/deed.ts';
import { go } from '../../router.ts';
import { playerDeedWords as says } from '../../words.ts';
import { ownerOf, type Person } from './people.ts';

interface Given {
  readonly farm: Farm;
  readonly person: Person;
  readonly name: string;
  readonly typed: string;
}

/** Something that can be done about somebody; its words stand under the name of its operation. */
export interface PlayerDeed {
  readonly does: Extract<keyof FarmOperations, keyof typeof says>;
  readonly isDangerous?: true;
  readonly isFor: (person: Person) => boolean;
  /** Why it cannot be done as things are. */
  readonly notNow?: (person: Person) => string | undefined;
  /** What it has to be told beside. */
  readonly asks?: {
    readonly label: string;
    readonly hint: string;
    /** Which part of the address has it already. */
    readonly given: string;
    readonly wrong: (typed: string) => string | undefined;
  };
  readonly of: (given: Given) => Deed<Answered>;
}

const { grantAdmin, rebindFarmhand, releaseFarmhand, deleteFarmhand } = says;

/** A farmhand, as only who may moderate knows them; others know of who is here alone. */
const isFarmhand = ({ isCustomized }: Person) => isCustomized !== undefined;

export const playerDeeds: readonly PlayerDeed[] = [
  {
    does: 'grantAdmin',
    isFor: ({ isAdmin, isCustomized }) => isAdmin !== true && isCustomized !== false,
    of: ({ farm, person, name }) => ({
      question: { title: grantAdmin.sure(name), text: grantAdmin.sureText, verb: grantAdmin.verb },
      run: (options) => farm.grantAdmin({ playerId: person.id }, options),
    }),
  },
  {
    does: 'rebindFarmhand',
    isFor: isFarmhand,
    asks: {
      label: rebindFarmhand.field,
      hint: rebindFarmhand.hint,
      given: 'identity',
      wrong: (typed) => (/^\d{1,20}$/.test(typed) ? undefined : rebindFarmhand.wrong),
    },
    of: ({ farm, person, name, typed }) => ({
      question: {
        title: rebindFarmhand.sure(name),
        text: rebindFarmhand.sureText(typed),
        verb: rebindFarmhand.verb,
      },
      run: (options) => farm.rebindFarmhand({ playerId: person.id, identity: typed }, options),
    }),
  },
  {
    does: 'releaseFarmhand',
    isFor: (person) => isFarmhand(person) && ownerOf(person) !== 'released',
    of: ({ farm, person, name }) => ({
      question: {
        title: releaseFarmhand.sure(name),
        text: releaseFarmhand.sureText,
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
      onDone: () => go('/players'),
    }),
  },
];
