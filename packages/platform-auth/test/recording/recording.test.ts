import { readFileSync } from 'node:fs';
import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { whatIsNext } from '../../src/commands/setup.ts';
import { animatedSvg, type Frame } from './animated-svg.ts';
import { screenLines } from './screen-lines.ts';

/** Light enough for who reads on a phone. */
const mostBytes = 60_000;

const plain = (text: string) => [{ column: 0, text, look: '' }];

describe('what stands on a terminal', () => {
  it('is read with its colours, and with the cursor that a program draws', async () => {
    const terminal = new headless.Terminal({ cols: 10, rows: 2, allowProposedApi: true });
    const written = 'scrolled\r\n\u001b[32;1mtwo\u001b[0m \u001b[7m \u001b[0m\r\n\u001b[90mthree';
    await new Promise<void>((resolve) => terminal.write(written, resolve));
    const runs = screenLines(terminal).map((line) =>
      line.map(({ column, text, look }) => [column, text.trimEnd(), look]),
    );
    expect(runs).toEqual([
      [[0, 'scrolled', '']],
      [
        [0, 'two', 'green bold'],
        [4, '', 'inverse'],
      ],
      [[0, 'three', 'grey']],
    ]);
  });
});

describe('the picture', () => {
  const frames: readonly Frame[] = [
    { lines: [plain('stays'), plain('goes <soon> & not late')], ms: 1_000 },
    { lines: [plain('stays')], ms: 2_000 },
    { lines: [plain('stays'), plain('comes')], ms: 1_000 },
  ];
  const svg = animatedSvg({ title: 'a try', text: 'all of it', columns: 30, rows: 2, frames });
  const lines = [...svg.matchAll(/<g class="(.+?)" style="--span: (\S+)".*?<text.*?>(.*)<\/text>/g)];

  it('has each line once, for as long as it is seen', () => {
    expect(lines.map(([, shown, name, text = '']) => [shown, name, text.replaceAll(/<[^>]+>/g, '')])).toEqual(
      [
        ['part end', 's0-3', 'stays'],
        ['part', 's0-1', 'goes &lt;soon&gt; &amp; not late'],
        ['part end', 's2-3', 'comes'],
      ],
    );
    expect(svg).toContain('animation: var(--span) 4000ms ');
    expect(svg).toContain('@keyframes s0-1 { 0% { visibility: visible } 25% { visibility: hidden } }');
    expect(svg).toContain('@keyframes s2-3 { 0% { visibility: hidden } 75% { visibility: visible } }');
  });

  it('loads nothing and runs nothing, so that it plays wherever pictures are shown', () => {
    expect(svg).not.toMatch(/<script|href|url\(|@import/);
  });
});

describe('docs/terminal/setup.svg', () => {
  const svg = read('docs/terminal/setup.svg');
  const [, text = ''] = /<desc id="text">([\s\S]*?)<\/desc>/.exec(svg) ?? [];
  const screens = (page: string) =>
    [...read(page).matchAll(/```text\n(.*?)\n```/gs)].map(([, screen = '']) => screen);

  it('asks as docs/sidecar.md says, which a test holds against the program; if not, run npm run recording', () => {
    const [questions = ''] = screens('docs/sidecar.md');
    expect(onOneLine(text)).toContain(onOneLine(questions));
  });

  it('downloads as docs/download.md says, with numbers of its own; if not, run npm run recording', () => {
    const download =
      screens('docs/download.md')
        .at(-1)
        ?.replace(/.* by an earlier run\n/, '') ?? '';
    expect(withoutNumbers(text)).toContain(withoutNumbers(download));
  });

  it('ends with what is next; if not, run npm run recording', () => {
    expect(onOneLine(text)).toMatch(new RegExp(`platform-auth: ${literally(whatIsNext)}$`));
  });

  it('is a small picture', () => {
    expect(svg.length).toBeLessThanOrEqual(mostBytes);
  });
});

function read(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

function onOneLine(screen: string): string {
  return screen.replaceAll(/\s*\n[│ ]*/g, ' ').trim();
}

function withoutNumbers(screen: string): string {
  return screen.replaceAll(/[\d.]+(?: [kMG]?B\b)?/g, '…').replaceAll(/ +/g, ' ');
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
