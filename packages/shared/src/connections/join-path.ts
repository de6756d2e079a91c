export const joinPaths = [
  {
    path: 'platform-relay',
    prefix: 'SN_',
    identity: 'platform',
    doors: ['friends list', 'S-prefix invite code'],
  },
  {
    path: 'network-p2p',
    prefix: 'GN_',
    identity: 'network',
    doors: ['G-prefix invite code'],
  },
  {
    path: 'direct-ip',
    prefix: 'L_',
    identity: null,
    doors: ['direct IP'],
  },
] as const;

/** One way into the farm. The door a player joins through fixes the identity that the server sees. */
type JoinPath = (typeof joinPaths)[number];

export type JoinPathName = JoinPath['path'];

/** The id space of an identity. The two ids of one account share nothing and cannot be told to belong together. */
export type IdentitySpace = NonNullable<JoinPath['identity']>;

/** The join path that a connection id's prefix names, also when the rest of the id is malformed. */
export function joinPathOf(connectionId: string): JoinPath | undefined {
  return joinPaths.find(({ prefix }) => connectionId.startsWith(prefix));
}
