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
