// The limit: what Node itself takes until it listens.
import { createServer } from 'node:http';

createServer((_request, response) => response.end()).listen(Number(process.env['API_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
