import { documentText } from '@steward/control-api/document-text';
import { asyncApiDocument } from '@steward/control-api/http/chat/async-api';
import { configurationPage, environmentFile } from './configuration-page.ts';
import { downloadPage } from './download-page.ts';
import { errorsPage } from './errors-page.ts';
import { exitCodesPage } from './exit-codes-page.ts';
import { inviteCodesPage } from './invite-codes-page.ts';
import { sidecarErrorsPage } from './sidecar-errors-page.ts';

/** Every committed file that is made from code, by its path in the checkout. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/configuration.md', configurationPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/invite-codes.md', inviteCodesPage()],
    ['docs/sidecar-errors.md', sidecarErrorsPage()],
    ['docs/download.md', downloadPage()],
    ['docs/exit-codes.md', exitCodesPage()],
    ['docs/api-spec.json', await documentText()],
    ['docs/async-api.json', asyncApiFile()],
    ['.env.example', environmentFile()],
  ]);
}

/** The file is of no one release; a running server says which it is. */
function asyncApiFile(): string {
  return `${JSON.stringify(asyncApiDocument('v1'), undefined, 2)}\n`;
}
