import type { HttpServer } from '@steward/service-kit/http/http-server';
import { type DownloadAnswer, downloadAnswer } from '@steward/shared/sidecar/download';

/** How the game's files are, and how far their download is. */
export function downloadRoute(server: HttpServer, answer: () => Promise<DownloadAnswer>): void {
  server.get('/download', { schema: { response: { 200: downloadAnswer } } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return answer();
  });
}
