/** As the game names a connection over the platform's relay. */
export const relay = 'SN_76561198000000001_1';
/** And two over the network, whose ids are those behind the underscore. */
export const network = 'GN_46265193014';
export const other = 'GN_5';
/** One by address, which says nothing of who it is. */
export const address = 'L_7f21';
