import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { systemClock } from '@steward/service-kit/clock';
import { webhookLimits } from '@steward/shared/api/webhook-parameters';
import { shownEvent } from '@steward/shared/events/shown-event';
import { freePort } from '@steward/testing/free-port';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { readAllowed } from '../../src/webhooks/egress/allow-list.ts';
import { egressLimits, WebhookEgress } from '../../src/webhooks/egress/webhook-egress.ts';
import { webhookTemplates } from '../../src/webhooks/templates/webhook-templates.ts';

const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
const secretOf = (text: string): string => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
const secret = secretOf('the farm’s');

function codeBlock(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`the page has no receiver in ${language}`);
  return code;
}

function joined(playerName: string) {
  const data = { playerId: '1', playerName, door: 'direct-ip', connectionId: 'L_1' } as const;
  return shownEvent({ type: 'players.joined', data }, { at: new Date(), cursor: 'a-1' }, false);
}

it.each([
  ['Node', 'js', 'mjs', process.execPath],
  ['Python', 'python', 'py', '/usr/bin/python3'],
])(
  'the receiver in %s takes what is genuine, once, and nothing else',
  async (_what, language, extension, program) => {
    using directory = temporaryDirectory();
    const file = `${directory.path}/receiver.${extension}`;
    writeFileSync(file, codeBlock(language));
    const port = await freePort();
    const { PATH } = process.env;
    const receiver = spawn(program, [file], {
      env: { PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(receiver, 'exit');
    const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
    const line = async () => (await lines.next()).value;
    const url = `http://127.0.0.1:${port}/farm`;
    const egress = new WebhookEgress({
      allowed: ['127.0.0.1'].flatMap((text) => readAllowed(text) ?? []),
      clock: systemClock,
    });
    const send = async (
      id: string,
      playerName: string,
      given: { secret?: string; sentAt?: Date; body?: string } = {},
    ) => {
      const to = { id, url, secret, sentAt: new Date(), ...given };
      const message = webhookTemplates().messageFor('standard', joined(playerName), to);
      const sent = { ...message, body: given.body ?? message.body };
      const posted = await egress.post(url, sent, new AbortController().signal);
      return posted.kind === 'answered' ? posted.status : posted.reason;
    };
    try {
      expect(await line()).toBe('listening');
      expect(await send('1', 'Ann')).toBe(204);
      expect(await line()).toBe("players.joined 'Ann'");
      expect(await send('1', 'Ann again')).toBe(204);
      expect(await send('2', 'Mallory', { secret: secretOf('another') })).toBe(401);
      expect(await send('3', 'Mallory', { body: '{"type":"players.joined","data":{}}' })).toBe(401);
      expect(await send('4', 'Mallory', { sentAt: new Date(Date.now() - 3_600_000) })).toBe(425);
      const bare = await fetch(url, { method: 'POST', body: '{}' });
      expect(bare.status).toBe(401);
      const brokenOff = connect(port, '127.0.0.1').resume();
      brokenOff.end('POST /farm HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"type":');
      await once(brokenOff, 'close');
      expect(await send('5', 'Bö\u001b[2J\nMallory')).toBe(204);
      expect(await line()).toMatch(/^players\.joined 'Bö\\x1b\[2J\\nMallory'$/i);
    } finally {
      receiver.kill('SIGKILL');
      await exited;
    }
  },
);

it('tells the limits as they are', () => {
  expect(page).toContain(`at most ${webhookLimits.urlCharacters.toLocaleString('en')} characters`);
  expect(page).toContain(
    `reads at most ${egressLimits.answerBytes / 1_024} KB of an answer, within the ${egressLimits.postMs / 1_000} seconds`,
  );
});
