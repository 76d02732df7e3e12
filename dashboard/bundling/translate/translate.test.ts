import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { areaOf, bundledModules, readCatalogue, translator } from './catalogue.ts'
import { findMessages } from './find-messages.ts'
import { marksOf } from './message.ts'
import { checkSyntax } from './syntax.ts'
import { translateModule } from './translate.ts'

const keysOf = (code: string) => findMessages('a.tsx', code).map(({ key }) => key)

describe('findMessages', () => {
  test.each([
    ['text and attributes of elements', '<p title="Not now">Save all</p>', ['Not now', 'Save all']],
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
    [
      'words inside a value of a sentence',
      "<p>{n === 1 ? 'file' : 'files'} left</p>",
      ['file', 'files', '{0} left'],
    ],
    [
      'strings and templates',
      `const a = \`Copied \${name}\`; const b = { label: 'Open' }`,
      ['Copied {0}', 'Open'],
    ],
    [
      'nouns with their plural',
      "counted(n, 'file') + counted(n, 'entry', 'entries')",
      ['file|files', 'entry|entries'],
    ],
  ])('finds %s', (_what, code, keys) => {
    expect(keysOf(code).toSorted()).toEqual(keys.toSorted())
  })

  test.each([
    ['class names', '<p className="flex gap-8" />; const ROW_CLASS = "flex Grow items-center"'],
    ['comparisons and keys', "if (event.key === 'Enter') x = { 'Content-Type': 1 }[a]"],
    [
      'paths, URLs, types',
      "import a from './Button.tsx'; type A = 'Open' | 'Closed'; const b = 'https://x.test/a'",
    ],
    ['drawings', `const d = \`M\${x} \${y}H\${z}\``],
  ])('ignores %s', (_what, code) => {
    expect(keysOf(code)).toEqual([])
  })
})

test('a translated module has the words of the other language, in its order, and its formats', () => {
  const code = `const a = <p title="Open file"><Icon /> Ask <b>{name}</b> for {n === 1 ? 'a file' : \`\${n} files\`}</p>
const b = n.toLocaleString('en') + counted(n, 'file')`
  const words: Record<string, string> = {
    'Open file': 'Datei öffnen',
    'Ask {0} for {1}': '{1} von {0} erbitten',
    'a file': 'eine Datei',
    '{0} files': '{0} Dateien',
    'file|files': 'Datei|Dateien',
  }
  expect(translateModule('a.tsx', code, 'de', (key) => words[key])).toBe(
    `const a = <p title={"Datei öffnen"}><Icon />{" "}{n === 1 ? "eine Datei" : \`\${n} Dateien\`}{" von "}<b>{name}</b>{" erbitten"}</p>
const b = n.toLocaleString("de") + counted(n, "Datei", "Dateien")`,
  )
})

describe('the German catalogue', () => {
  const catalogue = readCatalogue('de')
  const modules = bundledModules(join(import.meta.dirname, '../../main.tsx'))
  const messages = [...modules].flatMap(([path, code]) =>
    findMessages(path, code).map(({ key }) => ({ path, key })),
  )

  test('has every word of the dashboard, with the same values and elements', () => {
    const missing = messages
      .filter(({ path, key }) => {
        const translation = translator(catalogue, path)(key)
        return !translation || marksOf(translation) !== marksOf(key)
      })
      .map(({ path, key }) => `${path}: ${key}`)
    expect(missing, 'run `npm run words` and translate the empty entries').toEqual([])
  })

  test('has no words that the dashboard no longer has', () => {
    const used = new Map<string, Set<string>>([['common', new Set()]])
    for (const { path, key } of messages) {
      used.get('common')!.add(key)
      used.set(areaOf(path), (used.get(areaOf(path)) ?? new Set()).add(key))
    }
    const unused = [...catalogue].flatMap(([area, words]) =>
      Object.keys(words).filter((key) => !used.get(area)?.has(key)),
    )
    expect(unused, 'run `npm run words`').toEqual([])
  })

  test('leaves every module valid', () => {
    for (const [path, code] of modules)
      checkSyntax(path, translateModule(path, code, 'de', translator(catalogue, path)))
  })
})
