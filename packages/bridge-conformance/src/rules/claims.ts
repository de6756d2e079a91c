import { NotChecked, RuleBroken } from '../driver/patience.ts';
import { before, type Stand } from '../driver/stand.ts';
import type { Rule } from './rule.ts';

const section = 'Commands and claims';

export const claims: readonly Rule[] = [
  {
    id: 'claim-before-apply',
    says: 'A command is claimed before it is applied',
    section,
    remedy: 'Send `claim` with the id of the command, wait for `granted: true`, only then change anything.',
    async check(stand) {
      const session = await stand.farm();
      const command = stand.commandId();
      const probe = stand.probe(session);
      const id = session.send(probe.name, { command, ...probe.params });
      await session.claimed(id, command, probe.name);
      before(probe, await session.outcome(id, probe.name));
    },
  },
  {
    id: 'denied-claim',
    says: 'A command whose claim is denied is never applied',
    section,
    remedy: 'On `granted: false` forget the command and answer `void`.',
    async check(stand) {
      const session = await stand.farm();
      session.answerClaim = () => 'deny';
      const probe = stand.probe(session);
      const outcome = await session.outcome(
        session.send(probe.name, { command: stand.commandId(), ...probe.params }),
        `${probe.name}, its claim denied,`,
      );
      if (outcome.outcome === 'applied')
        throw new RuleBroken(`${probe.name} was applied though its claim was denied`);
      if ((await stand.valueBefore(session)) === probe.value)
        throw new RuleBroken(`${probe.name} ended ${outcome.outcome}, yet the value was changed`);
    },
  },
  {
    id: 'unanswered-claim',
    says: 'A command whose claim is not answered is not applied',
    section,
    remedy: 'Wait for the answer however long it takes, until the connection ends.',
    async check(stand) {
      const session = await stand.farm();
      session.answerClaim = () => 'silence';
      const probe = stand.probe(session);
      const command = stand.commandId();
      const id = session.send(probe.name, { command, ...probe.params });
      await session.claimed(id, command, probe.name);
      await session.never(
        () => session.answered(id),
        `${probe.name} ended though its claim was not answered`,
      );
      // Or a game that takes one command after the other would take none any more.
      session.deny(command);
      if ((await stand.valueBefore(session)) === probe.value)
        throw new RuleBroken(`${probe.name} was applied though its claim was not answered`);
      await stand.drop();
    },
  },
  {
    id: 'ticks-while-waiting',
    says: 'The loop continues while a claim waits for its answer',
    section: 'tick',
    remedy: 'Do not block the loop on the answer; handle it when it has arrived.',
    async check(stand) {
      const session = await stand.farm();
      session.answerClaim = () => 'silence';
      const probe = stand.probe(session);
      const command = stand.commandId();
      const id = session.send(probe.name, { command, ...probe.params });
      await session.claimed(id, command, probe.name);
      const then = session.tickCounts.length;
      await session.until(() => session.tickCounts.length > then + 1, 'ticks stopped while a claim waited');
      await stand.drop();
    },
  },
  {
    id: 'lost-claim',
    only: 'listen',
    says: 'A claim that was not answered before the connection was lost is given up',
    section,
    remedy: 'When a connection ends, forget every command that has not been granted.',
    async check(stand) {
      const lost = await stand.farm();
      lost.answerClaim = () => 'silence';
      const probe = stand.probe(lost);
      const command = stand.commandId();
      const id = lost.send(probe.name, { command, ...probe.params });
      await lost.claimed(id, command, probe.name);
      await stand.drop();
      const session = await stand.farm();
      await session.never(
        () => session.claims.includes(command),
        'the game claimed a command again that came by an earlier connection',
      );
      if ((await stand.valueBefore(session)) === probe.value)
        throw new RuleBroken(
          `${probe.name} was applied though the connection was lost before its claim was granted`,
        );
    },
  },
  {
    id: 'applied-once',
    says: 'A command that comes twice is applied once and answered twice with the same outcome',
    section: 'The journal',
    remedy: 'Look up the id in the journal first, and among the running commands; answer from there.',
    async check(stand) {
      const session = await stand.farm();
      const probe = stand.probe(session);
      const given = { command: stand.commandId(), ...probe.params };
      const first = before(probe, await session.outcome(session.send(probe.name, given), probe.name));
      const again = before(
        probe,
        await session.outcome(session.send(probe.name, given), `${probe.name}, sent again,`),
      );
      if (first !== again)
        throw new RuleBroken(
          `sent again, ${probe.name} was not answered with its outcome: ${first} became ${again}`,
        );
      if (session.claims.filter((claimed) => claimed === given.command).length > 1)
        throw new RuleBroken(`${probe.name} was claimed a second time after it had been applied`);
    },
  },
  {
    id: 'refusals',
    says: 'An impossible command is refused with its code, and nothing is changed',
    section,
    remedy: 'Check values and targets before you claim; answer `refused` with a code from the table.',
    async check(stand) {
      const session = await stand.farm();
      const cases = [
        { name: 'setTime', params: { value: 599 }, code: 'out-of-range' },
        { name: 'setRenderRate', params: { fps: -1 }, code: 'out-of-range' },
        { name: 'grantAdmin', params: { target: { playerId: '-9223372036854775808' } }, code: 'not-found' },
        { name: 'deleteFarmhand', params: { target: { name: 'nobody is called this' } }, code: 'not-found' },
        { name: 'kick', params: { target: { playerId: '-9223372036854775808' } }, code: 'not-found' },
      ] as const;
      for (const { name, params, code } of cases.filter((given) => session.can(given.name))) {
        const outcome = await session.outcome(
          session.send(name, { command: stand.commandId(), ...params }),
          name,
        );
        if (outcome.outcome === 'refused' && outcome.code === code) continue;
        throw new RuleBroken(
          `${name} ${JSON.stringify(params)} ended ${JSON.stringify(outcome)}, not refused ${code}`,
        );
      }
    },
  },
  {
    id: 'kick-offline',
    says: 'A player who is not on the farm cannot be kicked',
    section,
    remedy:
      'Check whether a connection has the farmhand before you claim `kick`; otherwise refuse it as `offline`.',
    async check(stand) {
      const session = await stand.farm();
      if (!session.can('kick')) throw new NotChecked('needs the capability kick');
      await session.until(() => session.state.farmhands !== undefined, 'no section `farmhands` came');
      const offline = session.state.farmhands?.find(({ isOnline }) => !isOnline);
      if (offline === undefined) throw new NotChecked('this farm has no farmhand that is offline');
      const params = { command: stand.commandId(), target: { playerId: offline.id } };
      const outcome = await session.outcome(session.send('kick', params), 'kick');
      if (outcome.outcome !== 'refused' || outcome.code !== 'offline')
        throw new RuleBroken(`kick of an offline farmhand ended ${JSON.stringify(outcome)}`);
    },
  },
  {
    id: 'announcements',
    says: 'An announcement is shown, and not sent back as chat',
    section: 'Events',
    remedy: 'Send `chat` for lines that players say; do not send back lines from `announce` or `sendChat`.',
    check: (stand) => isOnlyShown(stand, 'announce', { message: 'announced by the conformance test' }),
  },
  {
    id: 'sent-chat',
    says: 'A line from `sendChat` is shown, and not sent back as chat',
    section: 'Events',
    remedy:
      'Show it under its author, and answer `applied` with `before` and `after`; send `chat` for lines that players say.',
    check: (stand) =>
      isOnlyShown(stand, 'sendChat', { author: 'Conformance', message: 'sent by the conformance test' }),
  },
  {
    id: 'unsupported',
    says: 'A command that the game cannot do is refused as unsupported',
    section,
    remedy: 'Answer `refused` with the code `unsupported`, or error -32601.',
    async check(stand) {
      const session = await stand.farm();
      const target = { farmhandId: '1', platformLobbyId: '1', command: stand.commandId() };
      const name = (['clearStamp', 'linkLobby', 'applySettings'] as const).find((each) => !session.can(each));
      if (name === undefined) return;
      const id = session.send(name, target);
      const { error } = await session.answer(id, `${name}, which this game cannot do,`);
      if (error?.code === -32601) return;
      const outcome = await session.outcome(id, name);
      if (outcome.outcome !== 'refused' || outcome.code !== 'unsupported')
        throw new RuleBroken(`${name}, which is none of its capabilities, ended ${JSON.stringify(outcome)}`);
    },
  },
];

async function isOnlyShown(
  stand: Stand,
  name: 'announce' | 'sendChat',
  given: { readonly message: string; readonly author?: string },
): Promise<void> {
  const session = await stand.farm();
  if (!session.can(name)) throw new NotChecked(`needs the capability ${name}`);
  const outcome = await session.outcome(session.send(name, { command: stand.commandId(), ...given }), name);
  if (outcome.outcome !== 'applied') throw new RuleBroken(`${name} ended ${JSON.stringify(outcome)}`);
  await session.never(
    () => session.chat.some((line) => line.includes(given.message)),
    `a line from ${name} was sent back as chat`,
  );
}
