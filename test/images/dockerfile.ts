export interface Instruction {
  name: string;
  value: string;
}

export interface Dockerfile {
  text: string;
  /** Where the compose file mounts volumes into containers of this image. */
  mountPoints: string[];
}

/** The instructions in order, continued lines joined, comments dropped. */
export function instructions(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [name = ''] = line.split(' ', 1);
      return { name: name.toUpperCase(), value: line.slice(name.length).trim() };
    });
}

/** The instructions that make the image: of the last stage, and before them of the stages that it is from. */
export function finalStage(text: string): Instruction[] {
  const all = instructions(text);
  return withItsBase(all, all.slice(all.findLastIndex(({ name }) => name === 'FROM')));
}

function withItsBase(all: readonly Instruction[], stage: readonly Instruction[]): Instruction[] {
  const [base = ''] = stage[0]?.value.split(' ') ?? [];
  const start = all.findIndex(({ name, value }) => name === 'FROM' && value.endsWith(` AS ${base}`));
  if (start === -1) return [...stage];
  const length = all.slice(start + 1).findIndex(({ name }) => name === 'FROM') + 1;
  return [...withItsBase(all, all.slice(start, start + length)), ...stage];
}

/** A Dockerfile of several images as if it were of the one alone: the stages of the others are gone. */
export function onlyTarget(text: string, target: string): string {
  const stages = text.split(/^(?=FROM )/m);
  return stages
    .filter((stage) => !/^FROM \S+ AS (?!base\b|build\b)/.test(stage) || stage.includes(` AS ${target}\n`))
    .join('');
}

export function valuesOf(name: string, from: readonly Instruction[]): string[] {
  return from.filter((instruction) => instruction.name === name).map(({ value }) => value);
}
