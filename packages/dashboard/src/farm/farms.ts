import { computed, effect, signal } from '@preact/signals';
import { forgetKey, keepKey, keptKey, whereLet } from '../key.ts';
import { chosenOrigin } from './clock.ts';
import { FarmStore } from './farm-store.ts';

/** What the server wrote into the page. */
interface Facts {
  /** Origins of other farms that the page may ask. */
  readonly farms: readonly string[];
  /** What this server is called where there are several; often nothing. */
  readonly instance: string;
  readonly version: string;
}

const unknown: Facts = { farms: [], instance: '', version: '' };

export const facts: Facts = readFacts();
export const ownOrigin: string = location.origin;

/** The farm of this page first, then those that its server names. */
export const origins: readonly string[] = [
  ownOrigin,
  ...facts.farms.filter((origin) => origin !== ownOrigin),
];

const stores = signal<ReadonlyMap<string, FarmStore>>(new Map());

export { chosenOrigin };

/** Where this tab keeps which farm it looks at, for when it is loaded anew. */
const chosenName = 'steward farm';

const chosen = whereLet(() => sessionStorage.getItem(chosenName));
chosenOrigin.value = origins.find((origin) => origin === chosen) ?? ownOrigin;
effect(() => whereLet(() => sessionStorage.setItem(chosenName, chosenOrigin.value)));

export const farm = computed(() => storeOf(chosenOrigin.value));

/** The version of the page that the server gives out now, where that is another page: two builds may have the same version. */
export const newerVersion = signal<string | undefined>(undefined);

/** The script of this page, by a name that is another in each build that changes any script. */
const entry = document.querySelector('script[src^="/assets/"]')?.getAttribute('src') ?? '';

/** A page that came longer ago may be older than the server that it reaches first: its key was entered late, or the server was away. */
const freshMs = 60_000;
/** Whether no connection stood yet, with whichever key. */
let isFirst = true;

/** What is known of a farm, kept while the page is there. */
export function storeOf(origin: string): FarmStore {
  const known = stores.value.get(origin);
  if (known !== undefined) return known;
  const store = new FarmStore({ origin, key: keptKey(origin) });
  if (origin === ownOrigin) watchVersion(store);
  // Whoever asks may be in the middle of drawing, which must change nothing that is drawn.
  (stores.peek() as Map<string, FarmStore>).set(origin, store);
  return store;
}

/** From now on this farm is asked with this key, or with none. */
export function setKey(origin: string, key: string | undefined, onDevice?: boolean): void {
  if (key === undefined) forgetKey(origin);
  else keepKey(origin, key, onDevice);
  stores.peek().get(origin)?.close();
  stores.value = new Map([...stores.peek()].filter(([other]) => other !== origin));
}

function watchVersion(store: FarmStore): void {
  store.onOpen(() => {
    // The page came from this server a moment ago.
    if (!isFirst || performance.now() > freshMs) void compare();
    isFirst = false;
  });
}

async function compare(): Promise<void> {
  const page = await fetch('/', { cache: 'no-store' })
    .then((answer) => answer.text())
    .catch(() => '');
  const version = /&quot;version&quot;:&quot;([^&"]+)&quot;/.exec(page)?.[1];
  // Where it cannot be asked, what it said last stands.
  if (version !== undefined)
    newerVersion.value = version === facts.version && page.includes(entry) ? undefined : version;
}

function readFacts(): Facts {
  const text = document.querySelector<HTMLMetaElement>('meta[name=steward]')?.content;
  return text === undefined ? unknown : { ...unknown, ...(JSON.parse(text) as Partial<Facts>) };
}
