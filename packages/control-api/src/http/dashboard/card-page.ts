import { dateOf, escaped, type PublicCard } from './public-card.ts';

/** One card as a page that runs nothing, and asks for nothing but its style. */
export function cardPage(card: PublicCard): string {
  const { players, inviteCode, networkCode, isJoinable } = card;
  const title = escaped(card.name || 'Farm');
  const platformCode = inviteCode === networkCode ? undefined : inviteCode;
  const rows = [
    ['Farm', card.farmName || '–'],
    ['Day', card.day === 0 ? '–' : dateOf(card)],
    ['Players', `${players.online} of ${players.most}`],
    ...(platformCode === undefined ? [] : [['Code for players on Steam', platformCode]]),
    ...(networkCode === undefined ? [] : [['Code for everybody', networkCode]]),
  ];
  const list = rows.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('');
  const [state, said] = isJoinable ? ['open', 'Open: players can join'] : ['closed', 'Closed for now'];
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta name="color-scheme" content="light dark"><title>${title}</title>`,
    '<link rel="stylesheet" href="card.css">',
    `<main><h1>${title}</h1><p class="${state}">${said}</p><dl>${list}</dl></main></html>`,
  ].join('');
}

/** A sign at the way to the farm, by day and by lamplight. */
export const cardStyle = `:root {
  color-scheme: light dark;
  --ground: #f4ecd9; --paper: #fffaee; --line: #d8c9a8; --ink: #2f2618; --faint: #665538;
  --board: #7a5530; --leaf: #dfe8c8; --leaf-ink: #2b4f1d; --barn: #f8ddd2; --barn-ink: #98341f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #1b1712; --paper: #28221a; --line: #463b2b; --ink: #f2e8d3; --faint: #c0af90;
    --board: #4d3820; --leaf: #33412a; --leaf-ink: #bfe09f; --barn: #4b251b; --barn-ink: #f3a08b;
  }
}
body {
  display: grid; place-items: center; min-height: 100vh; margin: 0; padding: 1rem; box-sizing: border-box;
  background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
}
main {
  width: 100%; max-width: 26rem; overflow: hidden; box-sizing: border-box; padding-bottom: 0.5rem;
  border: 1px solid var(--line); border-radius: 0.75rem; background: var(--paper);
}
h1 {
  margin: 0; padding: 1.1rem 1.25rem; background: var(--board); color: #fff6e2; overflow-wrap: anywhere;
  font: 700 1.5rem/1.25 "Iowan Old Style", Palatino, Georgia, serif;
}
p { width: fit-content; margin: 1rem 1.25rem 0.5rem; padding: 0.15rem 0.7rem; border-radius: 1rem; font-weight: 600; }
.open { background: var(--leaf); color: var(--leaf-ink); }
.closed { background: var(--barn); color: var(--barn-ink); }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); margin: 0; padding: 0 1.25rem; }
dt, dd { margin: 0; padding: 0.45rem 0; border-top: 1px solid var(--line); }
dt:first-of-type, dd:first-of-type { border-top: 0; }
dt { padding-right: 1.5rem; color: var(--faint); }
dd { font-weight: 600; overflow-wrap: anywhere; }
`;
