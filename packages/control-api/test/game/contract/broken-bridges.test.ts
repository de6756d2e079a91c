import { expect, it } from 'vitest';
import { brokenBridges } from './broken-bridges.ts';
import { jsonRpcSubject } from './json-rpc-subject.ts';
import { contract } from './rules.ts';

/** A rule that waits for something waits for ever where that never comes; whoever keeps it needs a fraction of this. */
const inVainMs = 2_000;

it.each(brokenBridges)('%s: is not kept by a bridge that %s', async (says, _how, broken) => {
  const rule = contract.find((one) => one.says === says);
  if (rule === undefined) throw new Error('there is no such rule');
  await using honest = await jsonRpcSubject();
  const inVain = Promise.withResolvers<'in vain'>();
  const timer = setTimeout(() => inVain.resolve('in vain'), inVainMs);
  const verdict = rule.hold(broken(honest)).then(
    () => 'kept',
    () => 'broken',
  );
  expect(await Promise.race([verdict, inVain.promise])).not.toBe('kept');
  clearTimeout(timer);
});

it('every rule is broken by one of them', () => {
  expect(new Set(brokenBridges.map(([says]) => says))).toEqual(new Set(contract.map(({ says }) => says)));
});
