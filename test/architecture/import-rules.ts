/** Which packages of the workspace a package's own code may import; its tests may import anything. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  'service-kit': ['shared'],
  // It is published: what it knows of the API is generated into it.
  client: [],
  // A page in a browser: of the services it knows what the client does.
  dashboard: ['client', 'shared'],
  // Programs over the client; the second makes its tools from the API's declarations. Of what services are made of they take what a
  // program starts and is configured by: their bundles' tests hold that no server and no logger comes along, and no schema into the bot.
  'discord-bot': ['client', 'shared', 'service-kit'],
  'mcp-server': ['client', 'shared', 'service-kit'],
  testing: ['shared'],
  'control-api': ['shared', 'service-kit'],
  'platform-auth': ['shared', 'service-kit'],
  'simulated-game': ['shared', 'service-kit'],
  'platform-emulator': ['shared', 'service-kit'],
  'existing-server-double': ['shared', 'service-kit'],
  'discord-double': ['shared', 'service-kit'],
  'bridge-conformance': ['shared', 'service-kit'],
  'local-stack': [
    'shared',
    'service-kit',
    'control-api',
    'dashboard',
    'platform-auth',
    'simulated-game',
    'platform-emulator',
  ],
  tools: [
    'shared',
    'service-kit',
    'control-api',
    'dashboard',
    'platform-auth',
    'client',
    'discord-bot',
    'mcp-server',
  ],
};

/** What nothing but the sidecar and the emulator may reach: the platform's libraries. */
const platformLibraries = ['steam-user', 'steam-session'];
const mayUsePlatformLibraries = ['platform-auth', 'platform-emulator'];

export interface SourceFile {
  /** `packages/<package>/…`, or `tools/…` */
  readonly path: string;
  readonly text: string;
}

export const specifier = /(?:\bfrom\s*|(?<!\/)\bimport\s*\(?\s*|\bresolve\(\s*)['"]([^'"]+)['"]/g;

/** Each import that breaks the design's rules, in words. */
export function violations(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const importer = packageOf(path);
    return [...text.matchAll(specifier)]
      .map(([, imported = '']) => objection(importer, imported, path))
      .filter((words) => words !== undefined)
      .map((words) => `${path}: ${words}`);
  });
}

function objection(importer: string, imported: string, path: string): string | undefined {
  const allowed = mayImport[importer];
  if (allowed === undefined) return `${importer} has no row in the import rules`;
  const [, target] = /^@steward\/([^/]+)/.exec(imported) ?? [];
  if (target !== undefined && target !== importer && !isTest(path) && !allowed.includes(target)) {
    return `${importer} must not import ${target}`;
  }
  if (importer === 'client' && !isTest(path) && !imported.startsWith('.'))
    return `client must import nothing but its own files: it is published without dependencies`;
  if (target === importer) return `${importer} imports itself by its package name`;
  if (leavesItsPackage(path, imported))
    return `${imported} reaches into another package; import it by its name`;
  const library = platformLibraries.find((name) => imported === name || imported.startsWith(`${name}/`));
  if (library !== undefined && !mayUsePlatformLibraries.includes(importer))
    return `${importer} must not reach ${library}`;
  return undefined;
}

function packageOf(path: string): string {
  const [folder = '', inside = ''] = path.split('/');
  return folder === 'packages' ? inside : folder;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || /^packages\/[^/]+\/test\//.test(path);
}

function leavesItsPackage(path: string, imported: string): boolean {
  if (!imported.startsWith('.')) return false;
  const resolved = new URL(imported, `file:///${path}`).pathname.slice(1);
  return packageOf(resolved) !== packageOf(path);
}
