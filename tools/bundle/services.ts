import * as controlApi from '@steward/control-api/entries';
import * as platformAuth from '@steward/platform-auth/entries';

export interface ShippedService {
  /** JSON of the checkout that it reads from beside its programs: without the spaces that people read it by. */
  readonly documents?: readonly string[];
  /** Whether it serves the page, which lies beside its programs then. */
  readonly hasPage?: boolean;
  /** What else becomes a file to start beside `main`, from its `src`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** What Node is told wherever it serves: in its image, under systemd, where it is measured. */
  readonly nodeOptions?: readonly string[];
}

/** A process that anybody can open for inspection keeps no secret; the services refuse by themselves, but not before they run. */
const noInspector = '--disable-sigusr1';

/** What has an image. */
export const services = {
  'control-api': {
    documents: ['docs/api-spec.json'],
    hasPage: true,
    programs: controlApi.entries,
    nodeOptions: controlApi.nodeOptions,
  },
  'platform-auth': { programs: platformAuth.entries, nodeOptions: platformAuth.nodeOptions },
  'simulated-game': { programs: { farm: './give-order.ts' }, nodeOptions: [noInspector] },
  'platform-emulator': { nodeOptions: [noInspector] },
  // There is one beside each assistant, and it waits for a farm, not for itself: what V8 would compile to be faster costs a fifth of its memory.
  'mcp-server': {
    nodeOptions: [noInspector, '--max-semi-space-size=2', '--liftoff-only', '--no-maglev', '--no-opt'],
  },
  // It has little to do, and 90 MB for it: less room for new objects, and no code that is compiled to be fast, are 20 MB less.
  'discord-bot': {
    nodeOptions: [
      noInspector,
      '--max-semi-space-size=1',
      '--single-threaded',
      '--optimize-for-size',
      '--no-opt',
      '--no-maglev',
      '--no-sparkplug',
    ],
  },
} as const satisfies Readonly<Record<string, ShippedService>>;

export type ServiceName = keyof typeof services;

export function isService(name: string): name is ServiceName {
  return Object.hasOwn(services, name);
}

export function nodeOptionsOf(service: ServiceName): readonly string[] {
  const { nodeOptions = [] }: ShippedService = services[service];
  return nodeOptions;
}
