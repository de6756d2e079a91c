import { type Claim, unless } from './claim.ts';
import { type Dockerfile, finalStage, instructions, valuesOf } from './dockerfile.ts';

export interface ImageFacts {
  /** The command of its health check, as the Dockerfile writes it. */
  readonly health: string;
  /** What starts the service. */
  readonly command: readonly string[];
  /** Where the build stage puts the service. */
  readonly folder: string;
  /** Where it puts what the image holds, and what its new volumes begin with. */
  readonly image: string;
  readonly volumes?: string;
}

export function dockerfileClaims(facts: ImageFacts): Claim<Dockerfile>[] {
  const { health, command, folder, image, volumes = '' } = facts;
  const entry = `[${command.map((part) => `"${part}"`).join(', ')}]`;
  return [
    {
      says: 'the service does not run as root',
      problems: ({ text }) => {
        const user = valuesOf('USER', finalStage(text)).at(-1) ?? 'root';
        return unless(!/^(root|0)(:|$)/.test(user), `USER is ${user}`);
      },
      breaks: {
        'no USER': change('\nUSER node', ''),
        'USER by number 0': change('USER node', 'USER 0:0'),
        'root again further down': change('USER node', 'USER node\nUSER root'),
        'USER in the build stage alone': (file) => {
          file.text = file.text
            .replaceAll('USER node\n', '')
            .replace('WORKDIR /build', 'WORKDIR /build\nUSER node');
        },
      },
    },
    {
      says: 'its health is checked by its own command',
      problems: ({ text }) => {
        const [check, ...more] = valuesOf('HEALTHCHECK', finalStage(text));
        return unless(check?.endsWith(health) === true && more.length === 0, `HEALTHCHECK is ${check}`);
      },
      breaks: {
        'another program': change(health, 'CMD ["curl", "-f", "http://localhost/"]'),
        'no check': change(/HEALTHCHECK .*\n.*\n/, ''),
      },
    },
    {
      says: 'the process gets its signals itself, without a shell between',
      problems: ({ text }) =>
        unless(valuesOf('ENTRYPOINT', finalStage(text)).join() === entry, `ENTRYPOINT is not ${entry}`),
      breaks: {
        'a shell': change(`ENTRYPOINT ${entry}`, `ENTRYPOINT ${command.join(' ')}`),
        'another option': change('ENTRYPOINT ["node", ', 'ENTRYPOINT ["node", "--jitless", '),
      },
    },
    {
      says: 'the image holds what the build stage deployed and nothing from the checkout',
      problems: ({ text }) => {
        const stage = finalStage(text);
        const copies = [...valuesOf('COPY', stage), ...valuesOf('ADD', stage)];
        const made = [`--from=build ${image} /`];
        if (volumes !== '') made.push(`--from=build --chown=node:node ${volumes} /data`);
        return unless(copies.join() === made.join(), `it copies ${copies.join(', ')}`);
      },
      breaks: {
        'a copy of the sources': change('USER node', 'COPY packages packages\nUSER node'),
        'the whole build': change(`${image} /\n`, '/build /\n'),
      },
    },
    {
      says: 'dependencies are those of the lockfile, the production ones alone in the image',
      problems: ({ text }) => {
        const runs = valuesOf('RUN', instructions(text)).join('\n');
        return [
          ...unless(
            runs.includes('install --offline --frozen-lockfile '),
            'the install may change the lockfile',
          ),
          ...unless(runs.includes(` deploy --prod ${folder} `), 'development dependencies are deployed'),
          ...unless(!/\b(apt-get|curl|wget|npm install)\b/.test(runs), 'something else is downloaded'),
        ];
      },
      breaks: {
        'a floating install': change(' --frozen-lockfile', ''),
        'all dependencies': change(`deploy --prod ${folder}`, `deploy ${folder}`),
        'a download': change('RUN install', 'RUN curl -O https://example.com/x\nRUN install'),
      },
    },
    {
      says: 'what runs is the bundle, made last but for what the image has around it, with the packages alone that the service keeps',
      problems: ({ text }) => {
        const runs = valuesOf('RUN', instructions(text)).join('\n');
        const service = new RegExp(` --filter @steward/(\\S+) deploy --prod ${folder} `).exec(runs)?.[1];
        const bundled = ` && node tools/bundle/main.ts ${service} ${folder}`;
        const around = ` && node tools/image/main.ts ${folder} ${image}`;
        const last = runs.slice(runs.indexOf(' && node tools/bundle')).split('\n', 1).join();
        return [
          ...unless(
            last.includes(bundled) &&
              last.indexOf(around) > last.indexOf(bundled) &&
              !/ && (?!node tools\/(bundle|image))/.test(last),
            `no "${bundled}" and "${around}" at the end`,
          ),
          ...unless(
            !/find \S+ (?!-path '\*\/node_modules\/\*' )/.test(runs),
            "the bundle's maps are deleted",
          ),
        ];
      },
      breaks: {
        'the sources as they are': change(
          new RegExp(` \\\\\\n {2}&& node tools/bundle\\S+ \\S+ ${folder}`),
          '',
        ),
        'the other service': change(new RegExp(`main\\.ts \\S+ ${folder}`), `main.ts other ${folder}`),
        'no maps': change(" -path '*/node_modules/*'", ''),
      },
    },
    {
      says: 'a new volume belongs to the user of the container',
      problems: ({ text, mountPoints }) => {
        const made = valuesOf('RUN', instructions(text)).join(' && ').split(' && ');
        const owned = made.filter((command) => command.startsWith('install -d -o node -g node '));
        return mountPoints.flatMap((path) =>
          unless(
            owned.some((command) => command.split(' ').includes(path.replace('/data', volumes))),
            `${path} is not made for node`,
          ),
        );
      },
      breaks: {
        "root's directories": change(/install -d -o node -g node/g, 'install -d'),
        'one forgotten': (file) => {
          file.text = file.text.replace(` ${file.mountPoints[0]?.replace('/data', volumes)}`, '');
        },
        'one that came later': ({ mountPoints }) => mountPoints.push('/data/new'),
      },
    },
    {
      says: 'it is built on the one Node image, by its tag, with or without the digest that the update bot adds, and has nothing below it',
      problems: ({ text }) => [
        ...valuesOf('FROM', instructions(text)).flatMap((base) =>
          unless(
            /^(node:24-bookworm-slim(@sha256:[0-9a-f]{64})? AS base|(base|scratch|small)( AS \w+)?)$/.test(
              base,
            ),
            `a stage is from ${base}`,
          ),
        ),
        ...unless(valuesOf('FROM', finalStage(text))[0]?.split(' ')[0] === 'scratch', 'the image has a base'),
      ],
      breaks: {
        'a digest without its tag': change(':24-bookworm-slim AS', `@sha256:${'0'.repeat(64)} AS`),
        'another base': change('FROM base AS build', 'FROM node:latest AS build'),
        'the whole of Debian': change('FROM scratch', 'FROM base'),
      },
    },
    {
      says: 'the classic builder understands it',
      problems: ({ text }) => [
        ...unless(!/^#\s*syntax=/m.test(text), 'it names a frontend'),
        ...instructions(text).flatMap(({ name, value }) =>
          unless(
            !/^--(mount|network|security|chmod|link|parents|exclude)\b|<<-?\w/.test(value),
            `${name} ${value}`,
          ),
        ),
      ],
      breaks: {
        'a mount': change('RUN npx', 'RUN --mount=type=cache,target=/root npx'),
        'a heredoc': change('USER node', 'RUN <<EOF\nEOF\nUSER node'),
        'a frontend': change('# ', '# syntax=docker/dockerfile:1\n# '),
      },
    },
    {
      says: 'the compiler options that packages extend come with the packages, or the bundler finds half of them',
      problems: ({ text }) =>
        unless(
          valuesOf('COPY', instructions(text)).includes('tsconfig.json ./'),
          'tsconfig.json is left out',
        ),
      breaks: { 'without them': change('COPY tsconfig.json ./\n', '') },
    },
    {
      says: 'the lockfile is fetched before any source is copied',
      problems: ({ text }) => {
        const order = instructions(text).map(({ name, value }) => `${name} ${value}`);
        const fetched = order.findIndex((line) => line.startsWith('RUN npx') && line.endsWith(' fetch'));
        const copied = order.findIndex((line) => /^COPY (packages|tools) /.test(line));
        return unless(
          fetched !== -1 && fetched < copied,
          'a change of the sources downloads everything again',
        );
      },
      breaks: { 'sources first': change('COPY package.json', 'COPY packages packages\nCOPY package.json') },
    },
    {
      says: 'it is labelled',
      problems: ({ text }) =>
        ['title', 'description', 'licenses'].flatMap((label) =>
          unless(
            valuesOf('LABEL', finalStage(text)).join(' ').includes(`org.opencontainers.image.${label}="`),
            `no label ${label}`,
          ),
        ),
      breaks: { 'no licence': change('image.licenses', 'image.licence') },
    },
  ];
}

function change(part: string | RegExp, replacement: string): (file: Dockerfile) => void {
  return (file) => {
    file.text = file.text.replace(part, replacement);
  };
}
