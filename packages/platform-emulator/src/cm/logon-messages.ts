import { messageType } from '../wire/protobufs.ts';

// Source: docs/platform-emulator.md, wire: order; all in steammessages_clientserver_login.proto or steammessages_clientserver.proto.

interface IpAddress {
  v4?: number;
}

export const logonType = messageType<{
  access_token: string;
  account_name: string;
  anon_user_target_account_name: string;
  /** What the client calls its logon id. */
  obfuscated_private_ip: IpAddress;
}>('CMsgClientLogon');

export const logonResponseType = messageType<{
  eresult: number;
  heartbeat_seconds?: number;
  legacy_out_of_game_heartbeat_seconds?: number;
  rtime32_server_time?: number;
  cell_id?: number;
  public_ip?: IpAddress;
  client_supplied_steamid?: string;
  client_instance_id?: string;
}>('CMsgClientLogonResponse');

export const accountInfoType = messageType<{
  persona_name: string;
  ip_country: string;
  count_authed_computers: number;
  account_flags: number;
}>('CMsgClientAccountInfo');

export const licenseListType = messageType<{
  eresult: number;
  licenses: { package_id: number; license_type: number; time_created: number; owner_id: number }[];
}>('CMsgClientLicenseList');
