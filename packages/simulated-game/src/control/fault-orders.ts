import { type WorldFault, worldFaults } from '../faults/faults.ts';
import { type Stall, stalls } from '../program/loop.ts';
import { type Order, OrderError, openFarm, seconds, UnclearOrder } from './order.ts';
import { howToOrder } from './order-line.ts';

const frozenSeconds = 10;
const faultSeconds = 60;

function stall(name: Stall, summary: string): Order {
  return {
    usage: `${name} [seconds]`,
    summary: `${summary}, for ${frozenSeconds} seconds or as many as given`,
    run({ running }, words, caller) {
      running.stalls.start(name, seconds(words[0], frozenSeconds));
      caller.done();
    },
  };
}

export const freeze = stall('freeze', 'the complete game freezes: no tick, nothing read or written');
export const stuckTick = stall('stuck-tick', 'the loop hangs while the socket stays open');

export const thaw: Order = {
  usage: 'thaw',
  summary: 'ends whatever froze the farm',
  run({ running }, _words, caller) {
    for (const stall of stalls) running.stalls.end(stall);
    caller.done();
  },
};

export const crash: Order = {
  usage: 'crash',
  summary: 'the game dies without a message; it comes back with its last save',
  run(controls, _words, caller) {
    openFarm(controls);
    caller.done();
    controls.crash();
  },
};

export const loseLobby: Order = {
  usage: 'lose-lobby',
  summary: 'the network drops the lobby and its codes; the farm opens another after a while',
  run(controls, _words, caller) {
    const farm = openFarm(controls);
    if (farm.hosting.lobby === undefined) throw new OrderError('the farm has no lobby to lose');
    controls.running.inLoop(() => {
      farm.hosting.loseLobby('the network dropped the lobby');
      caller.done();
    });
  },
};

export const fault: Order = {
  usage: `fault ${worldFaults.join('|')} [seconds]`,
  summary: `something goes wrong for ${faultSeconds} seconds of the farm’s time, or as many as given; 0 ends it`,
  run(controls, words, caller) {
    const farm = openFarm(controls);
    const [name, duration] = words;
    const known = worldFaults.find((fault): fault is WorldFault => fault === name);
    if (known === undefined) throw new UnclearOrder(`usage: ${howToOrder} ${fault.usage}`);
    const milliseconds = duration === '0' ? 0 : seconds(duration, faultSeconds);
    controls.running.inLoop(() => {
      if (milliseconds === 0) farm.faults.end(known);
      else farm.faults.start(known, milliseconds);
      caller.done();
    });
  },
};
