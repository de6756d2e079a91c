/** The EMsg numbers that the emulator answers or sends (source: steam-user's enums/EMsg.js). */
export const messageNumbers = {
  Multi: 1,
  ServiceMethodResponse: 147,
  ServiceMethodCallFromClient: 151,
  ClientHeartBeat: 703,
  ClientLogOff: 706,
  ClientLogOnResponse: 751,
  ClientLoggedOff: 757,
  ClientAccountInfo: 768,
  ClientLicenseList: 780,
  ClientGetAppOwnershipTicket: 857,
  ClientGetAppOwnershipTicketResponse: 858,
  ClientGetDepotDecryptionKey: 5438,
  ClientGetDepotDecryptionKeyResponse: 5439,
  ClientLogon: 5514,
  ClientRequestEncryptedAppTicket: 5526,
  ClientRequestEncryptedAppTicketResponse: 5527,
  ClientGetCDNAuthToken: 5546,
  ClientGetCDNAuthTokenResponse: 5547,
  ClientMMSCreateLobby: 6601,
  ClientMMSCreateLobbyResponse: 6602,
  ClientMMSJoinLobby: 6603,
  ClientMMSJoinLobbyResponse: 6604,
  ClientMMSLeaveLobby: 6605,
  ClientMMSLeaveLobbyResponse: 6606,
  ClientMMSGetLobbyList: 6607,
  ClientMMSGetLobbyListResponse: 6608,
  ClientMMSSetLobbyData: 6609,
  ClientMMSSetLobbyDataResponse: 6610,
  ClientMMSGetLobbyData: 6611,
  ClientMMSLobbyData: 6612,
  ClientMMSUserJoinedLobby: 6619,
  ClientMMSUserLeftLobby: 6620,
  ClientPICSProductInfoRequest: 8903,
  ClientPICSProductInfoResponse: 8904,
  ClientPICSAccessTokenRequest: 8905,
  ClientPICSAccessTokenResponse: 8906,
  ServiceMethodCallFromClientNonAuthed: 9804,
  ClientHello: 9805,
} as const;

const names = new Map<number, string>(Object.entries(messageNumbers).map(([name, number]) => [number, name]));

export function messageName(number: number): string {
  return names.get(number) ?? `message ${number}`;
}
