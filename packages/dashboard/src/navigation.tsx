import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { farm } from './farm/farms.ts';
import { loadSoon } from './load-soon.ts';
import { Icon } from './parts/icon.tsx';
import { path } from './router.ts';
import { type View, viewAt, views } from './views.ts';
import { words } from './words.ts';

interface SheetProps {
  readonly offered: readonly View[];
  readonly onClose: () => void;
}

/** What “More” opens, once somebody has asked for it. */
const sheet = signal<ComponentType<SheetProps> | undefined>(undefined);
const isOpen = signal(false);

/** Whether the ways at the side are drawn: in the frame after the view, which is what people come for. */
const hasSide = signal(false);

/** The way to each view that the key is good for: at the side where there is room, else at the lower edge and behind “More”. */
export function Navigation({ isLocked }: { isLocked: boolean }) {
  useEffect(() => {
    hasSide.value = true;
  }, []);
  const offered = isLocked ? [] : views.filter(({ needs }) => farm.value.allows(needs));
  const here = viewAt(path.value);
  const near = offered.filter(({ isNear }) => isNear);
  const isFar = here !== undefined && !near.includes(here);
  const Sheet = isOpen.value ? sheet.value : undefined;
  return (
    <>
      <nav class="side" aria-label={words.page.navigation}>
        {hasSide.value && <Ways offered={offered} />}
      </nav>
      <nav class="edge" aria-label={words.page.navigation}>
        <ul>
          {near.map((view) => (
            <Way key={view.path} view={view} />
          ))}
          {offered.length > near.length && (
            <li>
              <button
                type="button"
                class="way"
                aria-haspopup="dialog"
                aria-current={isFar ? 'true' : undefined}
                onClick={open}
              >
                <Icon name="more" />
                <span>{words.page.more}</span>
              </button>
            </li>
          )}
        </ul>
      </nav>
      {Sheet !== undefined && <Sheet offered={offered} onClose={close} />}
    </>
  );
}

async function open(): Promise<void> {
  isOpen.value = true;
  sheet.value ??= (await loadSoon()).NavigationSheet;
}

function close(): void {
  isOpen.value = false;
}

/** All of them, in their groups. */
export function Ways({ offered, onGo }: { offered: readonly View[]; onGo?: () => void }) {
  const groups = Object.entries(words.groups).map(
    ([group, title]) => [title, offered.filter((view) => view.group === group)] as const,
  );
  return (
    <>
      {groups
        .filter(([, ways]) => ways.length > 0)
        .map(([title, ways]) => (
          <div class="nav-group" key={title}>
            <p class="nav-title">{title}</p>
            <ul>
              {ways.map((view) => (
                <Way key={view.path} view={view} onGo={onGo} />
              ))}
            </ul>
          </div>
        ))}
    </>
  );
}

function Way({ view, onGo }: { view: View; onGo?: (() => void) | undefined }) {
  return (
    <li>
      <a
        class="way"
        href={view.path}
        aria-current={view === viewAt(path.value) ? 'page' : undefined}
        {...(onGo === undefined ? {} : { onClick: onGo })}
      >
        <Icon name={view.icon} />
        <span>{view.title}</span>
      </a>
    </li>
  );
}
