import { lobbyVisibility, requestableVisibility } from '@steward/shared/lobby-visibility';
import { expect, it } from 'vitest';
import { answerQuestion } from './answer-question.ts';
import { gameDecides } from './game-decides.ts';

const asked = ['platform', 'network'].flatMap((site) =>
  requestableVisibility.options.map((requested) => ({ site, requested })),
);

it.each(asked)('gives a lobby the one visibility that there is: $site, $requested', async (question) => {
  expect(await answerQuestion(gameDecides, 'lobbyVisibility', question)).toEqual({
    visibility: lobbyVisibility,
  });
});
