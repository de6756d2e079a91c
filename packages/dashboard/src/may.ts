import type { Caller, FarmOperations, Status } from '@steward/client';
import { isGoodFor, type Needed } from '@steward/shared/scopes';

export type { Needed };

/** What each operation asks of a key, where it is another than `read`; the API's document says the same. */
export const scopeOf: Readonly<Partial<Record<keyof FarmOperations, Needed>>> = {
  setRendering: 'operate',
  saveGame: 'operate',
  getAudit: 'admin',
  grantAdmin: 'admin',
  listFarmhands: 'moderate',
  deleteFarmhand: 'moderate',
  rebindFarmhand: 'moderate',
  releaseFarmhand: 'moderate',
  changeSettings: 'operate',
  setTime: 'operate',
  sendChat: 'chat',
  createBackup: 'operate',
  deleteBackup: 'admin',
  restoreBackup: 'admin',
  getBackupFile: 'admin',
  getEvents: ['read', 'chat'],
  getCaller: ['read', 'chat', 'operate', 'moderate', 'admin'],
  listKeys: 'admin',
  createKey: 'admin',
  revokeKey: 'admin',
  rotateKey: 'admin',
  listWebhooks: 'admin',
  createWebhook: 'admin',
  deleteWebhook: 'admin',
  resumeWebhook: 'admin',
  testWebhook: 'admin',
  listDeliveries: 'admin',
  startDrain: 'operate',
  cancelDrain: 'operate',
  announce: 'operate',
  kickPlayer: 'moderate',
  listBans: 'moderate',
  addBan: 'moderate',
  removeBan: 'moderate',
  importBans: 'moderate',
  listAllowed: 'moderate',
  allowPlayer: 'moderate',
  disallowPlayer: 'moderate',
  getGameLog: 'moderate',
  createFarm: 'admin',
  loadFarm: 'admin',
  listSchedules: 'operate',
  createSchedule: 'operate',
  deleteSchedule: 'operate',
  runSchedule: 'operate',
};

/** What the game itself has to be able to do for it; everything else the server does. */
export const askedOfTheGame: Readonly<Partial<Record<keyof FarmOperations, string>>> = {
  setRendering: 'setRenderRate',
  saveGame: 'save',
  setTime: 'setTime',
  changeSettings: 'applySettings',
  grantAdmin: 'grantAdmin',
  deleteFarmhand: 'deleteFarmhand',
  rebindFarmhand: 'rebindFarmhand',
  releaseFarmhand: 'releaseFarmhand',
  sendChat: 'sendChat',
  announce: 'announce',
  kickPlayer: 'kick',
  addBan: 'addBan',
  removeBan: 'removeBan',
  allowPlayer: 'allowPlayer',
  disallowPlayer: 'disallowPlayer',
  listFarms: 'farms',
  createFarm: 'newFarm',
  loadFarm: 'loadFarm',
  getScreenshot: 'screenshot',
};

/** Whether a key is good for a scope: what it is not good for is not offered. */
export function isAllowed(caller: Pick<Caller, 'scopes'> | undefined, needed: Needed): boolean {
  return caller !== undefined && isGoodFor(new Set(caller.scopes), needed);
}

/** Whether the key may do this. */
export function may(caller: Pick<Caller, 'scopes'> | undefined, id: keyof FarmOperations): boolean {
  return isAllowed(caller, scopeOf[id] ?? 'read');
}

/** Whether the game can do this: what it cannot is shown as such. While there is no game nobody knows, and the server answers. */
export function can(
  status: Pick<Status, 'capabilities' | 'isOnline'> | undefined,
  id: keyof FarmOperations,
): boolean {
  const command = askedOfTheGame[id];
  if (command === undefined || status === undefined || !status.isOnline) return true;
  return status.capabilities.includes(command);
}
