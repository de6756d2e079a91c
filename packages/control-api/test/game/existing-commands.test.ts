import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExistingStage, operationOf } from './stage/existing-stage.ts';

let stage: ExistingStage;
beforeEach(() => {
  stage = new ExistingStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

describe('a command', () => {
  it('is applied there, and says before and after', async () => {
    const { farm, origin } = await stage.server();
    farm.customize(farm.join(), 'Ann');
    const { bridge, live, until } = await stage.bridgeTo(origin);
    await live();
    await until(({ sections }) => sections.farmhands?.some(({ name }) => name === 'Ann') === true);
    expect(operationOf(await bridge.run({ name: 'setTime', params: { value: 1200 } }))).toMatchObject({
      state: 'applied',
      outcome: { before: { timeOfDay: 600 }, after: { timeOfDay: 1200 } },
    });
    expect(operationOf(await bridge.run({ name: 'setRenderRate', params: { fps: 30 } }))).toMatchObject({
      outcome: { before: { fps: 0 }, after: { fps: 30 } },
    });
    await until(({ sections }) => sections.rendering?.fps === 30);
    const target = { name: 'ANN' };
    expect(operationOf(await bridge.run({ name: 'grantAdmin', params: { target } }))).toMatchObject({
      state: 'applied',
      outcome: { subject: { id: '620826087702429092', name: 'Ann' } },
    });
    expect(farm.find(target)?.isAdmin).toBe(true);
  });

  it('deletes the farmhand of exactly that id', async () => {
    const { farm, origin } = await stage.server();
    const first = farm.join();
    farm.customize(first, 'Ann');
    const second = farm.join();
    farm.customize(second, 'Bob');
    first.isOnline = false;
    second.isOnline = false;
    const { bridge, live } = await stage.bridgeTo(origin);
    await live();
    const target = { playerId: '620826087702429092' };
    expect(operationOf(await bridge.run({ name: 'deleteFarmhand', params: { target } }))).toMatchObject({
      state: 'applied',
    });
    expect(farm.characters.map(({ id }) => String(id))).not.toContain('620826087702429092');
    expect(farm.characters.map(({ id }) => String(id))).toContain('620826087702429093');
  });

  it.each([
    [{ name: 'deleteFarmhand', params: { target: { playerId: '7' } } }, 'not-found'],
    [{ name: 'deleteFarmhand', params: { target: { name: 'Ann' } } }, 'online'],
    [{ name: 'grantAdmin', params: { target: { name: 'Twin' } } }, 'ambiguous'],
  ] as const)('that fails there with 200 is refused here: %j is %s', async (command, code) => {
    const { farm, origin } = await stage.server();
    for (const name of ['Ann', 'Twin', 'twin']) farm.customize(farm.join(), name);
    const { bridge, live, until } = await stage.bridgeTo(origin);
    await live();
    await until(({ sections }) => sections.farmhands?.some(({ name }) => name === 'twin') === true);
    expect(operationOf(await bridge.run(command))).toMatchObject({ state: 'refused', outcome: { code } });
    expect(farm.characters.every(({ isAdmin }) => !isAdmin)).toBe(true);
  });

  it('is refused for now while its game is frozen, as nothing was done', async () => {
    const { farm, origin } = await stage.server({ budgets: { actionMs: 20 } });
    const { bridge, live } = await stage.bridgeTo(origin);
    await live();
    farm.thread.freeze();
    expect(operationOf(await bridge.run({ name: 'setTime', params: { value: 900 } }))).toMatchObject({
      state: 'refused',
      outcome: { code: 'busy' },
    });
    farm.thread.thaw();
    expect(farm.calendar.timeOfDay).toBe(600);
  });

  it('whose answer is lost with that server stays unknown for good', async () => {
    const there = await stage.server();
    const { port } = there;
    const { bridge, live } = await stage.bridgeTo(there.origin);
    await live();
    there.farm.thread.freeze();
    const asked = bridge.run({ name: 'setTime', params: { value: 900 } });
    while (there.farm.thread.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await stage.close(there);
    const { id, state } = operationOf(await asked);
    expect(state).toBe('unknown');
    await stage.server({ port });
    await live();
    expect(bridge.operations.find(id)?.state).toBe('unknown');
  });

  it('of another kind is not supported', async () => {
    const { origin } = await stage.server();
    const { bridge, live } = await stage.bridgeTo(origin);
    await live();
    expect(await bridge.run({ name: 'save', params: {} })).toEqual({ kind: 'unsupported', command: 'save' });
  });
});

describe('chat', () => {
  it('comes from there, commands and their blanks kept back', async () => {
    const { farm, chat, origin } = await stage.server();
    farm.customize(farm.join(), 'Ann');
    const { live, until, event } = await stage.bridgeTo(origin);
    await live();
    await until(({ sections }) => sections.players?.[0]?.name === 'Ann');
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const heard = event(({ type }) => type === 'chat.said');
    farm.say('Ann', ' !login secret');
    farm.say('Ann', 'hello');
    expect(await heard).toEqual({
      type: 'chat.said',
      data: { playerId: '620826087702429092', playerName: 'Ann', message: 'hello' },
    });
  });

  it('is known to be said when the pong after it comes in time', async () => {
    const { farm, chat, origin } = await stage.server();
    const { bridge, live } = await stage.bridgeTo(origin);
    await live();
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const say = { name: 'sendChat', params: { author: 'Bot', message: 'hi' } } as const;
    // That server listens to a line a moment before this side knows.
    let said = await bridge.run(say);
    while (operationOf(said).state === 'refused') {
      await new Promise((resolve) => setImmediate(resolve));
      said = await bridge.run(say);
    }
    expect(operationOf(said).state).toBe('applied');
    expect(farm.inGameChat).toEqual(['(Web) Bot: hi']);
  });

  it('is unknown when the game freezes before it comes to the line, and is never counted as said', async () => {
    const dropMs = 500;
    const { farm, chat, origin } = await stage.server({ budgets: { chatMs: dropMs } });
    const limits = { chatDropMs: dropMs, chatMarginMs: 50 };
    const { bridge, live } = await stage.bridgeTo(origin, 'k', {}, limits);
    await live();
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const say = (message: string) =>
      bridge.run({ name: 'sendChat', params: { author: 'Bot', message } } as const);
    // On a busy machine a pong may come as late as that of a frozen game.
    const isSaid = async (message: string) => {
      while (operationOf(await say(message)).state !== 'applied')
        await new Promise((resolve) => setImmediate(resolve));
    };
    await isSaid('hi');
    farm.thread.freeze();
    const asked = say('lost');
    while (farm.thread.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(operationOf(await asked)).toMatchObject({ state: 'unknown', forGood: true });
    farm.thread.thaw();
    await isSaid('again');
    expect(farm.inGameChat).not.toContain('(Web) Bot: lost');
  });

  it('is refused while its line is not there', async () => {
    const { farm, chat, origin } = await stage.server();
    const { bridge, live, warnings } = await stage.bridgeTo(origin, 'k', { firstMs: 60_000 });
    await live();
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const gone = once(warnings, 'warning');
    chat.drop();
    expect(String(await gone)).toContain('the chat of the existing server is gone');
    const say = { name: 'sendChat', params: { author: 'Bot', message: 'hi' } } as const;
    const { state, outcome } = operationOf(await bridge.run(say));
    expect([state, outcome]).toMatchObject(['refused', { code: 'not-ready' }]);
  });
});
