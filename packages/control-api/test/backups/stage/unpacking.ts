import { unpack } from '../../../src/backups/archive/unpack.ts';

// Puts what stands under a name in an archive somewhere.
const [archive = '', name = '', target = ''] = process.argv.slice(2);
await unpack(archive, { [name]: target });
