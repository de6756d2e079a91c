// Loaded into every member before its own code: a stack that was killed leaves nothing running behind it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
