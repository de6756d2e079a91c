import { uint64Range } from '../../ids.ts';
import { digits, integer } from '../../kinds.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';

const operationId = {
  ...digits(uint64Range),
  allowed: 'the operationId of an earlier answer',
};

export const operationsListed = { most: 1_000, usual: 100 } as const;

export const operationEndpoints = {
  listOperations: {
    on: 'GET /operations',
    group: 'Server',
    scope: 'read',
    summary: 'What became of the last commands',
    description: 'The newest first, each as it is alone.',
    query: {
      limit: optional(integer({ min: 1, max: operationsListed.most }), {
        means: `How many at the most; ${operationsListed.usual} where nothing is said`,
        example: 20,
      }),
      before: optional(operationId, {
        means: 'The operationId of one of them, for those that are older',
        example: '16394852047116039211',
      }),
    },
    problems: ['operation-not-found'],
  },
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
