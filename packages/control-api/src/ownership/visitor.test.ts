import { expect, it } from 'vitest';
import { connectLine, visitorOf } from './visitor.ts';

it.each([
  ['SN_76561198000000001_7', 'Client connected via platform-relay (platform id 76561198000000001)'],
  ['SN_00076561198000000001_7', 'Client connected via platform-relay (platform id 76561198000000001)'],
  ['GN_46265193014', 'Client connected via network-p2p (network id 46265193014)'],
  ['GN_76561198000000001', 'Client connected via network-p2p (network id 76561198000000001)'],
  ['L_7f21', 'Client connected via direct-ip'],
  ['L_76561198000000001', 'Client connected via direct-ip'],
  // What cannot be read still came some way, and is nobody's.
  ['SN_123', 'Client connected via platform-relay'],
  ['GN_-1', 'Client connected via network-p2p'],
  ['sn_1_2', 'Client connected via unknown'],
])('%s: %s', (connectionId, line) => {
  expect(connectLine(visitorOf(connectionId))).toBe(line);
});
