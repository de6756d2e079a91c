import { z } from 'zod';
import { type ProblemCode, problemCodes } from './problem-codes.ts';

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]];

export const problemContentType = 'application/problem+json';

/** RFC 9457 problem details, with the two members that clients of the existing server look for. */
export const problemSchema = z.looseObject({
  type: z.string().meta({ description: 'Always about:blank; use `code` in your program' }),
  title: z.string().meta({ description: 'What the code means in general' }),
  status: z.int().meta({ description: 'The HTTP status' }),
  code: z.enum(codes).meta({ description: 'A stable name for this kind of error' }),
  detail: z.string().meta({ description: 'What went wrong this time, and what to do' }),
  requestId: z.string().optional().meta({ description: 'Stands on the log lines of this request, too' }),
  success: z.literal(false).meta({ description: 'For clients of the existing server' }),
  error: z.string().meta({ description: 'The same text as `detail`, for clients of the existing server' }),
});

export type ProblemDetails = z.infer<typeof problemSchema>;

/** Further members that single codes carry, such as `applied` or `matches`. */
export type ProblemExtras = Readonly<Record<string, unknown>>;

/** What travels beside the answer, such as `retry-after`. */
export type ProblemHeaders = Readonly<Record<string, string>>;

/** An error that becomes an answer. Its text is written for the client and holds no secret. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;
  readonly headers: ProblemHeaders;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}, headers: ProblemHeaders = {}) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
    this.headers = headers;
  }

  get status(): number {
    return problemCodes[this.code].status;
  }

  details(requestId?: string): ProblemDetails {
    const { status, title } = problemCodes[this.code];
    return {
      ...this.extras,
      type: 'about:blank',
      title,
      status,
      code: this.code,
      detail: this.message,
      ...(requestId === undefined ? {} : { requestId }),
      success: false,
      error: this.message,
    };
  }
}
