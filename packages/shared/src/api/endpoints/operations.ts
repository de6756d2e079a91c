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
    summary: 'How the latest changes ended',
    description: 'The newest first, each as in GET /operations/{id}.',
    query: {
      limit: optional(integer({ min: 1, max: operationsListed.most }), {
        means: `The maximum number; ${operationsListed.usual} by default`,
        example: 20,
      }),
      before: optional(operationId, {
        means: 'Only operations older than this operationId',
        example: '16394852047116039211',
      }),
    },
    problems: ['operation-not-found'],
  },
  getOperation: {
    on: 'GET /operations/{id}',
    group: 'Server',
    scope: 'read',
    summary: 'How a change ended',
    description: 'Known for 24 hours after it ended or 1,000 operations, also after restarts.',
    path: {
      id: required(operationId, {
        means: 'The operationId of an earlier answer',
        example: '16394852047116039211',
      }),
    },
    problems: ['operation-not-found'],
  },
} as const satisfies Endpoints;
