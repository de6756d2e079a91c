import { protocolVersion } from '@steward/shared/bridge/protocol';
import { sectionNames } from '@steward/shared/bridge/state';
import { NotChecked, RuleBroken } from '../driver/patience.ts';
import type { Session } from '../driver/session.ts';
import type { Rule } from './rule.ts';

function missingIn({ state }: Session) {
  return sectionNames.filter((name) => state[name] === undefined);
}

/** Its own check ends with the first state; what comes after that is looked at when all rules have been checked. */
export const validMessages: Rule = {
  id: 'valid-messages',
  says: 'Every line is one message, in the format on the page',
  section: 'The wire',
  remedy:
    'Compare the message with the table of its section; ids are decimal strings, batches are not allowed, and a print ends its line before a message begins.',
  async check(stand) {
    const session = await stand.game();
    const isBroken = () => session.malformed.length > 0;
    await session.until(() => isBroken() || session.tickCounts.length > 1, 'neither state nor tick came');
    const isOver = () => isBroken() || missingIn(session).length === 0 || session.lines.ended;
    await session.watch.holds(isOver, stand.patience.comesMs);
    if (session.malformed[0] !== undefined) throw new RuleBroken(session.malformed[0]);
  },
};

export const connecting: readonly Rule[] = [
  {
    id: 'hello',
    says: 'The game speaks first, and sends only `hello` until that is answered',
    section: 'hello',
    remedy: 'Send `hello` as the first line; hold back state, ticks and events until its answer has come.',
    async check(stand) {
      const session = await stand.fresh();
      await session.heardHello(stand.helloMs);
      await session.never(() => session.methods.length > 1, 'the game continued before hello was answered');
      if (session.methods[0] !== 'hello') throw new RuleBroken(`the first message was ${session.methods[0]}`);
      if (stand.bench.secret !== undefined && session.hello?.secret !== stand.bench.secret)
        throw new RuleBroken('hello did not have the secret from --secret');
      const major = session.hello?.protocol.major;
      if (major !== protocolVersion.major)
        throw new RuleBroken(
          `the game speaks the protocol's major version ${major}, not ${protocolVersion.major}`,
        );
      session.welcome();
      stand.adopt(session);
    },
  },
  validMessages,
  {
    id: 'whole-state',
    says: 'Every section of the state follows the answer to `hello`, unasked',
    section: 'State',
    remedy: 'After the answer send all the sections once, also those that are empty.',
    async check(stand) {
      const session = await stand.game();
      await session.watch.holds(() => missingIn(session).length === 0, stand.patience.comesMs);
      const missing = missingIn(session);
      if (missing.length > 0) throw new RuleBroken(`these sections did not come: ${missing.join(', ')}`);
    },
  },
  {
    id: 'ticks',
    says: 'The loop sends `tick` with a growing count, at least once a second',
    section: 'tick',
    remedy: 'Count in the game loop itself and send the count at least once a second.',
    async check(stand) {
      const session = await stand.game();
      const first = session.tickCounts.length;
      for (let next = first + 1; next <= first + 3; next += 1)
        await session.until(
          () => session.tickCounts.length >= next,
          'no tick came',
          stand.patience.limits.frozen,
        );
      const counts = session.tickCounts.slice(first);
      if (counts.some((count, index) => index > 0 && count <= (counts[index - 1] ?? 0)))
        throw new RuleBroken(`the counts do not grow: ${counts.join(', ')}`);
    },
  },
  {
    id: 'lobby-visibility',
    says: 'The network lobby is public, whatever the game would choose',
    section: 'The four questions',
    remedy: 'Ask `lobbyVisibility` before a lobby is made or changed, and apply the answer.',
    async check(stand) {
      const session = await stand.game();
      await session.until(() => session.state.networks !== undefined, 'no section `networks` came');
      const lobby = () => session.state.networks?.network.lobby;
      // Whoever was given a ticket signs in with it first.
      if (stand.ticket !== undefined)
        await session.watch.holds(() => lobby() !== undefined || session.lines.ended, stand.patience.comesMs);
      const opened = lobby();
      if (opened === undefined) throw new NotChecked(noLobby(session, stand.ticket));
      if (opened.visibility !== 'public') throw new RuleBroken(`the lobby is ${opened.visibility}`);
    },
  },
  {
    id: 'refused-hello',
    says: 'A game whose `hello` is refused sends nothing more on that connection',
    section: 'hello',
    remedy: 'Read the error, show its message, close; connect again later.',
    async check(stand) {
      await stand.drop();
      const session = await stand.fresh();
      await session.heardHello(stand.helloMs);
      session.refuse(-32003, 'refused by the conformance test: connect again');
      await session.never(() => session.methods.length > 1, 'the game continued after its hello was refused');
      session.lines.end();
      await stand.drop(true);
    },
  },
  {
    id: 'reconnect',
    only: 'listen',
    says: 'A game that loses its connection connects again, sends hello, and sends the complete state again',
    section: 'Connecting',
    remedy: 'Try to connect until it works, at least every 5 seconds; treat each connection as the first.',
    async check(stand) {
      await stand.game();
      await stand.drop();
      const session = await stand.game();
      await session.watch.holds(() => missingIn(session).length === 0, stand.patience.comesMs);
      const missing = missingIn(session);
      if (missing.length > 0)
        throw new RuleBroken(`after a reconnect these did not come: ${missing.join(', ')}`);
    },
  },
  {
    id: 'same-farm',
    says: 'A farm has the same id on every connection',
    section: 'hello',
    remedy: 'Make the id once, keep it in the save.',
    async check(stand) {
      const first = (await stand.game()).hello?.farm?.farmId;
      await stand.drop(true);
      const second = (await stand.game()).hello?.farm?.farmId;
      if (first === undefined || second === undefined) throw new NotChecked('no farm was loaded at hello');
      if (first !== second) throw new RuleBroken(`the farm was ${first}, then ${second}`);
    },
  },
];

function noLobby({ state }: Session, ticket: string | undefined): string {
  const why = state.networks?.network.why ?? 'it does not say why';
  const advice = ticket === undefined ? '; if it needs an app ticket, give one with --ticket' : '';
  return `this game has no lobby (${why})${advice}`;
}
