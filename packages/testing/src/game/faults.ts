import { Transform } from 'node:stream';
import { type Line, LineSplitter } from '@steward/shared/bridge/line-splitter';
import type { LineStream } from '@steward/shared/bridge/line-stream';
import { frameLimitBytes } from '@steward/shared/bridge/protocol';
import { parseRpcMessage } from '@steward/shared/bridge/rpc-message';

/** Ways to break a rule on purpose, each with the rule that must notice. */
export const faults = {
  'speaks-before-hello': 'hello',
  'ignores-refusal': 'refused-hello',
  'partial-state': 'whole-state',
  'malformed-state': 'valid-messages',
  'malformed-state-later': 'valid-messages',
  'numeric-ids': 'valid-messages',
  batches: 'valid-messages',
  'no-ticks': 'ticks',
  'stuck-count': 'ticks',
  'holds-its-loop': 'ticks-while-waiting',
  'no-claim': 'claim-before-apply',
  'ignores-denial': 'denied-claim',
  impatient: 'unanswered-claim',
  'claims-after-loss': 'lost-claim',
  'applies-twice': 'applied-once',
  'empty-journal': 'journal',
  'breaks-its-promise': 'absent-is-kept',
  'journal-outlives-crash': 'journal-follows-save',
  'journal-not-saved': 'journal-follows-save',
  'saves-before-noting': 'journal-follows-save',
  'stays-away': 'reconnect',
  'half-a-state-later': 'reconnect',
  'dies-on-garbage': 'bad-lines',
  'mute-on-unknown': 'unknown-request',
  'reads-packets': 'framing',
  'dies-on-extras': 'unknown-members',
  'takes-any-value': 'refusals',
  'kicks-anybody': 'kick-offline',
  'tells-announcements': 'announcements',
  'tells-sent-chat': 'sent-chat',
  'mute-on-unsupported': 'unsupported',
  'closed-lobby': 'lobby-visibility',
  'changes-farm': 'same-farm',
  'hides-its-farm': 'farms',
  'founds-nothing': 'new-farm',
  'half-a-farm': 'load-farm',
  'farm-comes-last': 'load-farm',
  'no-png': 'screenshot',
  'saves-while-played': 'save',
  'stops-unsaved': 'stop',
  'ignores-stop': 'stop',
  'outlives-its-input': 'input-end',
} as const;

export type Fault = keyof typeof faults;

export function isFault(name: string): name is Fault {
  return Object.hasOwn(faults, name);
}

/** The stream of a game that has this fault in how it reads and writes; an honest game's own where it has not. */
export function withWireFault(stream: LineStream, fault: Fault | undefined): LineStream {
  switch (fault) {
    case 'numeric-ids':
      return saying(stream, (said) =>
        'method' in said && 'id' in said ? { ...said, id: Number(said['id']) } : said,
      );
    case 'batches':
      return saying(stream, (said) => (said['method'] === 'state' ? [said] : said));
    case 'reads-packets':
      return {
        ...stream,
        input: stream.input.pipe(
          new Transform({
            transform: (chunk: Buffer, _encoding, done) =>
              done(null, `${chunk.toString().trim().replaceAll('\n', ' ')}\n`),
          }),
        ),
      };
    case 'dies-on-garbage':
      return dyingOf(stream, (line) => line.kind !== 'line' || !parseRpcMessage(line.text).ok);
    case 'dies-on-extras':
      return dyingOf(stream, (line) => line.kind === 'line' && line.text.includes('"unheardOf"'));
    default:
      return stream;
  }
}

/** Each line is written as something else. */
function saying(stream: LineStream, instead: (said: Record<string, unknown>) => unknown): LineStream {
  const output = new Transform({
    transform: (line: Buffer, _encoding, done) =>
      done(null, `${JSON.stringify(instead(JSON.parse(line.toString())))}\n`),
  });
  output.pipe(stream.output);
  return { ...stream, output };
}

function dyingOf(stream: LineStream, isDeadly: (line: Line) => boolean): LineStream {
  const lines = new LineSplitter(frameLimitBytes);
  stream.input.on('data', (chunk: Buffer) => {
    if ([...lines.push(chunk)].some(isDeadly)) process.exit(1);
  });
  return stream;
}
