import { signal } from '@preact/signals';

/** The path of the view that is shown. */
export const path = signal(location.pathname);

/** Counts the ways from view to view, so that each can begin at its heading. */
export const moves = signal(0);

export function go(to: string): void {
  const url = new URL(to, location.href);
  if (url.pathname !== location.pathname || url.search !== location.search)
    history.pushState(undefined, '', url.pathname + url.search);
  arrive();
  scrollTo(0, 0);
}

function arrive(): void {
  path.value = location.pathname;
  moves.value += 1;
}

/** Links within the page change the view; whatever else a person does with a link is the browser's. */
export function followLinks(): void {
  addEventListener('popstate', arrive);
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.hash !== '' || link.pathname.includes('.')) return;
    event.preventDefault();
    go(link.href);
  });
}
