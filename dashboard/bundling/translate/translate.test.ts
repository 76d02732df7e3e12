import { describe, expect, test } from 'vitest'
import { LOCALE, t } from '../../../contract/text.ts'
import { bundledModules, readCatalogue, translator, unusedEntries, usedTexts } from './catalogue.ts'
import { findMessages } from './find-messages.ts'
import { sortedMarks } from './message.ts'
import { parseModule } from './syntax.ts'
import { translateModule } from './translate.ts'

const keysOf = (code: string) => findMessages('a.tsx', code).map(({ key }) => key)

describe('findMessages', () => {
  test.each([
    ['JSX text and text attributes', '<p title="Not now">Save all</p>', ['Not now', 'Save all']],
    [
      'a sentence with values and elements',
      '<p>Ask <b>{name}</b> for {count} files</p>',
      ['Ask {0} for {1} files'],
    ],
    [
      'an element with text inside a sentence',
      '<p>New here? <a to="/x">Sign up</a>.</p>',
      ['New here? <0>Sign up</0>.'],
    ],
    ['text without the icons around it', '<b><Icon /> Delete <Kbd /></b>', ['Delete']],
    ['a literal in braces, as JSX text', "<b>{'Save'} {name}</b>", ['Save {0}']],
    [
      'texts inside a value of a sentence',
      '<p>{n === 1 ? t`file` : t`files`} left</p>',
      ['file', 'files', '{0} left'],
    ],
    [
      'templates with a text tag',
      `const a = t\`Copied \${name}\`; const b = { label: t\`open\` }; const c = withNames\`Saved \${name}\``,
      ['Copied {0}', 'open', 'Saved {0}'],
    ],
    ['texts inside a text', `t\`\${n} \${n === 1 ? t\`row\` : t\`rows\`}\``, ['{0} {1}', 'row', 'rows']],
    [
      'nouns with their plural',
      "counted(n, 'file') + counted(n, 'entry', 'entries')",
      ['file|files', 'entry|entries'],
    ],
  ])('finds %s', (_what, code, keys) => {
    expect(keysOf(code).toSorted()).toEqual(keys.toSorted())
  })

  test.each([
    [
      'strings and templates without a tag',
      `const a = "Save all"; b(\`Copied \${name}\`); const c = { label: "Open" }`,
    ],
    ['other attributes', '<p className="Not now" id="Save all" />'],
    ['expressions in text attributes', '<p title={"Save all"} label={open ? "Close" : "Open"} />'],
    ['templates with another tag', 'sql`Select all`'],
    ['text without a letter', `<p placeholder="+49 30" title={withNames\`\${a}: \${b}\`}>{a} · {b}</p>`],
  ])('ignores %s', (_what, code) => {
    expect(keysOf(code)).toEqual([])
  })

  test('refuses text that looks like a catalog marker', () => {
    expect(() => keysOf('t`Replace {0}`')).toThrow('Replace {0}')
  })
})

describe('translateModule', () => {
  test('writes each text in the other language and word order', () => {
    const code = `const a = <p title="Open file"><Icon /> Ask <b>{name}</b> for {n === 1 ? t\`a file\` : t\`\${n} files\`}</p>
const b = counted(n, 'file') + withNames\`Saved \${name}\``
    const german: Record<string, string> = {
      'Open file': 'Datei öffnen',
      'Ask {0} for {1}': '{1} von {0} erbitten',
      'a file': 'eine Datei',
      '{0} files': '{0} Dateien',
      'file|files': 'Datei|Dateien',
      'Saved {0}': '{0} gespeichert',
    }
    expect(translateModule('a.tsx', code, (key) => german[key])).toBe(
      `const a = <p title={"Datei öffnen"}><Icon />{" "}{n === 1 ? \`eine Datei\` : \`\${n} Dateien\`}{" von "}<b>{name}</b>{" erbitten"}</p>
const b = counted(n, "Datei", "Dateien") + withNames\`\${name} gespeichert\``,
    )
  })

  test('leaves untranslated text in English, without its tag', () => {
    expect(
      translateModule(
        'a.tsx',
        `const a = <p title="Open">Save {t\`Copied \${t\`all\`}\`}</p>`,
        () => undefined,
      ),
    ).toBe(`const a = <p title="Open">Save {\`Copied \${\`all\`}\`}</p>`)
  })
})

test('t is the English text unless a build replaces it', () => {
  expect(t`Copied ${3} of ${'many'}: \`a\`\n`).toBe('Copied 3 of many: `a`\n')
  expect(LOCALE).toBe('en')
})

describe('the German catalog', () => {
  const catalogue = readCatalogue('de')
  const modules = bundledModules()
  const texts = usedTexts(modules)

  test('has the same values and elements as each text it translates', () => {
    const different = texts.filter(({ path, key }) => {
      const translation = translator(catalogue, path)(key)
      return translation && sortedMarks(translation) !== sortedMarks(key)
    })
    expect(different).toEqual([])
  })

  test('has no translation without a source text', () => {
    expect(unusedEntries(catalogue, texts), 'run `npm run words -- --write`').toEqual([])
  })

  test('formats numbers and dates in German', () => {
    expect(translator(catalogue, 'contract/text.ts')('en')).toBe('de')
  })

  test('leaves every module valid', () => {
    for (const [path, code] of modules)
      parseModule(path, translateModule(path, code, translator(catalogue, path)))
  })
})
