import { inviteCode } from '@steward/shared/invite-code';
import { whilePlaying } from '../commands/game-command.ts';
import type { Farm } from '../farm/farm.ts';
import { worldFaults } from '../faults/faults.ts';
import { type Order, openFarm } from './order.ts';

export const show: Order = {
  usage: 'show',
  summary: 'the state of the farm: the day, who is online, the invite code, what is wrong',
  run(controls, _words, caller) {
    const farm = openFarm(controls);
    const link = controls.running.connected ? 'connected to' : 'not connected to';
    for (const line of description(farm)) caller.print(line);
    caller.print(`Bridge    ${link} the control API`);
    caller.done();
  },
};

export const follow: Order = {
  usage: 'follow',
  summary: 'all events from now on, one line of JSON each, until Ctrl-C',
  run(controls, _words, caller) {
    const stop = openFarm(controls).events.watch(({ number, at, event }) =>
      caller.print(JSON.stringify({ number, at: Math.round(at), ...event })),
    );
    caller.onGone(stop);
  },
};

export const save: Order = {
  usage: 'save',
  summary: 'the farm saves now, if nobody is online; otherwise it saves when the day ends',
  run(controls, _words, caller) {
    const farm = openFarm(controls);
    const saveNow = () => {
      const refusal = whilePlaying(farm);
      if (refusal !== undefined) {
        caller.print(refusal.message);
        caller.failed();
        return;
      }
      farm.dayCycle.saveNow((generation) => {
        caller.print(`saved as generation ${generation}`);
        caller.done();
      });
    };
    controls.running.inLoop(() => farm.dayCycle.whenReady(saveNow));
  },
};

function description(farm: Farm): string[] {
  const { state } = farm.world;
  const { network } = farm.hosting.networkState;
  const doing = farm.dayCycle.isSaving ? ', saving' : farm.dayCycle.isPaused ? ', paused' : '';
  const faults = worldFaults.filter((fault) => farm.faults.isOn(fault));
  return [
    `Farm      ${state.farmName} (${state.farmType}), ${state.farmId}, save ${state.generation}`,
    `Day       ${state.day} of ${state.season}, year ${state.year}, ${state.timeOfDay}${doing}`,
    `Codes     ${codes(farm)}`,
    `Network   ${network.signedIn ? 'signed in' : 'not signed in'}${network.why === undefined ? '' : `: ${network.why}`}`,
    `Relay     ${farm.hosting.networkState.relay.serverId}`,
    `Faults    ${faults.length === 0 ? 'none' : faults.join(', ')}`,
    `Players   ${farm.sessions.count} of ${farm.settings.maxPlayers}`,
    ...people(farm).map((line) => `          ${line}`),
  ];
}

function codes({ hosting }: Farm): string {
  const { lobby } = hosting;
  if (lobby === undefined) return 'none';
  const linked = lobby.platformLobbyId === undefined ? 'nowhere yet' : `to ${lobby.platformLobbyId}`;
  return `${inviteCode('G', lobby.rawId)} and ${inviteCode('S', lobby.rawId)} (leads ${linked})`;
}

function people(farm: Farm): string[] {
  return farm.players.all
    .filter(({ whereabouts }) => whereabouts !== 'away')
    .map(({ name, clientKind, whereabouts, connectionId, farmhandId }) => {
      const farmhand = whereabouts === 'joining' ? '' : `, farmhand ${farmhandId}`;
      return `${name} (${clientKind} client): ${whereabouts} over ${connectionId}${farmhand}`;
    });
}
