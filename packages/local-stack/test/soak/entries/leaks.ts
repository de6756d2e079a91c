import { openSync } from 'node:fs';

const everyMs = 20;
const leakedNumbers = 4_096;

const leaks: Readonly<Record<string, () => void>> = {
  memory() {
    const kept: number[][] = [];
    setInterval(() => kept.push(new Array<number>(leakedNumbers).fill(kept.length)), everyMs).unref();
  },
  handles() {
    setInterval(() => openSync('/dev/null', 'r'), everyMs).unref();
  },
};

/** What the process would be like if it kept what it should let go: whoever weighs it has to notice. */
export function leak(name: string | undefined): void {
  if (name === undefined || name === '') return;
  const begin = leaks[name];
  if (begin === undefined)
    throw new Error(`LEAK is "${name}"; it is one of ${Object.keys(leaks).join(', ')}`);
  begin();
}
