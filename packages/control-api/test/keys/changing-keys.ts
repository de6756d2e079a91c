import { openSync, writeSync } from 'node:fs';
import { inTurn } from './stage/key-steps.ts';
import { openedRing } from './stage/opened-ring.ts';

const atOnce = 4;

// A process that makes keys, rotates and revokes them, several at once, until it is killed: each step is a line of a file when it is
// told to be done.
const [directory = '', toldPath = ''] = process.argv.slice(2);
const { ring } = await openedRing(directory);
const told = openSync(toldPath, 'a');

async function live(name: string): Promise<void> {
  for await (const { step, secret } of inTurn(ring, name)) writeSync(told, `${name} ${step} ${secret}\n`);
}

for (let number = 0; ; number += atOnce) {
  await Promise.all(Array.from({ length: atOnce }, (_, index) => live(`key-${number + index}`)));
  process.stdout.write(`${number}\n`);
}
