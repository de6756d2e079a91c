import { uint64Range } from '../../ids/integer64.ts';
import { digits } from '../../kinds.ts';
import { type Endpoints, required } from '../endpoint.ts';

const operationId = {
  ...digits(uint64Range),
  allowed: 'the operationId of an earlier answer',
};

export const operationEndpoints = {
  getOperation: {
    on: 'GET /operations/{id}',
    group: 'Server',
    scope: 'read',
    summary: 'What became of a command',
    description: 'Known for 24 hours or 1,000 operations, over restarts too.',
    path: {
      id: required(operationId, {
        means: 'The operationId of an earlier answer',
        example: '16394852047116039211',
      }),
    },
    problems: ['operation-not-found'],
  },
} as const satisfies Endpoints;
