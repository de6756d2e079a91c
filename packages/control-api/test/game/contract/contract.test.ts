import { afterAll, describe, expect, it } from 'vitest';
import { existingSubject } from './existing-subject.ts';
import { jsonRpcSubject } from './json-rpc-subject.ts';
import { contract } from './rules.ts';

const subjects = { JsonRpcGameBridge: jsonRpcSubject, ExistingGameBridge: existingSubject };

describe.each(Object.entries(subjects))('%s', (name, open) => {
  const verdicts: string[] = [];

  it.each(contract)('$says', async ({ says, needs, hold }) => {
    await using subject = await open();
    const line = verdicts.push(`BROKEN ${says}`) - 1;
    // A rule that is not tried is not kept: whatever the contract has a rule of, each bridge here declares.
    if (needs !== undefined) expect(subject.capabilities).toContain(needs);
    await hold(subject);
    verdicts[line] = `kept   ${says}`;
  });

  afterAll(() => {
    process.stdout.write(`\nThe bridge's contract, ${name}:\n${verdicts.join('\n')}\n`);
  });
});
