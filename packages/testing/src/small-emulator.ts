// The emulated platform of a stack, with the least of a game: to make the usual one takes half a second of the processor at each
// start, and as much again to download.
process.argv.push('--game-mb', '1');
await import(process.env['EMULATOR_MAIN'] ?? '');
