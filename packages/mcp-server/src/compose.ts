import { steward } from '@steward/client';
import { systemClock } from '@steward/service-kit/clock';
import type { Configuration } from '@steward/service-kit/configuration/variable';
import type { variables } from './configuration.ts';
import { Access, askingRetries } from './farm/access.ts';
import { Happenings } from './farm/happenings.ts';
import { Servers } from './server.ts';
import { Caller } from './tools/calling.ts';
import type { Offer } from './tools/offered.ts';

interface Composed {
  /** Makes the server of one who speaks the protocol. */
  readonly servers: Servers;
  /** What tells it of the farm's events, once it runs. */
  readonly happenings: Happenings;
}

/** Puts together what answers an assistant, whatever the protocol comes in by. */
export function compose(
  configuration: Configuration<typeof variables>,
  version: string,
  log: (text: string) => void,
): Composed {
  const { STEWARD_URL, STEWARD_KEY, MCP_TOOLSETS, MCP_READ_ONLY, MCP_PLAYER_TEXT } = configuration;
  const at = { url: STEWARD_URL.href, key: STEWARD_KEY?.reveal() };
  const farm = steward(at);
  const offer: Offer = {
    sets: MCP_TOOLSETS,
    isReadOnly: MCP_READ_ONLY,
    showsPlayerText: MCP_PLAYER_TEXT,
  };
  const access = new Access({
    farm: steward({ ...at, retries: askingRetries }),
    log,
    now: () => systemClock.now(),
  });
  const happenings = new Happenings({
    farm,
    access,
    log,
    clock: systemClock,
    random: Math.random,
    onUpdated: (uri) => servers.updated(uri),
  });
  const caller = new Caller({ farm, access, offer, log });
  const servers = new Servers({ version, farm, access, happenings, caller, offer, log });
  return { servers, happenings };
}
