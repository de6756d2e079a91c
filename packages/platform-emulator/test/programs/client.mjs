// A client as anyone would write one: unmodified libraries, the proxy as an option, the CA from NODE_EXTRA_CA_CERTS.
import { once } from 'node:events';
import { EAuthTokenPlatformType, LoginSession } from 'steam-session';
import SteamUser from 'steam-user';

const { PROXY: httpProxy, ACCOUNT: accountName, PASSWORD: password, TICKET_KEY: ticketKey } = process.env;
const session = new LoginSession(EAuthTokenPlatformType.SteamClient, { httpProxy, machineId: true });
const authenticated = once(session, 'authenticated');
await session.startWithCredentials({ accountName, password });
await authenticated;

const client = new SteamUser({ httpProxy, dataDirectory: null, enablePicsCache: false });
client.logOn({ refreshToken: session.refreshToken });
await once(client, 'loggedOn');

const app = 413150;
const { encryptedAppTicket } = await client.createEncryptedAppTicket(app);
const ticket = SteamUser.parseEncryptedAppTicket(encryptedAppTicket, ticketKey);
const { depots } = (await client.getProductInfo([app], [], true)).apps[app].appinfo;
const [depotId] = Object.keys(depots).filter((id) => depots[id].config?.oslist === 'linux');
const gid = depots[depotId].manifests.public.gid;
const { manifest } = await client.getManifest(app, Number(depotId), gid, 'public');
const hashes = manifest.files.find(({ filename }) => filename.endsWith('ContentHashes.json'));
const { file } = await client.downloadFile(app, Number(depotId), hashes);
const report = {
  steamId: client.steamID.getSteamID64(),
  ticketOf: ticket.steamID.getSteamID64(),
  files: manifest.files.length,
  hashes: Object.keys(JSON.parse(file.toString('utf8'))).length,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
client.logOff();
await once(client, 'disconnected');
process.exit(0);
