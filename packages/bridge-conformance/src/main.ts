import { parseArgs } from 'node:util';
import { appTicketResult } from '@steward/shared/bridge/questions';
import { drive } from './conformance.ts';
import type { Bench } from './driver/bench.ts';
import { ListenBench } from './driver/listen-bench.ts';
import { usualPatience } from './driver/patience.ts';
import { SpawnBench } from './driver/spawn-bench.ts';
import { reportLines, summary } from './report.ts';
import { allRules } from './rules/all-rules.ts';
import { parseAddress } from './wire/address.ts';

const usage = `Drives a game's bridge through every rule of docs/game-bridge.md.

npm run bridge-conformance -- --listen unix:<path> | --listen tcp:<host>:<port> [--secret <text>]
npm run bridge-conformance -- --spawn '["command","argument"]'

  --rule <id>   checks this rule alone; may be repeated. The rules:
                ${allRules.map(({ id }) => id).join('\n                ')}
  --secret      what the game must send in hello
  --ticket      the app ticket, in base64, that a game gets when it asks for one; without it a game that
                opens its lobby with a ticket is not checked for lobby-visibility
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      listen: { type: 'string' },
      spawn: { type: 'string' },
      secret: { type: 'string' },
      ticket: { type: 'string' },
      rule: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { ticket } = values;
  if (ticket !== undefined && !appTicketResult.shape.ticket.safeParse(ticket).success) {
    process.stderr.write("--ticket is not base64: give the one line that the sidecar's `ticket` prints\n");
    return 2;
  }
  const bench = await openBench(values.listen, values.spawn, values.secret);
  if (values.help === true || bench === undefined) {
    process.stdout.write(usage);
    return values.help === true ? 0 : 2;
  }
  const rules = values.rule === undefined ? allRules : allRules.filter(({ id }) => values.rule?.includes(id));
  const act = bench.mode === 'listen' ? 'waiting for a game to dial' : 'starting';
  process.stdout.write(`Game bridge conformance: ${act} ${bench.where}\n\n`);
  const findings = await drive(bench, rules, usualPatience, {
    ticket,
    found: (finding) => process.stdout.write(reportLines(finding)),
  });
  process.stdout.write(`\n${summary(findings)}`);
  return findings.some(({ verdict }) => verdict === 'broken') ? 1 : 0;
}

async function openBench(listen?: string, spawn?: string, secret?: string): Promise<Bench | undefined> {
  if ((listen === undefined) === (spawn === undefined)) return undefined;
  if (spawn !== undefined) {
    const command = readCommand(spawn);
    return command === undefined ? undefined : new SpawnBench(command);
  }
  const address = parseAddress(listen ?? '');
  return address === undefined ? undefined : ListenBench.open({ ...address }, secret);
}

function readCommand(text: string): string[] | undefined {
  try {
    const command: unknown = JSON.parse(text);
    const isCommand =
      Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string');
    return isCommand ? command : undefined;
  } catch {
    return undefined;
  }
}
