import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../src/', import.meta.url));

// That is why `barriersAnywhere` asks in dark for the rules of colours alone.
it('differs in dark by its colours alone', () => {
  const blocks = globSync('**/*.{css,ts,tsx}', { cwd: sources }).flatMap((file) =>
    readFileSync(`${sources}${file}`, 'utf8')
      .split('prefers-color-scheme')
      .slice(1)
      .map((block) => `${file}${block}`),
  );
  expect(blocks.map((block) => block.split(':', 1)[0])).toEqual(['styles/tokens.css']);
  const declarations = blocks
    .join('')
    .split('\n')
    .filter((line) => line.endsWith(';'));
  expect(declarations.length).toBeGreaterThan(10);
  for (const declaration of declarations) expect(declaration).toMatch(/^ *--[a-z-]+: .*(#|rgb)/);
});
