import { randomUUID } from 'node:crypto';
import { Duplex } from 'node:stream';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { createLogger } from '@steward/service-kit/log/logger';
import { runUntilSignal } from '@steward/service-kit/process/ending';
import { exitCode, OperatorError } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import { inviteCode } from '@steward/shared/invite-code';
import { ControlServer } from './control/control-server.ts';
import type { Farm } from './farm/farm.ts';
import { ticketKeyBytes } from './networks/app-ticket.ts';
import { variables } from './program/configuration.ts';
import { type BridgeAddress, Dialler, parseBridgeAddress } from './program/dialler.ts';
import { RunningFarm } from './program/running-farm.ts';
import { SaveFolders } from './saves/save-store.ts';
import { invite, villagers } from './visitors/visitors.ts';

const noLongerAFile =
  'FARM_SAVE was removed, because a save is a folder now: set FARM_SAVES_DIR to a directory for saves, and copy the file that FARM_SAVE named beside that directory as save.json: the farm imports it';

/** Opens the farm and keeps it open until it is told to close. */
export async function serve(): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const address = parseBridgeAddress(configuration.FARM_BRIDGE);
  refuseTerminal(address);
  const secret = configuration.FARM_BRIDGE_SECRET?.reveal();
  if (address.kind === 'tcp' && secret === undefined) {
    throw new OperatorError('FARM_BRIDGE is an address over TCP, which needs FARM_BRIDGE_SECRET');
  }
  if (process.env['FARM_SAVE']) throw new OperatorError(noLongerAFile);
  const { FARM_SAVES_DIR: directory, FARM_SAVE_NAME: name, FARM_SAVE_BYTES: bytes } = configuration;
  const saves = new SaveFolders({ directory, bytes, ...(name === '' ? {} : { name }) });
  // A save that cannot be read is said now, not with the first connection.
  saves.load();
  const logger = createLogger('farm', configuration, process.stderr);
  const seed = configuration.FARM_SEED === '' ? randomUUID() : configuration.FARM_SEED;
  const running = new RunningFarm({
    seed,
    opening: randomUUID(),
    logger,
    pace: configuration.FARM_PACE,
    tps: configuration.FARM_TPS,
    saves,
    ticketKey: ticketKeyOf(configuration.FARM_TICKET_KEY),
    secret: address.kind === 'tcp' ? secret : undefined,
    now: () => performance.now(),
    onStop: () => leave({ save: false }),
    onConnectionLost: (welcomed) => {
      if (dialler === undefined) leave({ save: true });
      else if (welcomed) dialler.succeeded();
      dialler?.dial();
    },
    onOpen: (farm) => {
      invite(villagers(configuration.FARM_VISITORS), farm);
      if (configuration.FARM_GREETING !== '') logger.info(configuration.FARM_GREETING);
      if (configuration.FARM_HINTS !== '')
        onceLinked(farm, (codes) => {
          // Each by itself, as the log writes a line break out.
          for (const line of [codes, ...configuration.FARM_HINTS.trimEnd().split('\n')]) logger.info(line);
        });
    },
  });
  const dialler =
    address.kind === 'stdio' ? undefined : new Dialler(address, (stream) => running.connect(stream));
  const control = new ControlServer(configuration.FARM_CONTROL, {
    running,
    crash: () => {
      if (dialler === undefined) process.kill(process.pid, 'SIGKILL');
      running.crash();
    },
  });

  let stopped: Promise<void> | undefined;
  const stop = ({ save }: { readonly save: boolean }): Promise<void> => {
    // Later, as what is closed then says so at once, and would be the next to stop it.
    stopped ??= Promise.resolve(save).then(end);
    return stopped;
  };
  const end = async (save: boolean): Promise<void> => {
    dialler?.stop();
    running.stop({ save });
    await control.close();
  };
  const leave = (how: { readonly save: boolean }) => {
    if (stopped === undefined) void stop(how).then(() => process.exit(exitCode.ok));
  };

  await control.listen();
  const { FARM_BRIDGE: bridge, FARM_PACE: pace } = configuration;
  logger.info({ seed, bridge, pace, directory, save: saves.name ?? 'a new farm' }, 'the farm is open');
  running.start();
  if (dialler !== undefined) dialler.dial();
  else running.connect(Duplex.from({ readable: process.stdin, writable: process.stdout }));
  runUntilSignal({ stop: () => stop({ save: true }), logger });
}

/** Says how players join as soon as both codes work. */
function onceLinked({ events }: Farm, say: (codes: string) => void): void {
  const stop = events.watch(({ event }) => {
    if (event.type !== 'lobby-linked' || event.platformLobbyId === undefined) return;
    stop();
    const rawId = BigInt(event.rawId);
    say(`Players join with the code ${inviteCode('S', rawId)} or ${inviteCode('G', rawId)}`);
  });
}

/** A person at a terminal speaks no JSON-RPC. */
function refuseTerminal(address: BridgeAddress): void {
  if (address.kind !== 'stdio' || !process.stdin.isTTY) return;
  throw new OperatorError(
    'FARM_BRIDGE is stdio, and this is a terminal: let the control API start the farm (GAME_BRIDGE=spawn), or set FARM_BRIDGE to unix:<path> or tcp:<host>:<port> to connect to it',
  );
}

function ticketKeyOf(secret: Secret | undefined): Buffer | undefined {
  if (secret === undefined) return undefined;
  const key = Buffer.from(secret.reveal(), 'hex');
  if (key.length === ticketKeyBytes && secret.reveal().length === 2 * ticketKeyBytes) return key;
  throw new OperatorError(
    `FARM_TICKET_KEY is malformed: it must be ${2 * ticketKeyBytes} hexadecimal digits`,
  );
}
