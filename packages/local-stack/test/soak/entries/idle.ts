// A program that does nothing, and so grows by what is leaked alone.
setInterval(() => {}, 1_000);
process.stdout.write('idle\n');
