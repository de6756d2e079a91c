import { OperatorError } from '@steward/service-kit/process/errors';

export type BridgeAddress =
  | { readonly kind: 'stdio' }
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export function parseBridgeAddress(text: string): BridgeAddress {
  if (text === 'stdio') return { kind: 'stdio' };
  if (text.startsWith('unix:') && text.length > 'unix:'.length) {
    return { kind: 'unix', path: text.slice('unix:'.length) };
  }
  const tcp = /^tcp:(.+):([0-9]{1,5})$/.exec(text);
  const [, host = '', port = ''] = tcp ?? [];
  if (host === '') {
    throw new OperatorError(`FARM_BRIDGE is "${text}": it must be stdio, unix:<path> or tcp:<host>:<port>`);
  }
  return { kind: 'tcp', host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
