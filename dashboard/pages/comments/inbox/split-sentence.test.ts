import { expect, test } from 'vitest'
import { splitSentence } from './split-sentence.ts'

const names = (sentence: string, actor?: string) =>
  splitSentence(sentence, actor)
    .filter(({ isName }) => isName)
    .map(({ text }) => text)

test('a sentence’s actor and quoted records are its names', () => {
  expect(names('Ada mentioned you on “Plan”', 'Ada')).toEqual(['Ada', '“Plan”'])
  expect(names('Helper needs your approval in “Plans”')).toEqual(['“Plans”'])
  expect(names('Ada hat Sie in „Plan“ erwähnt', 'Ada')).toEqual(['Ada', '„Plan“'])
  expect(names('Machine payments are waiting for approval')).toEqual([])
})

test('a divided sentence keeps every character', () => {
  for (const sentence of ['“Plan” by Ada', 'The schedule “Weekly “report” is paused', 'Ada'])
    expect(
      splitSentence(sentence, 'Ada')
        .map(({ text }) => text)
        .join(''),
    ).toBe(sentence)
})
