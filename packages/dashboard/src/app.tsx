import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useMemo } from 'preact/hooks';
import { chosenOrigin, facts, farm, ownOrigin } from './farm/farms.ts';
import { isLost } from './farm/link.ts';
import { LinkBar } from './link-bar.tsx';
import { soon } from './load-soon.ts';
import { Navigation } from './navigation.tsx';
import { beside } from './parts/beside.ts';
import { Button } from './parts/button.tsx';
import { ViewHead } from './parts/card.tsx';
import { Icon } from './parts/icon.tsx';
import { Awaited, Empty } from './parts/states.tsx';
import { moves, path } from './router.ts';
import { type View, viewAt } from './views.ts';
import { words } from './words.ts';

const KeyForm = soon('KeyForm', '24rem');

const NotHere = soon('NotHere');
const NotAllowed = soon('NotAllowed');

/** All of the page: what goes round every view, and the view. */
export function App() {
  const { link } = farm.value;
  const isLocked = link.value.is === 'locked';
  return (
    <>
      <a class="skip" href="#content">
        {words.page.skip}
      </a>
      <header class="top">
        <a class="brand" href="/">
          <Icon name="sprout" size={28} />
          <span>{facts.instance || words.page.name}</span>
        </a>
        <LinkBar />
      </header>
      <Navigation isLocked={isLocked} />
      <main id="content" tabIndex={-1} data-old={isLost(link.value.is) || undefined}>
        {chosenOrigin.value !== ownOrigin && (
          <div class="other-farm">
            <p>{words.page.otherFarm(new URL(chosenOrigin.value).host)}</p>
            <Button
              onClick={() => {
                chosenOrigin.value = ownOrigin;
              }}
            >
              {words.page.ownFarm}
            </Button>
          </div>
        )}
        {isLocked ? <KeyForm key={chosenOrigin.value} /> : <Shown />}
      </main>
      {beside.value.map((Component, index) => (
        <Component key={index} />
      ))}
    </>
  );
}

/** The view that the address names. */
function Shown() {
  const view = viewAt(path.value);
  const title = view?.title ?? words.page.name;
  useEffect(() => {
    document.title = view === undefined ? words.page.name : `${title} · ${facts.instance || words.page.name}`;
  }, [title]);
  if (view === undefined) return <NotHere />;
  if (!farm.value.allows(view.needs))
    return (
      <>
        <ViewHead title={title} />
        <NotAllowed needs={view.needs} />
      </>
    );
  // What was typed or chosen for one farm is not for another.
  return <Guarded key={`${chosenOrigin.value} ${view.path}`} view={view} />;
}

/** What goes wrong while a view is drawn takes that view away, and not the page. */
function Guarded({ view }: { view: View }) {
  const [error] = useErrorBoundary((thrown) => reportError(thrown));
  return error === undefined ? (
    <Loading view={view} />
  ) : (
    <>
      <ViewHead title={view.title} />
      <NotShown title={words.page.broken} />
    </>
  );
}

/** In the place of a view; where it is of the page itself, one that is loaded anew may do better. */
function NotShown({ title }: { title: string }) {
  return (
    <Empty icon="warn" title={title}>
      <Button onClick={() => location.reload()}>{words.page.reload}</Button>
    </Empty>
  );
}

const loaded = new Map<View, ComponentType>();

function Loading({ view }: { view: View }) {
  const state = useMemo(() => signal<ComponentType | 'lost' | undefined>(componentOf(view)), []);
  useEffect(() => {
    if (state.peek() !== undefined) return;
    Promise.resolve(view.load()).then(
      (component) => {
        loaded.set(view, component);
        state.value = component;
      },
      () => {
        state.value = 'lost';
      },
    );
  }, []);
  const Component = state.value;
  // Nobody is shown for a moment what the key is not good for.
  const isSure = view.path === '/' || farm.value.link.value.is !== 'connecting';
  useEffect(() => {
    // The page itself begins at its top, as the browser does it; each way from view to view at the new heading.
    if (moves.peek() > 0) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [Component, isSure, moves.value]);
  if (isSure && Component !== undefined && Component !== 'lost') return <Component />;
  return (
    <>
      <ViewHead title={view.title} />
      {Component === 'lost' ? <NotShown title={words.page.chunkLost} /> : <Awaited lines={6} />}
    </>
  );
}

/** What is there already is shown at once. */
function componentOf(view: View): ComponentType | undefined {
  const known = loaded.get(view);
  if (known !== undefined) return known;
  if (view.path !== '/') return undefined;
  const component = view.load();
  return component instanceof Promise ? undefined : component;
}
