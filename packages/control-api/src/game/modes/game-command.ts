import type { Environment } from '@steward/service-kit/configuration/read';
import { readJson } from '@steward/service-kit/json';
import { OperatorError } from '@steward/service-kit/process/errors';
import { z } from 'zod';

/** What a program has of the system that it runs on, and its runtime of whoever set it up. `*` is whatever follows. */
const fromTheSystem = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'HOSTNAME', 'PWD', 'TERM', 'TMPDIR', 'TMP', 'TEMP'],
  ...['LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TZDIR'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_*', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['SDL_*', 'ALSA_*', 'PULSE_*', 'AUDIODEV', 'LIBGL_*', 'MESA_*', 'GALLIUM_*', 'FONTCONFIG_*'],
  ...['LD_LIBRARY_PATH', 'LD_PRELOAD', 'MALLOC_*', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['DOTNET_*', 'COMPlus_*', 'MONO_*', 'WINE*', 'BOX64_*', 'NO_COLOR', 'FORCE_COLOR'],
  // Tells a mod that the control API is at its standard input and output.
  'GAME_BRIDGE',
];

/** The account, which is the sidecar's alone; one environment for both services has it here, too. */
const sidecarSecrets = withFiles(['PLATFORM_PASSWORD', 'PLATFORM_REFRESH_TOKEN']);
const sidecarOwn = [...sidecarSecrets, ...withFiles(['PLATFORM_USERNAME', 'PLATFORM_PROXY'])];

/** A name of a variable, or the beginning of names with `*` after it. */
const namesOfVariables = /^[A-Za-z_][A-Za-z0-9_]*\*?$/;

export function readName(text: string): string | undefined {
  return namesOfVariables.test(text) ? text : undefined;
}

/** The environment for a game that the service starts: what the system gives, and what `GAME_ENV` adds; never a secret. */
export function gameEnvironment(
  added: readonly string[],
  environment: Environment,
  ownSecrets: readonly string[],
): Environment {
  const withheld = new Set([...ownSecrets, ...sidecarOwn]);
  const refused = added.find((name) => withheld.has(name));
  if (refused !== undefined)
    throw new OperatorError(
      `GAME_ENV names ${refused}, which contains a secret of the services: a game never gets it`,
    );
  const names = [...fromTheSystem, ...added];
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !withheld.has(name) && names.some((allowed) => covers(allowed, name)),
    ),
  );
}

/** What to say where the control API itself was given what the sidecar alone should have. */
export function misplacedSecrets(environment: Environment): string | undefined {
  const given = sidecarSecrets.filter((name) => environment[name]);
  if (given.length === 0) return undefined;
  const are = given.length === 1 ? 'is' : 'are';
  return `${given.join(' and ')} ${are} set here, where nothing needs it and a started game could read it: set it only for the sidecar`;
}

function withFiles(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, `${name}_FILE`]);
}

function covers(allowed: string, name: string): boolean {
  return allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed;
}

const gameCommand = z.array(z.string()).min(1);

/** Reads `GAME_COMMAND`. No shell is involved: each text is one argument. */
export function readGameCommand(text: string): readonly string[] {
  const parsed = gameCommand.safeParse(readJson(text));
  const [program] = parsed.data ?? [];
  if (parsed.data === undefined || program === undefined || program === '') {
    const problem = text === '' ? 'is not set' : `is ${JSON.stringify(text)}`;
    throw new OperatorError(
      `GAME_COMMAND ${problem}: with GAME_BRIDGE=spawn it must be a JSON array such as ["mono","Game.exe"]`,
    );
  }
  return parsed.data;
}
