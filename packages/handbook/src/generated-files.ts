import { documentText } from '@steward/control-api/openapi/document-text';
import { configurationPage, environmentFile } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';

/** Every committed file that is made from code, by its path in the checkout. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/configuration.md', configurationPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/api-spec.json', await documentText()],
    ['.env.example', environmentFile()],
  ]);
}
