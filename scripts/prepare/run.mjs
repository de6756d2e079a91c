import { spawn } from 'node:child_process';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** One Ctrl-C comes twice, from the terminal and from npm. */
const sameSignalMs = 300;
const endLimitMs = 5_000;
const lookMs = 200;

// From the beginning: whoever waited for this script may be gone before it has started anything.
const { ppid } = process;

/**
 * Runs a program to its end, and answers with its exit code, or 1 if a signal ended it. It does not outlive this script, nor does anything
 * that it has started: a signal is passed on to all of it, and so is the end of the shell between npm and this, which passes nothing on.
 * `whenStopped` is called before this process ends by that signal, too.
 */
export function run(command, args, { whenStopped, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, detached: true });
    let endedBy;
    let endedAt = Number.NEGATIVE_INFINITY;
    let limit;
    const end = (signal) => {
      if (performance.now() - endedAt < sameSignalMs) return;
      endedAt = performance.now();
      endedBy ??= signal;
      signalGroup(child, signal);
      limit ??= setTimeout(() => signalGroup(child, 'SIGKILL'), endLimitMs);
    };
    const look = setInterval(() => {
      if (process.ppid !== ppid && endedBy === undefined) end('SIGTERM');
    }, lookMs);
    const listeners = endings.map((signal) => [signal, () => end(signal)]);
    for (const [signal, listener] of listeners) process.on(signal, listener);
    const tidy = () => {
      clearInterval(look);
      clearTimeout(limit);
      for (const [signal, listener] of listeners) process.off(signal, listener);
    };
    child.once('error', (error) => {
      tidy();
      reject(error);
    });
    child.once('exit', (code) => {
      tidy();
      if (endedBy === undefined) resolve(code ?? 1);
      else {
        signalGroup(child, 'SIGKILL');
        whenStopped?.();
        process.kill(process.pid, endedBy);
      }
    });
  });
}

function signalGroup({ pid }, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty already.
  }
}
