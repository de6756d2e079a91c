import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileFilter, filterTable } from './filter-table.ts';
import { type LanguageCode, languageCodes, parseKeptLanguages } from './languages.ts';

const english = fileFilter({ languages: [], keepFiles: [] });

/** What each row is for: names that it leaves out, and names close to them that it must not touch. */
const examples: Readonly<Record<string, { out: readonly string[]; kept: readonly string[] }>> = {
  '`Content/XACT/Wave Bank.xwb` and `Wave Bank(1.4).xwb`': {
    out: ['Content/XACT/Wave Bank.xwb', 'Content/XACT/Wave Bank(1.4).xwb', 'content/xact/wave bank(1.4).XWB'],
    kept: [
      'Content/XACT/Sound Bank.xsb',
      'Content/XACT/FarmerSounds.xgs',
      'Mods/Content/XACT/Wave Bank.xwb',
      'Content/XACT/Wave Bank(1x4).xwb',
    ],
  },
  '`*.de-DE.xnb`': { out: ['Content/Strings/UI.de-DE.xnb', 'x.DE-de.XNB'], kept: ['Content/Strings/UI.xnb'] },
  '`*.es-ES.xnb`': { out: ['Content/Data/Events/Farm.es-ES.xnb'], kept: ['Content/es-ES/a.xnb'] },
  '`*.fr-FR.xnb`': { out: ['Content/a.fr-FR.xnb'], kept: ['Content/a.fr-FR.json'] },
  '`*.hu-HU.xnb`': { out: ['Content/a.hu-HU.xnb'], kept: ['Content/ahu-HU.xnb'] },
  '`*.it-IT.xnb`': { out: ['Content/a.it-IT.xnb'], kept: ['Content/a.it-IT.xnb.bak'] },
  '`*.ja-JP.xnb`': { out: ['Content/Fonts/SpriteFont1.ja-JP.xnb'], kept: ['Content/Fonts/SpriteFont1.xnb'] },
  '`*.ko-KR.xnb`': { out: ['Content/a.ko-KR.xnb'], kept: ['Content/a.ko.xnb'] },
  '`*.pt-BR.xnb`': { out: ['Content/a.pt-BR.xnb'], kept: ['Content/a.pt-PT.xnb'] },
  '`*.ru-RU.xnb`': { out: ['Content/a.ru-RU.xnb'], kept: ['Content/a-ru-RU.xnb'] },
  '`*.tr-TR.xnb`': { out: ['Content/a.tr-TR.xnb'], kept: ['Content/a.tr-TR'] },
  '`*.zh-CN.xnb`': { out: ['Content/a.zh-CN.xnb'], kept: ['Content/a.zh-TW.xnb'] },
  '`*.th-TH.xnb`': { out: ['Content/a.th-TH.xnb'], kept: ['th-TH.xnb'] },
  '`Content/Fonts/Chinese*`': {
    out: ['Content/Fonts/Chinese.xnb', 'Content/Fonts/Chinese_round/3.xnb', 'content/fonts/chinese_0.png'],
    kept: ['Content/Maps/Chinese.xnb', 'Content/Fonts/SmallFont.xnb'],
  },
  '`Content/Fonts/Japanese*`': {
    out: ['Content/Fonts/Japanese_12.xnb'],
    kept: ['Content/Fonts2/Japanese.xnb'],
  },
  '`Content/Fonts/Korean*`': { out: ['Content/Fonts/Korean.fnt'], kept: ['Mods/Content/Fonts/Korean.fnt'] },
  '`*.pdb`, `*.mdb`, `*.dbg`, `*.debug`': {
    out: ['FarmGame.pdb', 'lib/native.so.dbg', 'a.MDB', 'libcoreclr.so.debug'],
    kept: ['libmscordbi.so', 'FarmGame.dll', 'FarmGame.deps.json', 'pdb'],
  },
  '`*.pdf`, `*.chm`, `*.rtf`': {
    out: ['Manual/Handbuch.pdf', 'help.chm', 'eula.rtf'],
    kept: ['licenses/third-party.txt', 'README.md', 'pdf/index.json'],
  },
  '`*.msi`, `*.bat`, `*.cmd`': {
    out: ['redist/dotnet.msi', 'start.bat', 'start.cmd'],
    kept: ['FarmGame.exe', 'start.sh', 'combat'],
  },
  '`*.dylib`, `*.app/…`': {
    out: ['libSDL2.dylib', 'FarmGame.app/Contents/Info.plist'],
    kept: ['libSDL2.so', 'FarmGame.application', 'app/data.json'],
  },
};

describe.each(filterTable)('the row of $what', ({ what, pattern, reason }) => {
  it('leaves out what it is for and nothing beside it', () => {
    const { out = [], kept = [] } = examples[what] ?? {};
    expect(out.length).toBeGreaterThan(0);
    expect(kept.length).toBeGreaterThan(0);
    for (const name of out) expect([name, pattern.test(name)]).toEqual([name, true]);
    for (const name of kept) expect([name, english(name)]).toEqual([name, undefined]);
  });

  it('says why', () => expect(reason).not.toBe(''));
});

it('keeps the files and fonts of a language that is kept, and of no other', () => {
  const some = fc.subarray([...languageCodes]);
  fc.assert(
    fc.property(some, fc.constantFrom(...languageCodes), (kept, code) => {
      const filter = fileFilter({ languages: kept, keepFiles: [] });
      expect(filter(`Content/Fonts/Small.${code}.xnb`) === undefined).toBe(kept.includes(code));
      const families = { 'zh-CN': 'Chinese', 'ja-JP': 'Japanese', 'ko-KR': 'Korean' } as const;
      for (const [language, family] of Object.entries(families)) {
        const isKept = kept.some((each) => each === language);
        expect(filter(`Content/Fonts/${family}.xnb`) === undefined).toBe(isKept);
      }
    }),
  );
});

it('leaves out wave banks whatever the languages', () => {
  const filter = fileFilter({ languages: languageCodes, keepFiles: [] });
  expect(filter('Content/XACT/Wave Bank.xwb')?.group).toBe('sound');
});

it.each([
  ['**/*.pdb', 'lib/deep/FarmGame.pdb'],
  ['Content/XACT/*', 'Content/XACT/Wave Bank(1.4).xwb'],
  ['Content/**/*.{de-DE,fr-FR}.xnb', 'Content/Data/Events/Farm.fr-FR.xnb'],
  ['Manual/Handbuch.pdf', 'Manual/Handbuch.pdf'],
])('keeps what the glob %s fits: %s', (glob, name) => {
  expect(english(name)).toBeDefined();
  expect(fileFilter({ languages: [], keepFiles: ['other/*', glob] })(name)).toBeUndefined();
  expect(fileFilter({ languages: [], keepFiles: ['other/*'] })(name)).toBeDefined();
});

describe('PLATFORM_KEEP_LANGUAGES', () => {
  it.each<[string, readonly LanguageCode[], readonly string[]]>([
    ['', [], []],
    ['ja-JP', ['ja-JP'], []],
    [' zh-cn , DE-de,,zh-CN,', ['de-DE', 'zh-CN'], []],
    ['en-US,de-DE,klingon,en-US', ['de-DE'], ['en-US', 'klingon']],
    ['de_DE;fr-FR', [], ['de_DE;fr-FR']],
  ])('%j keeps %j and warns of %j', (text, kept, unknown) => {
    expect(parseKeptLanguages(text)).toEqual({ kept, unknown });
  });

  it('takes any text without failing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { kept, unknown } = parseKeptLanguages(text);
        expect(kept.length).toBeLessThanOrEqual(12);
        for (const item of unknown) expect(text).toContain(item);
      }),
    );
  });
});
