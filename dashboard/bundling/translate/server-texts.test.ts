import { describe, expect, test } from 'vitest'
import { LANGUAGES } from './catalogue.ts'
import { sortedMarks } from './message.ts'
import { readServerCatalogue, serverModules, serverTexts } from './server-texts.ts'

test('serverTexts finds texts by their tag, each once', () => {
  const code = `const { t, textWithNames } = words
    send(t\`Reply: \${url}\`, textWithNames\`\${name} left\`, t\`Reply: \${other}\`, 'no text', sql\`select t\`)`
  const keys = serverTexts(new Map([['server/a.ts', code]])).map(({ key }) => key)
  expect(keys).toContain('Its agent is archived.')
  expect(keys.filter((key) => key.includes('{0}'))).toEqual(['Reply: {0}', '{0} left'])
})

describe.each(LANGUAGES)('emails in %s', (language) => {
  const catalogue = readServerCatalogue(language)
  const texts = serverTexts()

  test('have a translation for every text', () => {
    expect(texts.filter(({ key }) => !catalogue[key])).toEqual([])
  })

  test('have the same values as each text', () => {
    const differs = ([key, translation]: [string, string]) => sortedMarks(key) !== sortedMarks(translation)
    expect(Object.entries(catalogue).filter(differs)).toEqual([])
  })

  test('have no translation without a source text', () => {
    const used = new Set(texts.map(({ key }) => key))
    const unused = Object.keys(catalogue).filter((key) => !used.has(key))
    expect(unused, 'run `npm run words -- --write`').toEqual([])
  })
})

test('the server destructures its text tags, because only their bare names are found', () => {
  const hidden = [...serverModules()].filter(([, code]) => /\.(t|textWithNames)`/.test(code))
  expect(hidden.map(([path]) => path)).toEqual([])
})
