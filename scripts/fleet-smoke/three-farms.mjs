import { joinable, playerJoins } from '../docker-smoke/demo.mjs';
import { say } from '../docker-smoke/engine.mjs';
import { freePort } from '../docker-smoke/free-port.mjs';
import { until } from '../docker-smoke/until.mjs';

export const names = ['willow', 'hazel', 'rowan'];

// Its turn to log in may come after thirty seconds.
export const joinableWithinMs = 180_000;
const downloadedWithinMs = 120_000;
const asksForFiles = `fetch('http://127.0.0.1:3001/download').then(async (a) => console.log((await a.json()).state))`;
const writesFile = `require('node:fs').writeFileSync('/data/game/written', '')`;

/** The example as its page tells: willow downloads for all, and its page lists the others. */
export async function startThree(fleet) {
  const pages = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()])));
  const page = (name) => `http://127.0.0.1:${pages[name]}`;
  // The others first: they wait for the files that willow brings.
  for (const name of names.toReversed()) {
    const settings = { API_PORT: await freePort(), DASHBOARD_PORT: pages[name] };
    if (name === 'willow') settings.DASHBOARD_FARMS = [page('hazel'), page('rowan')].join();
    else settings.API_ALLOWED_ORIGINS = page('willow');
    await fleet.add(name, { settings });
  }
  for (const farm of fleet.farms) await joinable(farm.api, joinableWithinMs);
  say('players can join all three farms');
}

export async function everybodyPlays(fleet) {
  const players = ['Robin', 'Leah', 'Emily'];
  await Promise.all(fleet.farms.map((farm, index) => playerJoins(farm, farm.api, players[index], 'game')));
}

/** One has fetched the files, all have them, and nobody else can write there. */
export async function oneDownload(fleet) {
  for (const farm of fleet.farms)
    await until(`${farm.name} has the game's files`, downloadedWithinMs, () => filesOf(farm) === 'whole');
  const fetched = fleet.farms.filter((farm) => farm.log('platform-auth').includes('Game files: Downloading'));
  const writing = fleet.farms.filter((farm) => {
    try {
      farm.inside('platform-auth', 'node', '-e', writesFile);
      return true;
    } catch (error) {
      if (!error.message.includes('EROFS')) throw error;
      return false;
    }
  });
  const willow = fleet.projectOf('willow');
  for (const [what, farms] of Object.entries({ downloaded: fetched, 'may write the files': writing })) {
    const found = farms.map(({ name }) => name).join();
    if (found !== willow) throw new Error(`${found} ${what}, and not ${willow} alone`);
  }
  say('willow has downloaded the game, all three have it, and nobody else writes it');
}

function filesOf(farm) {
  return farm.inside('platform-auth', 'node', '-e', asksForFiles);
}

/** What a browser needs for the view Farms: the page names the others, and each of them lets it ask. */
export async function listsAll(fleet) {
  const willow = fleet.farms.find(({ name }) => name === fleet.projectOf('willow'));
  const others = fleet.farms.filter((farm) => farm !== willow);
  const answer = await fetch(`${willow.page}/farms`);
  const [text, policy] = [await answer.text(), answer.headers.get('content-security-policy')];
  for (const { page } of others) {
    if (!text.includes(page)) throw new Error(`the page of willow does not name ${page}`);
    if (!policy.includes(page)) throw new Error(`the page of willow may not ask ${page}: ${policy}`);
    await allows(page, willow.page);
  }
  const [one, another] = others;
  const refused = await fetch(`${one.page}/api/status`, { headers: { origin: another.page } });
  if (refused.status !== 403) throw new Error(`${one.page} answers a page that it does not know`);
  const instances = await Promise.all(
    fleet.farms.map(async ({ page }) => (await (await fetch(`${page}/api/status`)).json()).instance),
  );
  say(`the page of willow lists ${instances.toSorted().join(', ')}, and no other page may ask`);
}

async function allows(page, origin) {
  const answer = await fetch(`${page}/api/status`, { headers: { origin } });
  const allowed = answer.headers.get('access-control-allow-origin');
  if (answer.status !== 200 || allowed !== origin)
    throw new Error(`${page} answers ${origin} with ${answer.status}, and lets ${allowed} read it`);
}
