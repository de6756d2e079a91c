import { constants, getPriority, setPriority } from 'node:os';
import { systemClock } from '@steward/service-kit/clock';
import type { DownloadSummary } from '../progress/progress.ts';
import { downloadFrom } from '../run/compose-download.ts';
import { EventRelay, RemoteDirectory } from './far-side.ts';
import { type FromWorker, fromPlain, type Task, type ToWorker, toSend } from './process-messages.ts';

// The other side of `downloadApart`: a process whose memory goes with it. It has no session and no credential.
const stop = new AbortController();
const directory = new RemoteDirectory((id, question) => send({ kind: 'ask', id, question }), stop.signal);
const events = new EventRelay(systemClock, (news) => send({ kind: 'news', events: news }));

// Tickets and the lobby come first, and so does a game on the same machine. One that is lower already, root alone may raise.
const { PRIORITY_BELOW_NORMAL: lower } = constants.priority;
if (getPriority() < lower) setPriority(lower);
// A terminal and systemd tell every process to stop; this one ends when the service says so, or is gone.
// SIGUSR1 would open an inspector to whoever else is on the machine, where no flag forbids it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1']) process.on(signal, () => {});
process.once('disconnect', () => stop.abort());
process.on('message', (message: ToWorker) => {
  if (message.kind === 'begin') void run(message.task);
  else if (message.kind === 'stop') stop.abort();
  else directory.answered(message);
});
// It waits for its task also where something that was loaded before it, by `--import`, has let go of the channel.
process.channel?.ref();
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    send({ kind: 'failed', why: toSend(error) }, () => process.exit(1));
  });

async function run(task: Task): Promise<void> {
  const outcome = await carryOut(task).then(
    (summary): FromWorker => ({ kind: 'done', summary }),
    (error: unknown): FromWorker => ({ kind: 'failed', why: toSend(error) }),
  );
  events.flush();
  // Nothing is left to do then; what keeps connections alive need not end by itself.
  send(outcome, () => process.exit());
}

function carryOut({ settings, command, pid, stagesOnly }: Task): Promise<DownloadSummary> {
  return downloadFrom(directory, {
    settings: fromPlain(settings),
    events,
    signal: stop.signal,
    clock: systemClock,
    command,
    pid,
    // It never updates a game by itself, also where another process has completed one since it was missed.
    choice: { stagesOnly, onlyIfMissing: !stagesOnly },
  });
}

function send(message: FromWorker, then?: () => void): void {
  if (process.connected) process.send?.(message, () => then?.());
  else then?.();
}
