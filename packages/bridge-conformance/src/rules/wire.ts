import { RuleBroken } from '../driver/patience.ts';
import type { Session } from '../driver/session.ts';
import type { Rule } from './rule.ts';

const section = 'The wire';

async function stillAnswers(session: Session, after: string): Promise<void> {
  const { result } = await session.answer(
    session.send('journal', { commands: ['1'] }),
    `after ${after}, journal`,
  );
  if (result === undefined) throw new RuleBroken(`after ${after}, journal was refused`);
}

export const wire: readonly Rule[] = [
  {
    id: 'framing',
    says: 'Messages are read however the stream splits them: in pieces, and several at once',
    section,
    remedy:
      'Collect bytes until a line feed; then decode the complete line as UTF-8. A packet is not a message.',
    async check(stand) {
      const session = await stand.game();
      const journal = (id: string) =>
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'journal', params: { commands: ['1'], note: 'Häuschen 🐔' } })}\n`;
      const bytes = Buffer.from(journal('901'));
      const hen = bytes.indexOf(Buffer.from('🐔')) + 1;
      session.lines.raw(bytes.subarray(0, hen));
      await session.watch.holds(() => false, 100);
      session.lines.raw(bytes.subarray(hen));
      await session.answer('901', 'a message sent in two pieces');
      session.lines.raw(journal('902') + journal('903'));
      await session.answer('902', 'the first of two messages sent at once');
      await session.answer('903', 'the second of two messages sent at once');
    },
  },
  {
    id: 'unknown-request',
    says: 'An unknown request is answered with error -32601, an unknown notification ignored',
    section,
    remedy: 'Answer every request; newer control APIs may ask what this game does not know.',
    async check(stand) {
      const session = await stand.game();
      session.lines.send({ jsonrpc: '2.0', method: 'unheardOfNews', params: {} });
      const { error } = await session.answer(session.send('unheardOf', {}), 'an unknown request');
      if (error?.code !== -32601) throw new RuleBroken(`an unknown request got ${error?.code ?? 'a result'}`);
    },
  },
  {
    id: 'unknown-members',
    says: 'Members that the game does not know are ignored',
    section,
    remedy: 'Read the members you need and no others.',
    async check(stand) {
      const session = await stand.game();
      const id = session.send('journal', { commands: ['1'], unheardOf: { deep: [1, 2] } });
      const { error } = await session.answer(id, 'a request with an unknown member');
      if (error !== undefined) throw new RuleBroken(`a request with an unknown member got ${error.code}`);
    },
  },
  {
    id: 'bad-lines',
    says: 'A line that cannot be read does not end the connection',
    section,
    remedy: 'Answer error -32700 or -32600 with `"id": null`, and continue with the next line.',
    async check(stand) {
      const session = await stand.game();
      session.lines.raw('this is not JSON\n');
      session.lines.raw('{"jsonrpc":"2.0"}\n');
      session.lines.raw(Buffer.from([0xff, 0xfe, 0x0a]));
      await stillAnswers(session, 'three unreadable lines');
    },
  },
];
