import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ship } from './bundle.ts';
import { conformancePackage } from './conformance-package.ts';
import { isService, nodeOptionsOf, type ServiceName, type ShippedService, services } from './services.ts';

/** A program that is described without being run, and what runs its commands one after another. */
const inTurn = {
  program: './program.ts',
  'command-host': '../../service-kit/test/commands/command-host.ts',
};

/**
 * What only tests start, each from the `src` of the service that it is a variant of: bundled with that service, it finds its threads. What
 * belongs to none of them goes with the farm, which needs no packages beside its bundle.
 */
const testPrograms: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {
  'control-api': {
    ...inTurn,
    'fast-control-api': '../../local-stack/test/chaos/entries/fast-control-api.ts',
    'killed-write': '../test/ownership/stage/killed-write.ts',
    claiming: '../test/store/claiming.ts',
    'full-store': '../test/store/full-store.ts',
    packing: '../test/backups/stage/packing.ts',
    telling: '../test/store/telling.ts',
    'telling-webhooks': '../test/webhooks/telling-webhooks.ts',
  },
  'platform-auth': {
    ...inTurn,
    'fast-sidecar': '../test/world/fast-sidecar.ts',
    'killed-save': '../test/world/killed-save.ts',
    'killed-take-up': '../test/world/killed-take-up.ts',
    'measured-sidecar': '../test/world/measured-sidecar.ts',
  },
  'platform-emulator': { platform: '../../local-stack/test/chaos/entries/platform.ts' },
  'simulated-game': {
    game: '../../testing/src/game/main.ts',
    'existing-server-double': '../../existing-server-double/src/main.ts',
  },
};

// For a whole run of the tests, in the directory that is named: every service as its image has it, the check of a game as npm has it, and
// what tests alone start. A table says for each source what to start in its place, and what Node is told for it in the image.
const directory = resolve(process.argv[2] ?? '');
const table: Record<string, { readonly file: string; readonly nodeOptions: readonly string[] }> = {
  'packages/bridge-conformance/src/main.ts': {
    file: join(directory, 'bridge-conformance/dist/main.js'),
    nodeOptions: [],
  },
};
const work = [conformancePackage(join(directory, 'bridge-conformance'))];
for (const service of Object.keys(services).filter(isService)) {
  const { programs = {} }: ShippedService = services[service];
  const note = (place: string, files: Readonly<Record<string, string>>) => {
    for (const [name, file] of Object.entries(files))
      table[join('packages', service, 'src', file)] = {
        file: join(place, 'dist', `${name}.js`),
        nodeOptions: nodeOptionsOf(service),
      };
  };
  work.push(ship(service, join(directory, service)));
  note(join(directory, service), { main: './main.ts', ...programs });
  const more = testPrograms[service];
  if (more === undefined) continue;
  const place = join(directory, 'for-tests', service);
  // Its page is the one that is built beside it: that takes seconds.
  work.push(ship(service, place, more, join(directory, service, 'dist', 'dashboard')));
  note(place, more);
}
await Promise.all(work);
writeFileSync(join(directory, 'programs.json'), JSON.stringify(table));
