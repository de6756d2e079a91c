import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenOutName, noteGivenOut } from '../../src/store/given-out.ts';

// Writes down a cursor while its disk is full, and again nothing else.
const [directory = ''] = process.argv.slice(2);
writeFileSync(process.env['FULL_WHILE'] ?? '', '');
noteGivenOut(join(directory, givenOutName), { epoch: 'another', reserved: 1 });
