import { expect, test } from 'vitest'
import { localizeSentence, splitSentence } from './server-sentences.ts'

test.each([
  'Ada Lovelace mentioned you on “Plan”',
  'Grace (guest) replied on “Plan “B””',
  'Ben accepted your invitation',
  'Planner needs your approval in “Launch”',
  'Planner’s run in “Launch” has failed',
  'The schedule “Daily summary” is paused',
  'The webhook Orders was disabled',
  'The API key “CI” expires on Nov 20',
  '3 deliveries failed',
  'Paused: 1 delivery held',
  'The budget of the agent Planner for this day is reached',
  'The budget of a project in total is reached',
  '80% of the budget of Acme for this month is spent',
  '2.5% of the requests failed on the server in the last 15 minutes',
  '20% of the model calls failed in the last 15 minutes',
  '81 of 100 database connections are used',
  'A file called 3 deliveries',
])('localizeSentence leaves %j unchanged in English', (text) => {
  expect(localizeSentence(text)).toBe(text)
})

test('localizeSentence keeps a budget’s amounts', () => {
  expect(localizeSentence('80% of today’s budget is spent, $8.00 of $10.00')).toBe(
    '80% of today’s budget is spent, $8.00 of $10.00',
  )
  expect(localizeSentence('100% of this month’s budget is spent')).toBe(
    '100% of this month’s budget is spent',
  )
})

test('localizeSentence renders notifications stored by earlier versions', () => {
  expect(localizeSentence('The run of Planner in “Launch” was canceled')).toBe(
    'Planner’s run in “Launch” was canceled',
  )
  expect(localizeSentence('80 % of the budget of Acme per run is spent')).toBe(
    '80% of the budget of Acme per run is spent',
  )
})

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
