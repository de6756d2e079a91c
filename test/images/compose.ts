/** The parts of a compose file that the claims speak of. */
export interface ComposeService {
  image?: string;
  build?: { dockerfile?: string; target?: string };
  profiles?: string[];
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  volumes_from?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  stop_grace_period?: string;
  init?: boolean;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  privileged?: boolean;
  user?: string;
  healthcheck?: { interval?: string; [setting: string]: unknown };
  network_mode?: string;
  logging?: { options?: Record<string, string> };
}

export interface Compose {
  version?: string;
  services: {
    server: ComposeService;
    'platform-auth': ComposeService;
    'discord-bot': ComposeService;
    mcp: ComposeService;
    existing: ComposeService;
  } & Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, null>;
}

export function each(compose: Compose): [string, ComposeService][] {
  return Object.entries(compose.services);
}

/** The containers whose images are made here. */
export function ours(compose: Compose): [string, ComposeService][] {
  return each(compose).filter(([, { build }]) => build !== undefined);
}

/** The volume and path of each `volume:path[:mode]`. */
export function mounts(service: ComposeService): { source: string; target: string; mode: string }[] {
  return (service.volumes ?? []).map((volume) => {
    const [source = '', target = '', mode = 'rw'] = volume.split(':');
    return { source, target, mode };
  });
}

/** How a compose file writes a variable of the operator with its default. */
export function operatorVariable(variable: string, fallback: string, emptyIsAValue = false): string {
  return `$\{${variable}${emptyIsAValue ? '-' : ':-'}${fallback}}`;
}
