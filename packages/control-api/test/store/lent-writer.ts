import { type MessagePort, parentPort } from 'node:worker_threads';
import { serveWriter } from '../../src/store/writing/serve-writer.ts';
import type { WriterData } from '../../src/store/writing/writer.ts';

interface Lent {
  readonly port: MessagePort;
  readonly data: WriterData;
}

parentPort?.on('message', ({ port, data }: Lent) => {
  try {
    serveWriter(port, data);
  } catch {
    // To its store it died at once.
    port.close();
  }
});
