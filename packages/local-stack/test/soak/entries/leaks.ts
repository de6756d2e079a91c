import { openSync } from 'node:fs';

const everyMs = 20;
const leakedBytes = 32 * 1024;

const leaks: Readonly<Record<string, () => void>> = {
  memory() {
    const kept: string[] = [];
    setInterval(() => kept.push('x'.repeat(leakedBytes - 1).concat(String(kept.length))), everyMs).unref();
  },
  handles() {
    setInterval(() => openSync('/dev/null', 'r'), everyMs).unref();
  },
};

/** What the process would be like if it kept what it should let go: whoever weighs it has to notice. */
export function leak(name: string | undefined): void {
  if (name !== undefined) leaks[name]?.();
}
