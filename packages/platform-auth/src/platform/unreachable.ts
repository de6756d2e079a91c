import type { Failure } from './failure.ts';

const certificateTrouble = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;
/** The platform's own certificates are good now: on a machine without a battery it is most often the clock that is wrong. */
const wrongTime = /^CERT_(NOT_YET_VALID|HAS_EXPIRED)$/;

/** What mends a way on which Node trusts nobody; undefined where the cause is another. */
export function certificateRemedy(cause: string): string | undefined {
  if (wrongTime.test(cause))
    return 'Check the clock of this machine first: switch on its time synchronisation; if it is right, a program in between reads the traffic with a certificate that is not valid now: renew it, or bypass the program';
  return certificateTrouble.test(cause)
    ? 'A program in between reads the traffic: set NODE_EXTRA_CA_CERTS to its certificate, or bypass it'
    : undefined;
}

/** What a library threw that says nothing of the platform's. `unanswered`: what else it may mean, where no cause is known. */
export function unreachable(error: unknown, unanswered = ''): Failure {
  const cause = causeOf(error);
  if (cause === undefined)
    return { class: 'transient', reason: `The platform cannot be reached${unanswered}`, noAnswer: true };
  const reason = `The platform cannot be reached (${cause})`;
  return { class: 'transient', reason, noAnswer: true, remedy: certificateRemedy(cause) };
}

/** As the libraries' agent words it. */
const proxyRefusal = /^Proxy CONNECT (\d{3})\b/;
/** A SOCKS proxy's agent keeps the system's words and drops their code. */
const systemCall = /^(?:connect|getaddrinfo|read|write) (E[A-Z_]{2,40})\b/;
const nothingForeign = /^[A-Z][A-Z0-9_]{2,40}$/;

/**
 * Why a connection failed: the short name that Node and the system give to errors, or what a proxy answers. Nothing else of a
 * foreign error is told, since it may quote what it was given, a proxy's password included.
 */
export function causeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : undefined;
  if (code !== undefined && nothingForeign.test(code)) return code;
  if (error.cause instanceof Error) return causeOf(error.cause);
  const refusal = proxyRefusal.exec(error.message)?.[1];
  if (refusal !== undefined) return `the proxy answers ${refusal}`;
  return systemCall.exec(error.message)?.[1];
}
