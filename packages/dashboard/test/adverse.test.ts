import { steward } from '@steward/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PageStage, testKey } from './stage/page-stage.ts';
import { Visitors } from './stage/visitors.ts';

/** Browsers, clocks and addresses that are not as one would have them. */
let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open({ key: testKey });
});
afterAll(() => stage[Symbol.asyncDispose]());

const key = `#${new URLSearchParams({ key: testKey })}`;
const owner = () => steward({ url: `${stage.origin}/api`, key: testKey });

/** In a browser of which something is another way from the beginning on. */
async function visitAs(change: () => void, path = '/') {
  const page = await stage.visit({ path: '/icon.svg', isSameTab: true });
  const script = await page.addInitScript(change);
  onTestFinished(() => script.dispose());
  await page.goto(`${stage.origin}${path}${key}`);
  return page;
}

describe('in a browser that lets it keep nothing', () => {
  const forbidden = () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException('Access is denied', 'SecurityError');
        },
      });
  };

  it('opens the farm with the key of the link, and with one that is typed in', async () => {
    const page = await visitAs(forbidden);
    await page.getByRole('heading', { name: 'Meadow' }).waitFor();
    await page.getByRole('link', { name: 'This page' }).first().click();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.locator('input[type=password]').fill(testKey);
    await page.keyboard.press('Enter');
    await page.getByText('the owner, with API_KEY').waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('says a line in the chat', async () => {
    const page = await visitAs(forbidden, '/chat');
    await page.getByLabel('What you say').fill('Hello');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Hello').waitFor();
    expect(stage.complaints).toEqual([]);
  });
});

it('is live where tabs may not talk to each other', async () => {
  const page = await visitAs(() => {
    Object.assign(globalThis, {
      BroadcastChannel: class {
        constructor() {
          throw new DOMException('The operation is insecure', 'SecurityError');
        }
      },
    });
  });
  await page.getByRole('banner').getByText('Live').waitFor();
  expect(stage.complaints).toEqual([]);
});

it('says that there is no such player, whatever the address holds', async () => {
  for (const id of ['%E0%A4%A', '<b>', 'constructor']) {
    const page = await stage.visit({ path: `/players/${id}${key}`, isSameTab: true });
    await page.getByText('There is no such player').waitFor();
  }
  expect(stage.complaints).toEqual([]);
});

it('shows what happened while another view was looked at', async () => {
  const page = await stage.visit({ path: `/${key}`, isSameTab: true });
  const happened = page.getByRole('region', { name: 'Latest events' });
  await happened.getByRole('list').or(happened.getByText('Nothing happened yet')).waitFor();
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  stage.game.happens({ kind: 'chat', playerId: '5512', playerName: 'Ann', message: 'While you were away' });
  const isTold = async () => {
    const { events } = await owner().getEvents({ topics: 'chat', limit: 1 });
    return events.length > 0;
  };
  await expect.poll(isTold).toBe(true);
  await page.getByRole('link', { name: 'The farm now' }).click();
  await happened.getByText('While you were away').waitFor();
});

const oneBackup = {
  backups: [
    {
      ...{ id: '2026-11-22-1', madeAt: '2026-11-22T10:00:00.000Z', madeBy: '0.1.0', why: 'asked' },
      ...{ keep: false, all: false, bytes: 4_096, farm: {}, parts: ['saves'] },
    },
  ],
  ...{ unreadable: [], bytes: 4_096, freeBytes: 4_096, rule: '' },
};

it.each([
  ['before', 3_600_000],
  ['behind', -3_600_000],
])('tells times by the server’s clock where that of the browser is an hour %s', async (_, ahead) => {
  stage.game.state.players = [{ id: '5512', name: 'Ann', connectionId: 'L_1', isAdmin: false }];
  stage.game.tell();
  await owner().startDrain({ when: 'now', seconds: 600 });
  const page = await stage.visit({ path: '/icon.svg', isSameTab: true });
  const script = await page.addInitScript((aheadMs) => {
    const Right = Date;
    class Wrong extends Right {
      constructor(...given: ConstructorParameters<DateConstructor> | []) {
        super(...((given.length === 0 ? [Wrong.now()] : given) as ConstructorParameters<DateConstructor>));
      }
      static override now() {
        return Right.now() + aheadMs;
      }
    }
    Object.assign(globalThis, { Date: Wrong });
  }, ahead);
  onTestFinished(() => script.dispose());
  await page.goto(`${stage.origin}/${key}`);
  const left = page.getByRole('timer');
  await left.waitFor();
  await expect.poll(() => left.textContent()).toMatch(/^(10:00|9:\d\d)$/);
  // What happened last is below the window where something keeps players out, and loads when it comes near.
  await page.keyboard.press('End');
  const happened = page.getByRole('region', { name: 'Latest events' });
  await happened.locator('time', { hasText: 'just now' }).first().waitFor();
  await owner().cancelDrain();
});

it('says why the server does not let it in where that has answered', async () => {
  const page = await stage.visit({ path: '/icon.svg', isSameTab: true });
  const problem = { type: 'about:blank', title: 'Unreadable', status: 503, code: 'state-unreadable' };
  const json = { ...problem, detail: 'This key cannot be checked', requestId: 'r-1' };
  await page.route('**/api/whoami', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', json }),
  );
  await page.goto(`${stage.origin}/${key}`);
  await page.getByText('The server does not let this page in now').waitFor();
  await page.getByText('This key cannot be checked').waitFor();
  await page.goto(`${stage.origin}/farms${key}`);
  const card = page.getByRole('main').getByRole('region');
  await card.getByText('This key cannot be checked').waitFor();
  expect(await page.getByText('API_ALLOWED_ORIGINS=').count()).toBe(0);
  // While it is refused: once it is let in, which it tries by itself, there is nothing to try.
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.unroute('**/api/whoami');
  await page.getByRole('banner').getByText('Live').waitFor();
});

describe('where something else answers in the place of the farm’s server', () => {
  const elsewhere = { status: 404, contentType: 'text/html', body: '<h1>Nothing here</h1>' };
  const notice = 'This address is not a farm’s server';

  it('begins by itself once the server is there', async () => {
    const page = await stage.visit({ path: '/icon.svg' });
    await page.clock.install();
    await page.route('**/api/whoami', (route) => route.fulfill(elsewhere));
    await page.goto(`${stage.origin}/${key}`);
    await page.getByText(notice).waitFor();
    await page.unroute('**/api/whoami');
    await page.clock.fastForward(30_000);
    await page.getByRole('banner').getByText('Live').waitFor();
    expect(await page.getByText(notice).count()).toBe(0);
    await page.context().close();
  });

  it('goes on at once where somebody has it try, also after it was live', async () => {
    const page = await stage.visit({ path: '/icon.svg' });
    let isThere = true;
    await page.routeWebSocket('**/ws', (socket) => {
      if (isThere) socket.connectToServer();
      else void socket.close();
    });
    await page.goto(`${stage.origin}/${key}`);
    await page.getByRole('banner').getByText('Live').waitFor();
    isThere = false;
    await page.route('**/api/**', (route) => route.fulfill(elsewhere));
    await stage.stop();
    await stage.start();
    const again = page.getByRole('button', { name: 'Try now' });
    await again.click();
    await page.getByText(notice).waitFor();
    isThere = true;
    await page.unroute('**/api/**');
    await again.click();
    await page.getByRole('banner').getByText('Live').waitFor();
    expect(await page.getByText(notice).count()).toBe(0);
    await page.context().close();
  });
});

it('is refused nothing by the server that its key is not good for, as it does not ask', async () => {
  const refused: string[] = [];
  for (const scopes of ['chat', 'operate', 'moderate', 'chat,moderate']) {
    const { secret = '' } = await owner().createKey({ name: scopes, scopes });
    const page = await stage.visit({ path: '/icon.svg', isSameTab: true });
    page.on('response', (answer) => answer.status() === 403 && refused.push(`${scopes}: ${answer.url()}`));
    // What follows events is never done, by a stream or by pages.
    const open = new Set<unknown>();
    page.on('request', (request) => /\/events.*(stream|wait=)/.test(request.url()) || open.add(request));
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => open.delete(request));
    for (const path of ['/', '/players', '/chat', '/farms', '/page']) {
      await page.goto(`${stage.origin}${path}#${new URLSearchParams({ key: secret })}`);
      await page.getByRole('banner').getByText('Live').waitFor();
      await page.locator('main h1').waitFor();
      await expect.poll(() => open.size).toBe(0);
    }
  }
  expect(refused).toEqual([]);
});

it('keeps what was typed and not saved while another view is looked at', async () => {
  const page = await stage.visit({ path: `/settings${key}`, isSameTab: true });
  await page.getByLabel('Maximum players').fill('7');
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await page.goBack();
  await page.getByText('1 change', { exact: true }).waitFor();
  expect(await page.getByLabel('Maximum players').inputValue()).toBe('7');
});

describe('says that something was not done where the answer has it so', () => {
  it('a test that no webhook took', async () => {
    await owner().createWebhook({ name: 'ops', url: 'https://example.test/hook', topics: 'server' });
    const page = await stage.visit({ path: `/webhooks${key}`, isSameTab: true });
    await page.route('**/api/webhooks/test?*', (route) =>
      route.fulfill({
        json: {
          message: 'Told',
          operationId: '7',
          test: { delivered: false, tries: 1, reason: 'nobody is there' },
        },
      }),
    );
    await page.getByRole('button', { name: 'Send a test' }).click();
    const told = page.locator('.toast', { hasText: 'It was not delivered: nobody is there' });
    await told.getByText('Not done').waitFor();
    expect(await told.getByText('Done', { exact: true }).count()).toBe(0);
  });

  it.each([
    ['failed', 'Not done'],
    ['skipped', 'Not done'],
    ['unknown', 'It is unknown whether it was done'],
    [undefined, 'Under way …'],
  ])('a schedule whose run is %s', async (outcome, title) => {
    const name = `at night, ${outcome}`;
    await owner().createSchedule({ name, action: 'save', cron: '0 5 * * *' });
    const page = await stage.visit({ path: `/schedules${key}`, isSameTab: true });
    await page.route('**/api/schedules/run?*', (route) =>
      route.fulfill({
        json: {
          ...{ message: `${name} was begun`, operationId: '7' },
          run: { at: new Date().toISOString(), outcome, reason: outcome && 'It came to that' },
        },
      }),
    );
    await page.getByRole('button', { name: `Run now: ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await page.locator('.toast').getByText(title, { exact: true }).waitFor();
    expect(await page.locator('.toast').textContent()).toContain(outcome ? 'It came to that' : 'was begun');
  });

  it('a backup that fails after it was said to be under way', async () => {
    const page = await visitAs(() => {}, '/backups');
    await page.route('**/api/backups', (route) => route.fulfill({ json: oneBackup }));
    const data = { why: 'asked', reason: 'The disk is full' };
    const failed = { type: 'backups.failed', at: new Date().toISOString(), cursor: 'a-1', data };
    await page.route('**/api/events?*', (route) =>
      route.fulfill({ json: { events: [failed], more: false, next: 'a-1' } }),
    );
    await page.reload();
    const told = page.getByRole('definition').filter({ hasText: 'The disk is full' });
    await told.waitFor();
    expect(await told.textContent()).toBe('just now: The disk is full');
  });

  it('a download that is cut off', async () => {
    const page = await visitAs(() => {
      const { fetch } = globalThis;
      globalThis.fetch = async (...asked: Parameters<typeof fetch>) =>
        String(asked[0]).includes('/file')
          ? new Response(
              new ReadableStream({
                start: (controller) => controller.error(new TypeError('network error')),
              }),
              { headers: { 'content-type': 'application/zstd' } },
            )
          : fetch(...asked);
    }, '/backups');
    await page.route('**/api/backups', (route) => route.fulfill({ json: oneBackup }));
    await page.reload();
    await page.getByRole('button', { name: /^Download/ }).click();
    await page.getByText('The download was cut off.').waitFor();
    expect(await page.getByText('There was an error in this page').count()).toBe(0);
  });
});

it('goes on with a download at the second press of a double click, and ends it at another press', async () => {
  const page = await visitAs(() => {
    const { fetch } = globalThis;
    const body = new ReadableStream({
      start: (controller) => {
        Object.assign(globalThis, { bring: () => controller.enqueue(new Uint8Array(1_024)) });
      },
    });
    globalThis.fetch = async (...asked: Parameters<typeof fetch>) =>
      String(asked[0]).includes('/file')
        ? new Response(body, { headers: { 'content-type': 'application/zstd' } })
        : fetch(...asked);
  }, '/backups');
  await page.route('**/api/backups', (route) => route.fulfill({ json: oneBackup }));
  await page.reload();
  const download = page.getByRole('button', { name: /^Download/ });
  await download.click();
  const stop = page.getByRole('button', { name: 'Stop the download' });
  await stop.dispatchEvent('click', { detail: 2 });
  await page.evaluate('bring()');
  await page.getByText(/^25\s%$/).waitFor();
  await stop.click();
  await download.waitFor();
  expect(await page.getByText('The download was cut off.').count()).toBe(0);
});

it('says that there were too many wrong keys, and still takes the right one', async () => {
  const page = await stage.visit({ isSameTab: true });
  const field = page.locator('input[type=password]');
  await field.waitFor();
  await expect
    .poll(
      async () =>
        (await fetch(`${stage.origin}/api/whoami`, { headers: { authorization: 'Bearer no' } })).status,
    )
    .toBe(429);
  await field.fill('another');
  await page.keyboard.press('Enter');
  await page.getByText('Too many wrong keys came from your address').waitFor();
  expect(await page.getByText('The server cannot be reached').count()).toBe(0);
  await field.fill(testKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
});

it('says of a view that cannot be drawn that it is so, and shows the others', async () => {
  // Apart from the others, for this page complains.
  await using visitors = await Visitors.open();
  const page = await visitors.visit(stage.origin, { path: `/${key}` });
  // As no server answers: whatever it is that the view cannot take.
  await page.route('**/api/webhooks', (route) => route.fulfill({ json: { webhooks: [{}] } }));
  await page.getByRole('link', { name: 'Webhooks' }).first().click();
  await page.getByRole('main').getByText('This view cannot be shown').waitFor();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Reload the page' }).waitFor();
  await page.getByRole('link', { name: 'The farm now' }).first().click();
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
  // Whoever looks for the reason finds it where browsers say such things.
  expect(visitors.complaints).toEqual([expect.stringMatching(/^TypeError: /)]);
});
