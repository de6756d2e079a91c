import { type ListRow, listRow } from '@steward/shared/api/answers/moderation';
import type { moderationEndpoints } from '@steward/shared/api/endpoints/moderation';
import { shownReason } from '@steward/shared/chat/line';
import { withTwin } from '@steward/shared/exact-id';
import { Problem } from '@steward/shared/problems/problem';
import { z } from 'zod';
import type { Applied, CommandResult } from '../../game/operations/operation.ts';
import { readImported } from '../../moderation/lists.ts';
import { refuseWhereTheirs } from '../command-answers/command-problems.ts';
import { appliedBy, gameCommand } from '../command-answers/game-command.ts';
import { subjectOf, targetOf } from '../command-answers/subject.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

const counts = z.object({ added: z.int(), alreadyThere: z.int(), over: z.int() });

const logLine = 'the line “Client connected via …” in the log';

export function moderationHandlers({
  bridge,
  announcer,
  moderation,
}: Pick<HandlerParts, 'bridge' | 'announcer' | 'moderation'>): Handlers<keyof typeof moderationEndpoints> {
  return {
    async announce({ query: { message }, idempotencyKey }) {
      refuseWhereTheirs(bridge.state, 'announce');
      const said = await announcer.announce(message, idempotencyKey);
      if (!said.ok) throw new Problem('invalid-parameter', `message ${said.reason}`);
      const { result, cutTo } = said.value;
      const { operationId } = appliedBy(result);
      const cut = cutTo === undefined ? {} : { truncated: true as const, length: cutTo };
      return { success: true, message: 'It is shown to everybody in the game', operationId, ...cut };
    },
    kickPlayer: gameCommand(bridge, 'kickPlayer', {
      params: ({ reason, ...query }) => ({ target: targetOf(query), ...shownToThem(reason) }),
      more: ({ query, outcome }) => subjectOf(outcome, query),
      says: ({ playerName, playerIdStr }) => `${playerName || playerIdStr} is kicked, and may come back`,
    }),
    listBans: async () => ({ bans: (await moderation.list('bans')).map(shown) }),
    async addBan({ query, idempotencyKey }) {
      refuseWhereTheirs(bridge.state, 'addBan');
      const done = rowChanged(await moderation.add('bans', query, idempotencyKey));
      const told = await moderation.sendAway();
      const kicked = told.filter(({ stillOnline }) => stillOnline === undefined);
      const online = told.flatMap(({ stillOnline: reason, ...player }) =>
        reason === undefined ? [] : [{ ...player, reason }],
      );
      // Who reads the message alone, as in Discord or at a terminal, has to know who can still do harm.
      const away = named('kicked', kicked.map(nameOf));
      const here = named(
        'still online',
        online.map((player) => `${nameOf(player)} (${player.reason})`),
      );
      const { until } = done.kept;
      const end = until === undefined ? 'until the ban is lifted' : `until ${until}`;
      const then = `${end}${away}${here}`;
      return {
        ...done.answer,
        message: isOfNobodyKnown(done.kept)
          ? `Only the farmhand of ${done.whom} is banned ${then}. No identity of theirs is known, so they can come back with another farmhand: also ban the identity or address on ${logLine}`
          : `${done.whom} is banned ${then}`,
        kicked: kicked.map(person),
        stillOnline: online.map(({ reason, ...player }) => ({ ...person(player), reason })),
      };
    },
    async removeBan({ query, idempotencyKey }) {
      refuseWhereTheirs(bridge.state, 'removeBan');
      const { answer, whom } = rowChanged(await moderation.remove('bans', query, idempotencyKey));
      return { ...answer, message: `${whom} is no longer banned by this entry` };
    },
    async importBans({ query: { rows, list = 'bans', force = false, dryRun = false }, idempotencyKey }) {
      refuseWhereTheirs(bridge.state, 'importBans');
      const { good, refused } = readImported(rows, (address) =>
        force ? undefined : moderation.concernsOthers(address),
      );
      if (dryRun) {
        const { added, ...others } = await moderation.wouldImport(list, good);
        const { alreadyThere, over } = others;
        return imported({ added: added.length, alreadyThere, over }, { list, refused, dryRun });
      }
      const { operationId, outcome } = appliedBy(
        await moderation.import(list, good, { list, rows, force }, idempotencyKey),
      );
      if (list === 'bans') void moderation.sendAway();
      return { ...imported(counts.parse(outcome.after), { list, refused, dryRun }), operationId };
    },
    async listAllowed() {
      const rows = await moderation.list('allowlist');
      return {
        isOn: rows.length > 0,
        allowlist: rows.map((row) => ({
          ...shown(row),
          ...(moderation.isOver(row) ? { isOver: true as const } : {}),
        })),
      };
    },
    async allowPlayer({ query, idempotencyKey }) {
      refuseWhereTheirs(bridge.state, 'allowPlayer');
      const { answer, kept, whom } = rowChanged(await moderation.add('allowlist', query, idempotencyKey));
      return {
        ...answer,
        message: isOfNobodyKnown(kept)
          ? `${whom} can join by direct IP only, and only if their farmhand is open to it: no identity of theirs is known. For another connection, add the identity on ${logLine}. Only players on the list can join`
          : `${whom} can join, and only players on the list can`,
      };
    },
    async disallowPlayer({ query, idempotencyKey }) {
      refuseWhereTheirs(bridge.state, 'disallowPlayer');
      const { answer, whom } = rowChanged(await moderation.remove('allowlist', query, idempotencyKey));
      const isLast = (await moderation.list('allowlist')).length === 0;
      const then = isLast ? '. The list is empty: everybody can join again' : '';
      return { ...answer, message: `${whom} is no longer on the list${then}` };
    },
  };
}

/** The check of the query has seen to it that something of it can be seen. */
function shownToThem(given: string | undefined): { readonly reason?: string } {
  const reason = given === undefined ? undefined : shownReason(given);
  return reason?.ok ? { reason: reason.value.text } : {};
}

function rowChanged(result: CommandResult) {
  const { operationId, outcome }: Applied = appliedBy(result);
  const kept = listRow.parse(outcome.after);
  const { playerId, playerName, identity, address } = kept;
  const whom = playerName ?? playerId ?? address ?? `The identity ${identity}`;
  return { kept, whom, answer: { success: true as const, operationId, row: shown(kept) } };
}

/** The entry is about the farmhand alone: it covers none of the identities that this player may have. */
function isOfNobodyKnown({ playerId, identities }: ListRow): boolean {
  return playerId !== undefined && identities?.length === 0;
}

function shown({ playerId, ...row }: ListRow) {
  return { ...row, ...(playerId === undefined ? {} : withTwin('playerId', playerId)) };
}

interface Person {
  readonly playerId: string;
  readonly playerName: string;
}

function person({ playerId, playerName }: Person) {
  return { ...withTwin('playerId', playerId), playerName };
}

function nameOf({ playerId, playerName }: Person): string {
  return playerName || playerId;
}

function named(what: string, players: readonly string[]): string {
  return players.length === 0 ? '' : `; ${what}: ${players.join(', ')}`;
}

function imported(
  { added, alreadyThere, over }: z.infer<typeof counts>,
  rest: {
    readonly list: 'bans' | 'allowlist';
    readonly refused: { row: number; reason: string }[];
    readonly dryRun: boolean;
  },
) {
  const verb = rest.dryRun ? 'would be added' : 'were added';
  const message = `${added} ${verb}, ${alreadyThere} were already on the list, ${over} are over, ${rest.refused.length} cannot be added`;
  return { success: true as const, message, added, alreadyThere, over, ...rest };
}
