import { type LibraryProxy, libraryProxy } from '../../src/platform/library-proxy.ts';
import { type ProxyAddress, parseProxy } from '../../src/platform/proxy.ts';

export function proxyAt(url: string): ProxyAddress {
  const parsed = parseProxy(url);
  if (!parsed.ok) throw new Error(`${url} ${parsed.reason}`);
  return parsed.value;
}

/** All traffic over one proxy. */
export function through(url: string): LibraryProxy {
  const proxy = proxyAt(url);
  return libraryProxy(() => proxy);
}
