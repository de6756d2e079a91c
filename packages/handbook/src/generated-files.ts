import { configurationPage, environmentFile } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';

/** Every committed file that is made from code, by its path in the checkout. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/configuration.md', configurationPage()],
    ['docs/errors.md', errorsPage()],
    ['.env.example', environmentFile()],
  ]);
}
