// Preloaded into a program under test. From SIGUSR2 on it says what it does, window by window; at its end it says whether
// it has loaded Node's fetch.
import { performance } from 'node:perf_hooks';

const windowMs = 2_000;

process.on('SIGUSR2', () => {
  let before = figures();
  setInterval(() => {
    const after = figures();
    // A window is as long as it was: on a busy machine its end comes late.
    const perSecond = (name) => ((after[name] - before[name]) * 1_000) / (after.at - before.at);
    const told = { turns: perSecond('turns'), cpuMs: perSecond('cpuMs') };
    before = after;
    process.stderr.write(`watched ${JSON.stringify(told)}\n`);
  }, windowMs);
});
process.on('exit', () => {
  const hasFetch = process.moduleLoadList.some((module) => module.includes('undici'));
  process.stderr.write(`watched ${JSON.stringify({ hasFetch })}\n`);
});

function figures() {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now(),
    turns: performance.nodeTiming.uvMetricsInfo.loopCount,
    cpuMs: (user + system) / 1_000,
  };
}
