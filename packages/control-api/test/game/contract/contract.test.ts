import { afterAll, describe, it } from 'vitest';
import { existingSubject } from './existing-subject.ts';
import { jsonRpcSubject } from './json-rpc-subject.ts';
import { contract } from './rules.ts';

const subjects = { JsonRpcGameBridge: jsonRpcSubject, ExistingGameBridge: existingSubject };

describe.each(Object.entries(subjects))('%s', (name, open) => {
  const verdicts: string[] = [];

  it.each(contract)('$says', async ({ says, needs, hold }) => {
    await using subject = await open();
    const isDeclared = needs === undefined || subject.capabilities.includes(needs);
    const line = verdicts.push(`BROKEN       ${says}`) - 1;
    if (isDeclared) await hold(subject);
    verdicts[line] = `${isDeclared ? 'kept        ' : 'not declared'} ${says}`;
  });

  afterAll(() => {
    process.stdout.write(`\nThe bridge's contract, ${name}:\n${verdicts.join('\n')}\n`);
  });
});
