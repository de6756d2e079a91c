// The platform with the depots that are compared, each made once, in a process of its own.
import { type DepotName, makeBenchDepot } from './depots.ts';
import { serveDepots } from './serve-depots.ts';

const depots = new Map<DepotName, ReturnType<typeof makeBenchDepot>>();

await serveDepots((name: DepotName) => {
  const depot = depots.get(name) ?? makeBenchDepot(name);
  depots.set(name, depot);
  return depot;
});
