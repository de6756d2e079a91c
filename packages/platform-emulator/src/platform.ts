import { randomBytes } from 'node:crypto';
import { Accounts } from './accounts/accounts.ts';
import type { AuthenticationParts } from './authentication/authentication-parts.ts';
import { LoginAttempts } from './authentication/login-attempts.ts';
import { LoginLimit, LogonLimit } from './authentication/login-limit.ts';
import { passwordMethods } from './authentication/password-methods.ts';
import { qrMethods } from './authentication/qr-methods.ts';
import { RsaPasswords } from './authentication/rsa-passwords.ts';
import { tokenMethods } from './authentication/token-methods.ts';
import { Tokens } from './authentication/tokens.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import {
  CdnTokens,
  cdnTokenHandler,
  depotKeyHandler,
  ManifestRequestCodes,
  manifestRequestCodeMethod,
} from './catalogue/content-access.ts';
import { productInfoHandlers } from './catalogue/product-info.ts';
import { Cdn } from './cdn/cdn.ts';
import { CmSessions } from './cm/cm-connection.ts';
import { serviceCallHandlers } from './cm/cm-message.ts';
import { CmServer } from './cm/cm-server.ts';
import { logonHandlers } from './cm/logon.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { Lobbies } from './lobbies/lobbies.ts';
import { lobbyHandlers } from './lobbies/lobby-handlers.ts';
import { newsToMembers } from './lobbies/lobby-messages.ts';
import type { PlatformOptions } from './platform-options.ts';
import { Randomness } from './randomness.ts';
import { RequestRecord } from './record/request-record.ts';
import { Platform } from './running-platform.ts';
import { ServiceDirectory } from './services/service-method.ts';
import { TicketCooldown, ticketHandlers } from './tickets/ticket-handlers.ts';
import { certifiedHosts, loopbackEntrance } from './transport/addresses.ts';
import {
  type Certificates,
  keptCertificates,
  mintCertificates,
  temporaryCaFile,
} from './transport/certificates.ts';
import { startProxy } from './transport/proxy.ts';
import {
  connectionManagerRoute,
  contentServerRoute,
  machineCheckRoute,
  serviceRoute,
} from './web-api/routes.ts';
import { webApiServer } from './web-api/web-api.ts';

const defaultHeartbeatSeconds = 9;
const defaultPollIntervalSeconds = 0.1;
const defaultContentHosts = [{ name: 'first' }, { name: 'second' }];

let minted: Promise<Certificates> | undefined;

/** The same for each platform that this process starts, which its clients then trust once. */
function certificatesOfProcess(): Promise<Certificates> {
  minted ??= mintCertificates(certifiedHosts);
  return minted;
}

/** Starts the whole platform. Everything it is made of is composed here, and nowhere else. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const trueNow = options.now ?? Date.now;
  const faults = new FaultPlan(trueNow);
  const record = new RequestRecord(trueNow);
  const now = () => trueNow() + faults.clockSkewMs;
  const randomness = new Randomness(options.seed ?? randomBytes(16).toString('hex'));

  const entrance = options.entrance ?? { ...loopbackEntrance, port: options.continuing?.proxyPort ?? 0 };

  const accounts = new Accounts(options.accounts, randomness);
  const tokens = new Tokens(randomness, now);
  const attempts = new LoginAttempts(randomness, now);
  const limit = new LoginLimit(options.loginLimit ?? {}, now);
  const logonLimit = options.logonLimit && new LogonLimit(options.logonLimit, now);
  const catalogue = new Catalogue(options.apps ?? []);
  const requestCodes = new ManifestRequestCodes(randomness.key('manifest request codes'), now);
  const cdnTokens = new CdnTokens(randomness.key('content server tokens'), now);
  const cooldown = new TicketCooldown(now);
  const ticketKey = randomness.key('encrypted app ticket key');
  const sessions = new CmSessions();
  const lobbies = new Lobbies(sessions, newsToMembers, options.continuing?.lobbies);

  const authentication: AuthenticationParts = {
    accounts,
    attempts,
    limit,
    passwords: new RsaPasswords(),
    tokens,
    renewal: options.renewal ?? 'near-expiry',
    pollIntervalSeconds: options.pollIntervalSeconds ?? defaultPollIntervalSeconds,
    now,
  };
  const services = new ServiceDirectory([
    ...passwordMethods(authentication),
    ...qrMethods(authentication),
    ...tokenMethods(authentication),
    manifestRequestCodeMethod(catalogue, requestCodes),
  ]);

  const cdn = await Cdn.start(options.contentHosts ?? defaultContentHosts, {
    source: {
      depots: () => catalogue.depots,
      acceptsRequestCode: (depotId, manifestId, code) => requestCodes.isValid(depotId, manifestId, code),
      acceptsToken: (depotId, host, query) => cdnTokens.isValid(depotId, host, query),
    },
    faults,
    record,
    name: entrance.name,
  });

  const certificates =
    options.continuing?.certificates ??
    (options.certificateDirectory === undefined
      ? await certificatesOfProcess()
      : await keptCertificates(options.certificateDirectory, certifiedHosts));
  const origin = webApiServer({
    certificates,
    routes: [
      connectionManagerRoute,
      contentServerRoute(cdn.hosts),
      serviceRoute({ services, accounts, tokens }),
      machineCheckRoute,
    ],
    faults,
    record,
    now,
  });
  const heartbeatSeconds = options.heartbeatSeconds ?? defaultHeartbeatSeconds;
  const connectionManager = new CmServer({
    origin,
    handlers: [
      ...logonHandlers({ accounts, tokens, sessions, randomness, heartbeatSeconds, now, limit: logonLimit }),
      ...serviceCallHandlers(services),
      ...ticketHandlers({ ticketKey, catalogue, cooldown, randomness, now }),
      ...productInfoHandlers(catalogue),
      depotKeyHandler(catalogue),
      cdnTokenHandler(catalogue, cdn.hosts, cdnTokens),
      ...lobbyHandlers(lobbies),
    ],
    sessions,
    faults,
    record,
    multiForm: options.multiForm ?? 'gzip',
  });

  const proxy = await startProxy({
    faults,
    record,
    entrance,
    accept: (socket) => origin.emit('connection', socket),
  });
  const ca = await temporaryCaFile(certificates.caPem);

  return new Platform({
    accounts,
    attempts,
    catalogue,
    cdn,
    connectionManager,
    cooldown,
    faults,
    lobbies,
    record,
    sessions,
    ticketKey,
    tokens,
    ca,
    caPem: certificates.caPem,
    entrance,
    proxy,
  });
}
