import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** How far below the edge of the window something may be when it begins to load. */
const aheadPx = 200;
const tryAgainMs = 2_000;

/** Loads a part of a view when it comes near the window; `room` is as high as it will be, so that nothing moves when it is there. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  room = '12rem',
): (props: Props) => preact.JSX.Element {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  return (props) => {
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      const { current } = place;
      if (current === null) return;
      const observer = new IntersectionObserver(
        ([seen]) => {
          if (!seen?.isIntersecting) return;
          observer.disconnect();
          load().then(
            (component) => {
              loaded.value = component;
            },
            // Its room stays empty meanwhile: the page says by itself that the server is away.
            () => setTimeout(() => observer.observe(current), tryAgainMs),
          );
        },
        { rootMargin: `${aheadPx}px` },
      );
      observer.observe(current);
      return () => observer.disconnect();
    }, []);
    const Component = loaded.value;
    return Component === undefined ? (
      <div ref={place} class="room" style={{ minHeight: room }} />
    ) : (
      <Component {...props} />
    );
  };
}

/** The same for parts that come together, each by its name. */
export function lazyOf<All extends object>(load: () => Promise<All>) {
  return <Name extends keyof All>(name: Name, room?: string): All[Name] =>
    lazy(async () => (await load())[name] as ComponentType, room) as All[Name];
}
