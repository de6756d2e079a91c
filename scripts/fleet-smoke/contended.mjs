import { joinable } from '../docker-smoke/demo.mjs';
import { say } from '../docker-smoke/engine.mjs';
import { freePort } from '../docker-smoke/free-port.mjs';
import { json, until } from '../docker-smoke/until.mjs';
import { joinableWithinMs } from './three-farms.mjs';

const saidWithinMs = 120_000;

/** Two farms with one account: both say so, instead of taking each other's invite codes for ever. */
export async function saysWhoShares(fleet, account) {
  const services = { 'platform-auth': { environment: { PLATFORM_USERNAME: fleet.projectOf(account) } } };
  const twins = [];
  for (const name of ['twin', 'double']) {
    const settings = {
      API_PORT: await freePort(),
      DASHBOARD_PORT: await freePort(),
      PLATFORM_LOGIN_SPREAD: '0',
    };
    const twin = await fleet.add(name, { like: 'hazel', settings, services });
    twins.push(twin);
    // The platform gives an account one ticket a minute; from its lobby on, each takes the other's.
    await joinable(twin.api, joinableWithinMs);
  }
  const begun = performance.now();
  for (const { name, api } of twins)
    await until(`${name} says that its account is used twice`, saidWithinMs, async () =>
      (await json(`${api}/status`))?.obstacles.some(({ code }) => code === 'account-contended'),
    );
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  say(`two farms on one account: ${seconds} s after players could join both, both say account-contended`);
  for (const twin of twins) fleet.removeFarm(twin);
}
