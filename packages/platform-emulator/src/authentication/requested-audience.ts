import type { TokenAudience } from './tokens.ts';

/** CAuthentication_DeviceDetails, in steammessages_auth.steamclient.proto. */
export interface DeviceDetails {
  device_friendly_name?: string;
  platform_type?: number;
}

/** EAuthTokenPlatformType: the kind of client that logs in, and with it what its token opens. */
const audiences: Readonly<Record<number, TokenAudience>> = { 1: 'client', 2: 'web', 3: 'mobile' };

export function requestedAudience(details: DeviceDetails = {}): {
  audience: TokenAudience;
  deviceName: string;
} {
  return {
    audience: audiences[details.platform_type ?? 0] ?? 'web',
    deviceName: details.device_friendly_name ?? '',
  };
}
