import { type Command, type CommandName, commands } from '@steward/shared/bridge/commands';
import { sectionNames, stateParams } from '@steward/shared/bridge/state';
import { expect } from 'vitest';
import type { CommandResult } from '../../../src/game/operations/operation.ts';
import { eventsInOrder, isLive, type Subject, stateWhere } from './subject.ts';

export interface ContractRule {
  readonly says: string;
  /** The command that it is about: a bridge that does not declare it need not keep it. */
  readonly needs?: CommandName;
  readonly hold: (subject: Subject) => Promise<void>;
}

const exactId = '620826087702429092';

function operation(result: CommandResult) {
  if (result.kind !== 'operation') throw new Error(`it is ${JSON.stringify(result)}`);
  return result.operation;
}

/** Applied, with `before` and `after` in the form that the command has everywhere. */
async function applies(subject: Subject, command: Command) {
  const { state, outcome } = operation(await subject.bridge.run(command));
  if (state !== 'applied' || outcome?.outcome !== 'applied')
    throw new Error(`${state}: ${JSON.stringify(outcome)}`);
  const form = commands[command.name].change;
  return { ...outcome, before: form.parse(outcome.before), after: form.parse(outcome.after) };
}

async function refuses(subject: Subject, command: Command, code: string): Promise<void> {
  expect(operation(await subject.bridge.run(command))).toMatchObject({ state: 'refused', outcome: { code } });
}

/** Ann was there, and the bridge knows that she is not any more. */
async function offline(subject: Subject, name: string): Promise<string> {
  const id = await subject.join(name);
  await stateWhere(
    subject,
    ({ sections }) => sections.farmhands?.some((slot) => slot.id === id && slot.name === name) === true,
  );
  await subject.leave(id);
  await stateWhere(
    subject,
    ({ sections }) => sections.farmhands?.some((slot) => slot.id === id && !slot.isOnline) === true,
  );
  return id;
}

const toAll: readonly Command[] = [
  { name: 'save', params: {} },
  { name: 'stop', params: {} },
  { name: 'setTime', params: { value: 900 } },
  { name: 'sendChat', params: { author: 'Bot', message: 'hi' } },
];

/** What the control API may count on from any bridge, whatever stands behind it. */
export const contract: readonly ContractRule[] = [
  {
    says: 'the first state is whole, and of the wire’s form',
    hold: async ({ bridge }) => {
      const { isWhole, sections, version, pushedAt, game } = bridge.state;
      expect([isWhole, version > 0, pushedAt instanceof Date]).toEqual([true, true, true]);
      expect(Object.keys(sections).toSorted()).toEqual([...sectionNames].toSorted());
      stateParams.parse(sections);
      expect(game?.capabilities.length).toBeGreaterThan(0);
    },
  },
  {
    says: 'an id keeps every digit',
    hold: async (subject) => {
      expect(await subject.join('Ann')).toBe(exactId);
      const { sections } = await stateWhere(subject, ({ sections: { players } }) => players?.length === 1);
      expect(sections.players?.[0]?.id).toBe(exactId);
    },
  },
  {
    says: 'joins and leaves are told in their order',
    hold: async (subject) => {
      const told = eventsInOrder(subject, ['players.joined', 'players.left', 'players.joined']);
      for (const name of ['Ann', 'Bob']) await offline(subject, name);
      expect(await told).toEqual(['players.joined', 'players.left', 'players.joined']);
    },
  },
  {
    says: 'what is not declared is unsupported, and never sent',
    hold: async (subject) => {
      const before = subject.applications();
      const undeclared = toAll.filter(({ name }) => !subject.capabilities.includes(name));
      expect(undeclared).not.toEqual([]);
      for (const command of undeclared)
        expect(await subject.bridge.run(command)).toEqual({ kind: 'unsupported', command: command.name });
      expect(subject.applications()).toBe(before);
    },
  },
  {
    says: 'setRenderRate tells before and after, and is seen',
    needs: 'setRenderRate',
    hold: async (subject) => {
      const outcome = await applies(subject, { name: 'setRenderRate', params: { fps: 30 } });
      expect(outcome).toMatchObject({ before: { fps: 0 }, after: { fps: 30 } });
      await stateWhere(subject, ({ sections }) => sections.rendering?.fps === 30);
    },
  },
  {
    says: 'setTime tells before and after, and is seen',
    needs: 'setTime',
    hold: async (subject) => {
      const outcome = await applies(subject, { name: 'setTime', params: { value: 1_230 } });
      expect(outcome).toMatchObject({ before: { timeOfDay: 600 }, after: { timeOfDay: 1_230 } });
      await stateWhere(subject, ({ sections }) => sections.status?.timeOfDay === 1_230);
    },
  },
  {
    says: 'grantAdmin names whom it made one, and refuses who is not there',
    needs: 'grantAdmin',
    hold: async (subject) => {
      const id = await offline(subject, 'Ann');
      const outcome = await applies(subject, { name: 'grantAdmin', params: { target: { name: 'ANN' } } });
      expect(outcome).toMatchObject({ subject: { id, name: 'Ann' }, after: { isAdmin: true } });
      await refuses(subject, { name: 'grantAdmin', params: { target: { playerId: '7' } } }, 'not-found');
    },
  },
  {
    says: 'deleteFarmhand deletes exactly that one, and nobody who is online, unknown or one of several',
    needs: 'deleteFarmhand',
    hold: async (subject) => {
      const id = await offline(subject, 'Ann');
      const delete_ = (target: { playerId: string } | { name: string }) =>
        ({ name: 'deleteFarmhand', params: { target } }) as const;
      const bob = await subject.join('Bob');
      await stateWhere(
        subject,
        ({ sections }) => sections.farmhands?.some((slot) => slot.id === bob && slot.isOnline) === true,
      );
      await refuses(subject, delete_({ playerId: bob }), 'online');
      await refuses(subject, delete_({ playerId: '7' }), 'not-found');
      const outcome = await applies(subject, delete_({ playerId: id }));
      expect(outcome).toMatchObject({ subject: { id }, before: { exists: true }, after: { exists: false } });
      expect(subject.ids()).not.toContain(id);
      expect(subject.ids()).toContain(bob);
      for (const twin of ['Kim', 'kim']) await offline(subject, twin);
      await refuses(subject, delete_({ name: 'KIM' }), 'ambiguous');
    },
  },
  {
    says: 'sendChat is applied when the line was said',
    needs: 'sendChat',
    hold: async (subject) => {
      await applies(subject, { name: 'sendChat', params: { author: 'Bot', message: 'hello' } });
    },
  },
  {
    says: 'one key is one request',
    needs: 'setTime',
    hold: async (subject) => {
      const setTime = (value: number) =>
        subject.bridge.run({ name: 'setTime', params: { value } }, { idempotencyKey: 'a-key' });
      const before = subject.applications();
      const [first, second] = await Promise.all([setTime(900), setTime(900)]);
      const third = await setTime(900);
      expect(new Set([first, second, third].map((result) => operation(result).id)).size).toBe(1);
      expect(subject.applications()).toBe(before + 1);
      expect((await setTime(910)).kind).toBe('key-reused');
    },
  },
  {
    says: 'a game that freezes is called frozen, and live again',
    hold: async (subject) => {
      subject.freeze();
      await stateWhere(subject, ({ link }) => link.status === 'frozen');
      subject.thaw();
      const { link } = await stateWhere(subject, isLive);
      expect(link.status).toBe('live');
    },
  },
  {
    says: 'without a game the last state stays, and a command is not sent',
    needs: 'setTime',
    hold: async (subject) => {
      const before = subject.bridge.state.sections.status?.farmName;
      await subject.vanish();
      const { sections } = await stateWhere(subject, ({ link }) => link.status === 'gone');
      expect(sections.status?.farmName).toBe(before);
      expect(before).toMatch(/./);
      const result = await subject.bridge.run({ name: 'setTime', params: { value: 900 } });
      expect(result).toMatchObject({ kind: 'unavailable', retryAfterMs: expect.any(Number) });
    },
  },
  {
    says: 'a command whose game goes while it has it is unknown, told by its id, and never counted as done',
    needs: 'setTime',
    hold: async (subject) => {
      subject.hold();
      const asked = subject.bridge.run({ name: 'setTime', params: { value: 900 } });
      await subject.held();
      await subject.vanish();
      const { id, state } = operation(await asked);
      expect(state).toBe('unknown');
      expect(subject.bridge.operations.find(id)?.state).toBe('unknown');
    },
  },
  {
    says: 'a game that comes back is followed again, whole, and does what it is told',
    needs: 'setTime',
    hold: async (subject) => {
      await subject.vanish();
      await stateWhere(subject, ({ link }) => link.status === 'gone');
      await subject.comeBack();
      await stateWhere(subject, isLive);
      await applies(subject, { name: 'setTime', params: { value: 1_500 } });
      await stateWhere(subject, ({ sections }) => sections.status?.timeOfDay === 1_500);
    },
  },
];
