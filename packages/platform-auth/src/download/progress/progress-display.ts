import type { Clock, Timer } from '@steward/service-kit/clock';
import { hangingLines } from '@steward/service-kit/text/layout';
import type { DownloadStage } from '@steward/shared/sidecar/download';
import type { PlanFigures } from '../plan/plan.ts';
import type { ProgressListener, ProgressSnapshot } from './progress.ts';
import { planText, progressLine, progressText, roomText, stageNames } from './progress-text.ts';

const barEveryMs = 200;
const linesEveryMs = 5_000;
const defaultColumns = 80;
/**
 * The last column stays free, since some terminals go to the next line when it is written; and two for the `^C` that a terminal shows
 * where the cursor is: in the next line it would leave the bar standing.
 */
const freeColumns = 3;
const clearLine = '\r\x1b[2K';

/** The part of process.stderr that is used here. */
export interface ProgressScreen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface DisplayParts {
  readonly screen: ProgressScreen;
  /** TERM=dumb and its like cannot clear a line. */
  readonly isDumb: boolean;
  readonly clock: Pick<Clock, 'after'>;
  readonly snapshot: () => ProgressSnapshot;
  readonly showsPlan: boolean;
}

/** Shows a download to whoever started it: a bar that moves on a terminal, and a line now and then anywhere else. */
export class ProgressDisplay implements ProgressListener {
  readonly #parts: DisplayParts;
  readonly #moves: boolean;
  #next: Timer | undefined;

  constructor(parts: DisplayParts) {
    this.#parts = parts;
    this.#moves = parts.screen.isTTY === true && !parts.isDumb;
  }

  start(): void {
    const everyMs = this.#moves ? barEveryMs : linesEveryMs;
    this.#next = this.#parts.clock.after(everyMs, () => {
      this.#show();
      this.start();
    });
  }

  /** Leaves a clean line behind. */
  stop(): void {
    if (this.#next === undefined) return;
    this.#next.cancel();
    this.#next = undefined;
    if (this.#moves) this.#parts.screen.write(clearLine);
  }

  stage(stage: DownloadStage): void {
    this.#line(stageNames[stage]);
  }

  planned(figures: PlanFigures, freeBytes: number): void {
    if (!this.#parts.showsPlan) return;
    for (const line of [...planText(figures, false), ...roomText(figures, freeBytes)]) this.#line(line);
  }

  warning(text: string): void {
    this.#line(text);
  }

  /** What came of it. */
  summary(lines: readonly string[]): void {
    for (const line of lines) this.#line(line);
  }

  #line(text: string): void {
    const lines = this.#moves ? hangingLines(text, this.#columns) : [text];
    this.#parts.screen.write(`${this.#moves ? clearLine : ''}${lines.join('\n')}\n`);
  }

  #show(): void {
    const { screen, snapshot } = this.#parts;
    const now = snapshot();
    // In a stage without a measure there is nothing to say beyond its name, which stands there.
    if (now.totalBytes === 0) return;
    if (this.#moves) screen.write(`${clearLine}${progressLine(now, this.#columns - freeColumns)}`);
    else this.#line(progressText(now));
  }

  /** A terminal that has just been made for a container says 0 until it is told its size. */
  get #columns(): number {
    return this.#parts.screen.columns || defaultColumns;
  }
}
