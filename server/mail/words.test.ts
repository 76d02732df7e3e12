import { expect, test } from 'vitest'
import type { Language } from '../../contract/languages.ts'
import { ENGLISH, speak } from './words.ts'

const german = speak('de')

test('writes a text in the language, with its values in the order of that language', () => {
  const { t } = german
  expect(t`Decide: ${'https://atrium.example'}`).toBe('Entscheiden: https://atrium.example')
  expect(t` Decide: ${'x'}\n`).toBe(' Entscheiden: x\n')
})

test('writes a text without a translation in English', () => {
  const { t } = german
  expect(t`Nobody translated ${'this'}`).toBe('Nobody translated this')
})

test('writes in English if the language is unknown or no longer exists', () => {
  for (const language of [null, 'tlh' as Language]) {
    const { t } = speak(language)
    expect(t`Decide: ${'x'}`).toBe('Decide: x')
  }
})

test('inserts a value that looks like a mark as it is', () => {
  const { t } = german
  expect(t`Feedback from ${'{1}'} (${'$&'}): ${'{0}'}`).toBe('Feedback von {1} ($&): {0}')
})

test('isolates names from the surrounding text', () => {
  const { textWithNames } = german
  expect(textWithNames`${'דנה'} accepted your invitation`).toBe(
    '\u2068דנה\u2069 hat Ihre Einladung angenommen',
  )
  expect(textWithNames`${'Eve\u202e'} accepted your invitation`).toBe('Eve hat Ihre Einladung angenommen')
})

test('formats numbers, dates and amounts for the language', () => {
  const at = '2026-11-18T23:05:00Z'
  const format = ({ t, day, time, dollars }: typeof german) => [
    t`${1234567} and more`,
    day(at),
    time(at),
    dollars('1234.5'),
  ]
  expect(format(ENGLISH)).toEqual(['1,234,567 and more', 'November 18, 2026', '23:05', '$1,234.50'])
  expect(format(german)).toEqual(['1.234.567 and more', '18. November 2026', '23:05', '1.234,50\u00a0$'])
})
