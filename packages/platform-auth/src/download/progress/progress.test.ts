import { inBytes, inTime } from '@steward/service-kit/text/amounts';
import { ManualClock } from '@steward/testing/manual-clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WantedFile } from '../plan/wanted-tree.ts';
import { Progress, type ProgressSnapshot, Rate } from './progress.ts';
import { ProgressDisplay, type ProgressScreen } from './progress-display.ts';
import { progressLine } from './progress-text.ts';

const clearLine = '\r\x1b[2K';

const snapshot: ProgressSnapshot = {
  stage: 'fetching',
  doneBytes: 300_000_000,
  totalBytes: 600_000_000,
  bytesPerSecond: 31_400_000,
  leftMs: 9_600,
  file: 'Content/Maps/Farm.xnb',
  fetchedBytes: 300_000_000,
  storedBytes: 150_000_000,
  elapsedMs: 10_000,
};

describe('the line', () => {
  it.each([
    [120, '[############............]  50%  300 MB of 600 MB  31.4 MB/s  10 s left  Content/Maps/Farm.xnb'],
    [77, '[#######........]  50%  300 MB of 600 MB  31.4 MB/s  10 s left  ...s/Farm.xnb'],
    [50, ' 50%  300 MB of 600 MB  31.4 MB/s  10 s left'],
    [37, ' 50%  300 MB of 600 MB  10 s left'],
    [30, '300 MB of 600 MB  10 s left'],
    [20, '300 MB of 600 MB'],
    [5, ' 50%'],
    [0, ''],
  ])('in %i columns', (width, line) => expect(progressLine(snapshot, width)).toBe(line));

  it('is never longer than there is room, whatever it has to say', () => {
    const bytes = fc.nat({ max: 2_000_000_000_000 });
    fc.assert(
      fc.property(
        bytes,
        bytes,
        bytes,
        fc.string(),
        fc.nat({ max: 200 }),
        (done, total, rate, file, width) => {
          const line = progressLine(
            { ...snapshot, doneBytes: done, totalBytes: total, bytesPerSecond: rate, file },
            width,
          );
          expect(line.length).toBeLessThanOrEqual(width);
          expect(line).toMatch(/^[\x20-\x7e]*$/);
        },
      ),
    );
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [999.6, '1.00 kB'],
  [1_480_000_000, '1.48 GB'],
  [612_340_000, '612 MB'],
  [99_960_000, '100 MB'],
  [999_900_000, '1.00 GB'],
])('%d bytes are %s', (bytes, text) => expect(inBytes(bytes)).toBe(text));

it.each([
  [48_400, '48 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
])('%i ms are %s', (ms, text) => expect(inTime(ms)).toBe(text));

it('the rate is that of the last ten seconds', () => {
  const rate = new Rate();
  for (let second = 0; second < 30; second += 1) rate.add(second < 20 ? 1_000 : 5_000, second * 1_000);
  expect(rate.perSecond(29_999)).toBe(5_000);
  expect(rate.perSecond(34_900)).toBeCloseTo(2_500, -1);
  expect(rate.perSecond(60_000)).toBe(0);
});

describe('the display', () => {
  function arrangement(screen: Partial<ProgressScreen>, isDumb = false) {
    const clock = new ManualClock(new Date());
    let written = '';
    const progress = new Progress(clock, {
      stage: (stage) => display.stage(stage),
      planned: (figures, freeBytes) => display.planned(figures, freeBytes),
      warning: (text) => display.warning(text),
    });
    const display = new ProgressDisplay({
      screen: { write: (text) => (written += text), ...screen },
      isDumb,
      clock,
      snapshot: () => progress.snapshot,
      showsPlan: true,
    });
    display.start();
    return { clock, progress, display, take: () => written };
  }

  const file: WantedFile = {
    kind: 'file',
    name: 'Content/a.xnb',
    depotId: 1,
    bytes: 5_000_000,
    executable: false,
    chunks: [],
    contentKey: '',
    stageKey: '',
  };

  it('is a line that moves on a terminal', () => {
    const { clock, progress, display, take } = arrangement({ isTTY: true, columns: 60 });
    progress.stage('checking');
    progress.checkBegins(10_000_000);
    progress.checked(file);
    clock.advance(200);
    display.stop();
    clock.advance(10_000);
    const bar = '[####....]  50%  5.00 MB of 10.0 MB';
    expect(take()).toContain('\r\x1b[2KChecking the existing files\n');
    expect(take().split(clearLine)[2]).toBe(progressLine(progress.snapshot, 57));
    expect(take().split(clearLine)[2]).toContain(bar.slice(10));
    expect(take().endsWith(clearLine)).toBe(true);
  });

  it('does not say the name of a stage twice where there is nothing to measure', () => {
    const { clock, progress, display, take } = arrangement({ isTTY: true, columns: 80 });
    progress.stage('publishing');
    clock.advance(10_000);
    display.stop();
    expect(take().match(/Moving the files into place/g)).toHaveLength(1);
  });

  it.each([
    ['no terminal', {}, false],
    ['a terminal that cannot clear a line', { isTTY: true, columns: 60 }, true],
  ])('is a line every five seconds on %s', (_, screen, isDumb) => {
    const { clock, progress, display, take } = arrangement(screen, isDumb);
    progress.stage('checking');
    progress.checkBegins(10_000_000);
    clock.advance(4_999);
    progress.checked(file);
    clock.advance(5_001);
    display.stop();
    const lines = take().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('Checking the existing files');
    expect(lines[1]).toBe('50%  5.00 MB of 10.0 MB');
    expect(take()).not.toContain('\x1b');
  });
});
