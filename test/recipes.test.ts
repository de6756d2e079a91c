import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openApi, testKey } from '../packages/control-api/test/api/stage/open-api.ts';
import { webhookTemplates } from '../packages/shared/src/api/webhook-parameters.ts';
import { topicNames } from '../packages/shared/src/events/event-types.ts';

const page = readFileSync(new URL('../docs/recipes.md', import.meta.url), 'utf8');

interface Look {
  readonly resource: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sensor?: readonly Sensor[];
  readonly binary_sensor?: readonly Sensor[];
}

interface Sensor {
  readonly value_template: string;
  readonly json_attributes?: readonly string[];
}

/** The block that is marked so. A secret stands for the key of the tests. */
function recipe(name: string): string {
  const [, block] = new RegExp(`<!-- recipe: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw new Error(`the page has no recipe ${name}`);
  return block
    .replaceAll('!secret steward_authorization', `Bearer ${testKey}`)
    .replaceAll('{{HOMEPAGE_VAR_STEWARD_KEY}}', testKey)
    .replaceAll('stw_…', testKey);
}

const here = (url: string): string => {
  const { host, pathname, search } = new URL(url);
  expect(host).toBe('farm.lan:8080');
  return `${pathname}${search}`;
};

async function farm() {
  const api = await openApi({ key: testKey, fault: 'saves-while-played' });
  const ask = async (method: 'GET' | 'POST', url: string, headers: Readonly<Record<string, string>> = {}) =>
    await api.ask(method, here(url), { key: null, headers });
  return { api, ask, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

describe('the recipe for', () => {
  it('Home Assistant reads fields that there are, and its commands are carried out', async () => {
    await using stage = await farm();
    const { rest, rest_command: commands } = parse(recipe('home-assistant')) as {
      rest: readonly Look[];
      rest_command: Readonly<
        Record<string, { url: string; method: string; headers: Record<string, string> }>
      >;
    };
    for (const { resource, headers, sensor = [], binary_sensor: binary = [] } of rest) {
      const answer = await stage.ask('GET', resource, lower(headers));
      expect(answer.statusCode).toBe(200);
      for (const { value_template: template, json_attributes: attributes = [] } of [...sensor, ...binary]) {
        const [, name = '', isOptional] =
          /^\{\{ value_json\.(\w+)( \| default\('none'\))? \}\}$/.exec(template) ?? [];
        expect(name, template).not.toBe('');
        for (const field of isOptional === undefined ? [name, ...attributes] : attributes)
          expect(answer.exact, `${resource} has ${field}`).toHaveProperty(field);
        // A code comes and goes.
        if (isOptional !== undefined)
          expect(Object.keys(answer.exact)).toSatisfy((keys) =>
            [name, 'error'].some((one) => keys.includes(one)),
          );
      }
    }
    for (const { url, method, headers } of Object.values(commands)) {
      expect(method).toBe('post');
      const filled = url.replace('{{ message | urlencode }}', encodeURIComponent('Somebody is at the door'));
      expect((await stage.ask('POST', filled, lower(headers))).statusCode).toBe(200);
    }
    expect(stage.api.farm.heard).toEqual(['save', 'announce']);
  });

  it('Home Assistant’s webhook hears of the type that it waits for', () => {
    const { automation } = parse(recipe('home-assistant-webhook'));
    expect(automation[0].conditions).toContain("'players.joined'");
    expect(page).toContain(`api/webhook/${automation[0].triggers[0].webhook_id}\``);
  });

  it('Uptime Kuma finds what it expects', async () => {
    await using stage = await farm();
    const monitors = JSON.parse(recipe('uptime-kuma')) as readonly Record<string, never>[];
    for (const monitor of monitors) {
      const { exact, statusCode } = await stage.ask(
        'GET',
        monitor['URL'] ?? '',
        lower(monitor['Headers'] ?? {}),
      );
      expect(statusCode).toBe(200);
      expect(exact).toHaveProperty(monitor['Json Query'] ?? '');
    }
    const { exact } = await stage.ask('GET', 'http://farm.lan:8080/health');
    expect(['ok', 'degraded']).toContain(exact['status']);
    const ready = await stage.ask('GET', 'http://farm.lan:8080/health/ready', {
      authorization: `Bearer ${testKey}`,
    });
    expect([200, 503]).toContain(ready.statusCode);
  });

  it('Homepage maps fields that there are', async () => {
    await using stage = await farm();
    const [{ Games }] = parse(recipe('homepage'));
    const { widget } = Games[0].Farm;
    const { exact, statusCode } = await stage.ask(widget.method, widget.url, lower(widget.headers));
    expect(statusCode).toBe(200);
    const { properties } = (
      stage.api.document as unknown as {
        components: { schemas: { Status: { properties: object } } };
      }
    ).components.schemas.Status;
    for (const { field } of widget.mappings) expect(properties).toHaveProperty(field);
    expect(exact).toHaveProperty('playerCount');
  });

  it.each([...page.matchAll(/webhooks create --name \w+ --topics (\S+)(?: --template (\w+))?/g)])(
    'a webhook names topics and a template that there are: %s',
    (...[, topics = '', template = 'standard']) => {
      for (const topic of topics.split(',')) expect(topicNames).toContain(topic);
      expect(webhookTemplates).toContain(template);
    },
  );
});

function lower(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
