import { systemClock } from '@steward/service-kit/clock';
import { createLogger } from '@steward/service-kit/log/logger';
import { packageVersion } from '@steward/service-kit/process/version';
import { parseExact, stringifyExact } from '@steward/shared/json/exact';
import { JsonRpcGameBridge } from './game/json-rpc/json-rpc-game-bridge.ts';
import { ListenMode } from './game/modes/listen-mode.ts';
import { bridgeLimits } from './game/state/limits.ts';
import { buildApp } from './http/app.ts';
import { documentPath } from './http/openapi/documentation.ts';
import { InviteWay } from './invites/invite-way.ts';
import { TicketDesk } from './invites/ticket-desk.ts';
import { Ownership } from './ownership/ownership.ts';
import { OwnershipFile } from './ownership/ownership-file.ts';
import { Settings } from './settings/settings.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { UnreadFiles } from './store/unread-files.ts';

/** The OpenAPI document as it is committed: of a server that is built like any other and never started. */
export async function documentText(): Promise<string> {
  const logger = createLogger('api-spec', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr);
  const version = packageVersion(import.meta.url);
  const parts = { clock: systemClock, log: logger };
  const settings = Settings.unread(new SettingsFile(''), logger);
  const ownership = new Ownership({
    ...parts,
    file: new OwnershipFile(''),
    isEnforced: () => true,
    address: () => ({ url: '', hasKey: false }),
  });
  const tickets = new TicketDesk(undefined);
  const bridge = new JsonRpcGameBridge({
    ...parts,
    mode: new ListenMode({ ...parts, address: { kind: 'unix', path: '' }, secret: undefined }),
    questions: { ...ownership.questions, appTicket: () => tickets.ask(), settings: () => settings.tell() },
    store: { load: async () => [], write: async () => {}, close: async () => {} },
    limits: bridgeLimits,
    version,
    epoch: 'unstarted',
  });
  const inviteWay = new InviteWay({ ...parts, bridge, sidecar: undefined, tickets, random: Math.random });
  const app = await buildApp({
    key: undefined,
    browsers: { allowedOrigins: new Set(), allowedHosts: new Set() },
    trustedProxies: [],
    bridge,
    inviteWay,
    ownership,
    settings,
    unread: new UnreadFiles(logger),
    disk: { problem: undefined },
    version,
    logger,
    clock: systemClock,
  });
  const { body } = await app.inject(documentPath);
  return `${stringifyExact(parseExact(body), 2)}\n`;
}
