/** The languages that the game ships beside English, as its files name them. */
export const languageCodes = [
  'de-DE',
  'es-ES',
  'fr-FR',
  'hu-HU',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'pt-BR',
  'ru-RU',
  'tr-TR',
  'zh-CN',
  'th-TH',
] as const;

export type LanguageCode = (typeof languageCodes)[number];

export interface KeptLanguages {
  /** Each once, in the order of the list above, so that equal choices look equal. */
  readonly kept: readonly LanguageCode[];
  /** What was asked for and is no language of the game. */
  readonly unknown: readonly string[];
}

/** Codes between commas, in any case; spaces around them and empty items do not count. */
export function parseKeptLanguages(text: string): KeptLanguages {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const asked = new Set(items.map((item) => item.toLowerCase()));
  const known = new Set<string>(languageCodes.map((code) => code.toLowerCase()));
  return {
    kept: languageCodes.filter((code) => asked.has(code.toLowerCase())),
    unknown: [...new Set(items.filter((item) => !known.has(item.toLowerCase())))],
  };
}

/** What an operator is told about a code that does nothing. */
export function unknownLanguageWarning(code: string): string {
  return `PLATFORM_KEEP_LANGUAGES names ${JSON.stringify(code)}, which is not a language of the game, and is ignored: the languages are ${languageCodes.join(', ')}`;
}
