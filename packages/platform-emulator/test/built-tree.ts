import { buildGame } from '../src/depot/game/build-game.ts';

// Builds a tree of so many bytes and serves it; what that came to is a line of JSON.
const bytes = Number(process.argv[2]);
const before = process.memoryUsage.rss();
let peak = before;
const chunkStore = () => ({
  get() {
    peak = Math.max(peak, process.memoryUsage.rss());
    return undefined;
  },
  put() {},
});
const { linux } = buildGame({ seed: 'memory', bytes, format: 'zstd', chunkStore });
let served = 0;
for (const id of linux.chunkIds) served += linux.chunk(id)?.length ?? 0;
const { sizeToDownload, sizeOnDisk } = linux;
process.stdout.write(`${JSON.stringify({ growth: peak - before, served, sizeToDownload, sizeOnDisk })}\n`);
