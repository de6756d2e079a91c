import { describe, expect, it } from 'vitest';
import { Problem, problemSchema } from './problem.ts';
import { type ProblemCode, problemCodes } from './problem-codes.ts';
import { shuttingDown } from './shutting-down.ts';

const codes = Object.keys(problemCodes) as ProblemCode[];

describe('a problem', () => {
  it.each(codes)('%s travels as problem details that the schema accepts', (code) => {
    const problem = new Problem(code, 'events');
    const details = problem.details('request-1');
    expect(problemSchema.parse(details)).toEqual(details);
    expect(details).toMatchObject({
      status: problem.status,
      title: problemCodes[code].title,
      requestId: 'request-1',
    });
  });

  it('carries the two members that clients of the existing server look for', () => {
    expect(new Problem('farmhand-online', 'Ann is online').details()).toMatchObject({
      success: false,
      error: 'Ann is online',
      detail: 'Ann is online',
    });
  });

  it('carries what its code adds, which never replaces a member of its own', () => {
    const details = new Problem('command-void', 'too late', {
      applied: false,
      status: 200,
      success: true,
    }).details();
    expect(details).toMatchObject({ applied: false, status: 504, success: false });
  });

  it('of a service that stops says to try again, and when', () => {
    const problem = shuttingDown('The backup was given up');
    expect(problem.details()).toMatchObject({
      status: 503,
      code: 'shutting-down',
      detail: 'The backup was given up',
      retry: true,
    });
    expect(problem.headers).toEqual({ 'retry-after': '5' });
  });

  it('leaves the request id out where there is none', () => {
    expect(new Problem('not-found', 'nothing here').details()).not.toHaveProperty('requestId');
  });
});

it.each(codes)('%s has an error status', (code) => {
  expect(problemCodes[code].status).toBeGreaterThanOrEqual(400);
  expect(problemCodes[code].status).toBeLessThan(600);
});
