import { lobbyVisibility, requestableVisibility } from '@steward/shared/wire-values';
import { expect, it } from 'vitest';
import { answerQuestion, type GameQuestions } from './game-questions.ts';

const asked = ['platform', 'network'].flatMap((site) =>
  requestableVisibility.options.map((requested) => ({ site, requested })),
);

const notAsked = () => {
  throw new Error('this is asked of nobody');
};

const nobody: GameQuestions = {
  mayJoin: notAsked,
  visibleSlots: notAsked,
  appTicket: notAsked,
  settings: notAsked,
};

it.each(asked)('gives a lobby the one visibility that there is: $site, $requested', async (question) => {
  expect(await answerQuestion(nobody, 'lobbyVisibility', question)).toEqual({
    visibility: lobbyVisibility,
  });
});
