import { readFileSync } from 'node:fs';
import { wordWrap } from '@steward/service-kit/text/layout';
import { ManualClock } from '@steward/testing/manual-clock';
import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import { Interruption } from '../src/commands/run/interruption.ts';
import type { ManifestChunk } from '../src/download/manifest/manifest.ts';
import type { PlanFigures } from '../src/download/plan/plan.ts';
import type { WantedFile } from '../src/download/plan/wanted-tree.ts';
import { Progress } from '../src/download/progress/progress.ts';
import { ProgressDisplay } from '../src/download/progress/progress-display.ts';
import { summaryText, whenStopped } from '../src/download/progress/progress-text.ts';

const columns = 80;
const mb = 1_000_000;
const megabytesASecond = 31;
const freeBytes = 82_200 * mb;

function figures(stagedBytes: number): PlanFigures {
  const bytes = 604 * mb;
  const left = bytes - stagedBytes;
  return {
    kept: { files: 2_710, bytes },
    stripped: { files: 1_318, bytes: 896 * mb },
    strippedBy: [],
    there: { files: 0, bytes: 0 },
    toWrite: { files: 2_710, bytes },
    stagedBytes,
    reusedBytes: 0,
    toFetch: { chunks: Math.round((2_903 * left) / bytes), bytes: left, storedBytes: 0.6 * left },
    toRemove: 0,
  };
}

/** A terminal, with a download in front of it. */
class Watched {
  readonly clock = new ManualClock(new Date());
  readonly terminal = new headless.Terminal({ cols: columns, rows: 24, allowProposedApi: true });
  readonly progress: Progress;
  readonly display: ProgressDisplay;

  constructor() {
    this.display = new ProgressDisplay({
      screen: { isTTY: true, columns, write: (text) => this.write(text) },
      isDumb: false,
      clock: this.clock,
      snapshot: () => this.progress.snapshot,
      showsPlan: true,
    });
    this.progress = new Progress(this.clock, this.display);
    this.display.start();
  }

  write(text: string): void {
    // A terminal's own line discipline makes two characters of a line's end.
    this.terminal.write(text.replaceAll('\n', '\r\n'));
  }

  begin(stagedBytes: number): void {
    for (const stage of ['locking', 'listing', 'checking'] as const) this.progress.stage(stage);
    this.progress.planned(figures(stagedBytes), freeBytes);
    this.progress.stage('fetching');
  }

  fetch(megabytes: number): void {
    const chunk: ManifestChunk = { id: '', offset: 0, bytes: mb, storedBytes: 0.6 * mb };
    const file = { name: 'Content/Maps/Farm.xnb' } as WantedFile;
    for (let each = 0; each < megabytes; each += 1) {
      this.progress.written(chunk, file);
      this.progress.fetched(chunk);
      this.clock.advance(1_000 / megabytesASecond);
    }
  }

  /** What stands on the screen. */
  async picture(): Promise<string> {
    await new Promise<void>((resolve) => this.terminal.write('', resolve));
    const { active } = this.terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row));
    expect(lines.filter((line) => line?.isWrapped)).toEqual([]);
    return lines
      .map((line) => line?.translateToString(true) ?? '')
      .join('\n')
      .trimEnd();
  }
}

/** The screens in the page, one after the other. */
function pictures(): readonly string[] {
  const page = readFileSync(new URL('../../../docs/download.md', import.meta.url), 'utf8');
  const chapter = page.slice(page.indexOf('## Progress'));
  return [...chapter.matchAll(/```text\n(.*?)\n```/gs)].map(([, picture = '']) => picture);
}

it('a download looks as the page shows it: under way, after Ctrl-C, and when the next one has ended', async () => {
  const first = new Watched();
  first.begin(0);
  first.fetch(254);
  const underWay = await first.picture();

  first.write('^C');
  first.display.stop();
  const interruption = new Interruption();
  interruption.aftermath = whenStopped;
  interruption.byKey();
  const said = `platform-auth: ${(interruption.signal.reason as Error).message}`;
  first.write(wordWrap(said, columns).join('\n'));
  const stopped = (await first.picture()).slice((await first.picture()).indexOf('Downloading'));

  const second = new Watched();
  second.begin(254 * mb);
  second.fetch(350);
  for (const stage of ['finishing', 'publishing'] as const) second.progress.stage(stage);
  second.display.stop();
  const summary = { figures: figures(254 * mb), wasThere: false };
  second.display.summary(summaryText(summary, second.progress.snapshot, '/data/game'));
  expect(pictures()).toEqual([underWay, stopped, await second.picture()]);
});
