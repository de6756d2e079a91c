import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Audit } from './audit/audit.ts';
import { ThreadArchivist } from './backups/archive/thread-archivist.ts';
import { chatLimitsOf } from './chat/limits.ts';
import { composeBackups } from './compose/backups.ts';
import { composeBridge } from './compose/bridge.ts';
import { composeDashboard } from './compose/dashboard.ts';
import { composeFarmChanges } from './compose/farm-changes.ts';
import { composeSchedules } from './compose/schedules.ts';
import { keptEvents } from './game/bridge-events.ts';
import { buildApp } from './http/app.ts';
import { AppTickets } from './invites/app-tickets.ts';
import { Invites } from './invites/invites.ts';
import { KeyRing } from './keys/key-ring.ts';
import { ListsRegister, listsName } from './moderation/lists-register.ts';
import { Moderation } from './moderation/moderation.ts';
import { Ownership } from './ownership/ownership.ts';
import { farmsName, OwnershipFile } from './ownership/ownership-file.ts';
import type { Service, ServiceParts } from './service-parts.ts';
import { FarmOrigins } from './settings/farm-origins.ts';
import { Settings } from './settings/settings.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { SidecarClient } from './sidecar/sidecar-client.ts';
import { farmView } from './status/farm-view.ts';
import { Sampler } from './status/sampler.ts';
import { NewerFiles } from './store/directory/newer-files.ts';
import { StateDirectory } from './store/directory/state-directory.ts';
import { takeStateLock } from './store/directory/state-lock.ts';
import { Store } from './store/store.ts';
import { WebhookEgress } from './webhooks/egress/webhook-egress.ts';
import { webhookTemplates } from './webhooks/templates/webhook-templates.ts';
import { Webhooks } from './webhooks/webhooks.ts';

/** Puts the parts of the service together, here and nowhere else; nothing is read or asked before `start`. */
export async function composeService(parts: ServiceParts): Promise<Service> {
  const { configuration, version, logger, clock, retryClock, random } = parts;
  const { STATE_DIR, API_KEY, INSTANCE_NAME: instance } = configuration;
  const newerFiles = new NewerFiles(logger);
  const disk = new StateDirectory({ path: STATE_DIR, clock, log: logger });
  const store = new Store({
    directory: STATE_DIR,
    clock,
    log: logger,
    newerFiles,
    disk,
    newEpoch: () => randomBytes(6).toString('hex'),
    keep: {
      events: { days: configuration.EVENTS_KEEP_DAYS, count: configuration.EVENTS_KEEP_COUNT },
      samples: { days: configuration.SAMPLES_KEEP_DAYS },
      audit: { days: configuration.AUDIT_KEEP_DAYS },
    },
    mayOpen: () => isAlone(),
    ...(parts.startWriter === undefined ? {} : { startWriter: parts.startWriter }),
  });
  const events = store.eventLog(keptEvents);
  const origins = new FarmOrigins(join(STATE_DIR, 'farm-origins.json'), logger, newerFiles);
  // The existing server has a settings file of its own, which is not ours to read or to make.
  const isFileOurs = configuration.GAME_BRIDGE !== 'existing';
  const settingsFile = new SettingsFile(configuration.SETTINGS_PATH);
  const settings = new Settings(settingsFile, logger, isFileOurs ? origins : undefined);
  const bans = new ListsRegister({ path: join(STATE_DIR, listsName), clock, log: logger });
  const moderation = new Moderation({
    register: bans,
    clock,
    log: logger,
    ownerOf: (farmhandId) => ownership.ownerOf(farmhandId),
    knowsOwner: (farmhandId) => ownership.knowsOwner(farmhandId),
  });
  const ownership = new Ownership({
    objections: [moderation.objections, { look: () => drains.objections.look() }],
    file: new OwnershipFile(join(STATE_DIR, farmsName)),
    clock,
    log: logger,
    isEnforced: () => settings.view.effective.server.enforceFarmhandOwnership,
    hasKey: API_KEY !== undefined,
  });
  const sidecar = sidecarOf(parts);
  const tickets = new AppTickets(sidecar);
  const bridge = await composeBridge({
    configuration,
    version,
    log: logger,
    clock,
    retryClock,
    random,
    store,
    events,
    questions: {
      ...ownership.questions,
      appTicket: () => tickets.ask(),
      settings: () => settings.forHello(),
    },
    replacements: parts.bridge ?? {},
  });
  settings.attach(bridge);
  ownership.attach(bridge);
  moderation.attach(bridge);
  const invites = new Invites({ bridge, sidecar, tickets, clock: retryClock, random, log: logger });
  const keys = new KeyRing({
    kept: store.keys(),
    operations: bridge.operations,
    clock,
    log: logger,
    hasOwner: API_KEY !== undefined,
  });
  const webhooks = new Webhooks({
    kept: store.webhooks(),
    events,
    operations: bridge.operations,
    egress: parts.egress ?? new WebhookEgress({ allowed: configuration.WEBHOOK_ALLOW, clock }),
    templates: webhookTemplates(instance),
    clock,
    retryClock,
    random,
    log: logger,
  });
  const { backups, restores, checkPlaces } = composeBackups({
    configuration,
    version,
    bridge,
    archivist: parts.archivist ?? new ThreadArchivist(),
    settings,
    owners: ownership,
    bans,
    clock,
    log: logger,
  });
  const samples = store.samples();
  const sampler = new Sampler({ bridge, samples, clock, memoryBytes: process.memoryUsage.rss });
  const keptAudit = store.audit();
  const audit = new Audit({ kept: keptAudit, store, operations: bridge.operations, clock, log: logger });
  const { announcer, drains, farms, updates, screenshots } = composeFarmChanges({
    stateDirectory: STATE_DIR,
    bridge,
    backups,
    settings,
    sidecar,
    newerFiles,
    clock,
    log: logger,
  });
  const { schedules, emptiness } = composeSchedules({
    bridge,
    announcer,
    backups,
    drains,
    updates,
    keys,
    samples,
    store,
    audit,
    events,
    clock,
    log: logger,
  });
  const seen = { bridge, invites, ownership, moderation, drains, newerFiles, disk, store, emptiness };
  const app = await buildApp({
    ...seen,
    instance,
    settings,
    announcer,
    farms,
    screenshots,
    keys,
    webhooks,
    backups,
    restores,
    schedules,
    samples,
    keptAudit,
    audit,
    version,
    logger,
    clock,
    key: API_KEY,
    browsers: {
      allowedOrigins: new Set(configuration.API_ALLOWED_ORIGINS),
      allowedHosts: new Set(configuration.API_ALLOWED_HOSTS),
    },
    trustedProxies: configuration.TRUSTED_PROXIES,
    chatLimits: { ...chatLimitsOf(configuration), ...parts.chatLimits },
    ...(parts.writes === undefined ? {} : { writes: parts.writes }),
  });

  const view = farmView({ ...seen, instance });
  const dashboard = composeDashboard({ configuration, version, app, view, pageFrom: parts.pageFrom });

  let isStarted = false;
  let lock: AsyncDisposable | undefined;
  /** Not known of a directory that cannot be written, where nothing can be locked. */
  const isAlone = async (command = 'serve') => {
    const now = () => clock.date();
    lock ??= await takeStateLock({ directory: STATE_DIR, command, now, log: logger });
    return lock !== undefined;
  };
  const readKept = async () => {
    keys.load();
    webhooks.load();
    schedules.load();
    await audit.load();
  };
  store.whenOpenedLate(() => void readKept());
  const open = async (command?: string): Promise<void> => {
    await checkPlaces();
    await disk.make();
    await isAlone(command);
    await restores.recover();
    store.open();
    await readKept();
    await backups.load();
    await moderation.load();
  };

  return {
    app,
    dashboard,
    bridge,
    settings,
    ownership,
    keys,
    webhooks,
    schedules,
    backups,
    disk,
    open,
    async start() {
      try {
        await open();
        await origins.load();
        if (isFileOurs) await settings.load();
        events.append({ type: 'server.started', data: { version } });
        isStarted = true;
        await restores.start();
        await drains.load();
        await bridge.start();
        audit.settle();
        drains.goOn();
        farms.load();
        updates.load();
        emptiness.start();
      } catch (error) {
        await store.close();
        throw error;
      }
      sampler.start();
    },
    watch() {
      store.start();
      disk.start();
      webhooks.start();
      backups.start();
      schedules.start();
      moderation.start();
      invites.start();
    },
    async stop(drainSeconds = 0) {
      // What is due from here on is for the next process.
      schedules.stop();
      await drains.beforeStop(drainSeconds);
      // While there is somebody who hears it.
      if (isStarted) events.append({ type: 'server.stopping', data: {} });
      isStarted = false;
      updates.stop();
      farms.stop();
      await drains.stop();
      // Requests in flight may wait for the game, so the game goes last.
      await Promise.all([app.close(), webhooks.stop(), backups.stop(), restores.stop()]);
      await dashboard?.close();
      invites.stop();
      sampler.stop();
      audit.close();
      keys.stop();
      await disk.stop();
      await bridge.stop();
      emptiness.stop();
      await schedules.close();
      // What the game said last is still on its way to the disk.
      await Promise.all([moderation.stop(), ownership.close(), settings.close(), origins.written]);
      await store.close();
      await lock?.[Symbol.asyncDispose]();
    },
  };
}

function sidecarOf({ configuration, clock, retryClock, random }: ServiceParts): SidecarClient | undefined {
  const { PLATFORM_AUTH_URL: url, PLATFORM_AUTH_SECRET: secret } = configuration;
  if (url === undefined) return undefined;
  return new SidecarClient({ url, secret, clock, retryClock, random });
}
