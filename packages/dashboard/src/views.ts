import type { ComponentType } from 'preact';
import type { Needed } from './may.ts';
import type { IconName } from './parts/icon.tsx';
import { Home } from './views/home/home.tsx';
import { words } from './words.ts';

export interface View {
  /** What it is at; paths below are its own, too. No dot in it: the server would take it for a file. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: keyof typeof words.groups;
  /** The scope that a key has to have of it to be of any use. */
  readonly needs: Needed;
  /** On a phone it has a place of its own at the lower edge; three have one, and “More” has the fourth. */
  readonly isNear?: true;
  readonly load: () => ComponentType | Promise<ComponentType>;
}

/** Whatever it is good for. */
const anyKey = ['read', 'chat', 'operate', 'moderate', 'admin'] as const;

/** Every view that there is, in the order of the navigation. */
export const views: readonly View[] = [
  {
    path: '/',
    title: words.views.home,
    icon: 'farm',
    group: 'farm',
    needs: 'read',
    isNear: true,
    // With the page itself: it is what most come for.
    load: () => Home,
  },
  { ...small('players', 'players', 'farm', ['read', 'moderate']), isNear: true },
  { ...small('chat', 'chat', 'farm', ['read', 'chat']), isNear: true },
  small('cabins', 'cabins', 'farm', 'read'),
  small('time', 'clock', 'farm', 'read'),
  small('plots', 'plot', 'server', 'read'),
  small('settings', 'settings', 'server', 'read'),
  small('files', 'down', 'server', 'read'),
  small('backups', 'chest', 'server', 'read'),
  small('schedules', 'calendar', 'server', 'operate'),
  small('game', 'sprout', 'server', 'read'),
  small('operations', 'operations', 'server', 'read'),
  small('webhooks', 'bell', 'server', 'admin'),
  small('keys', 'key', 'access', 'admin'),
  small('bans', 'gate', 'access', 'moderate'),
  small('audit', 'audit', 'access', 'admin'),
  small('farms', 'signpost', 'access', anyKey),
  small('page', 'page', 'access', anyKey),
];

export function viewAt(path: string): View | undefined {
  return views.find((view) => path === view.path || (view.path !== '/' && path.startsWith(`${view.path}/`)));
}

/** One of those that come together. */
function small(
  name: keyof typeof import('./views/small-views.ts')['smallViews'],
  icon: IconName,
  group: View['group'],
  needs: Needed,
): View {
  return {
    path: `/${name}`,
    title: words.views[name],
    icon,
    group,
    needs,
    load: async () => (await import('./views/small-views.ts')).smallViews[name],
  };
}
