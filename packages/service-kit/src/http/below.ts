/** An address below another one, whose own path is kept: a proxy in front of a service may need it. */
export function below(base: URL, path: string): URL {
  const folder = new URL(base);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return new URL(path.replace(/^\/+/, ''), folder);
}
