import { fanOut } from './chat/fan-out.ts';
import { held } from './chat/held.ts';
import { storm } from './chat/storm.ts';
import type { Comparison } from './comparison.ts';
import { download } from './download/download.ts';
import { lzma } from './download/lzma.ts';
import { health } from './http/health.ts';
import { start } from './start/start.ts';
import { status } from './status/status.ts';

/** Every benchmark that compares, by the name that the command and the page know it by. */
export const figures: Readonly<Record<string, () => Promise<readonly Comparison[]>>> = {
  start,
  health,
  status,
  'chat-fan-out': fanOut,
  'chat-held': held,
  'chat-storm': storm,
  download,
  lzma,
};
