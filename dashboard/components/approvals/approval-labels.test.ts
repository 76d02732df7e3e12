import { describe, expect, test } from 'vitest'
import { choicesIn, questionIn } from '../conversation/question-input.ts'
import { costIn, parseInput } from './approval-labels.ts'

describe('an edited input', () => {
  test('is a JSON object', () => {
    expect(parseInput('{"to": "ada@example.com"}')).toEqual({ value: { to: 'ada@example.com' } })
  })

  test.each(['[1]', '"text"', 'null', '7'])('cannot be %s', (text) => {
    expect(parseInput(text).problem).toContain('must be a JSON object')
  })

  test("is refused with the reason if it isn't JSON", () => {
    expect(parseInput('{"to": }').problem).toMatch(/^isn’t valid JSON: .*token/)
  })
})

describe('call input', () => {
  test('names a cost only if it has an amount', () => {
    expect(costIn({ amount: '12.50', currency: 'USD' })).toBe('$12.50')
    expect(costIn({ amount: 3 })).toBe('3')
    expect(costIn({ amount: '2', currency: 'points' })).toBe('2 points')
    expect([costIn({ amount: 'all' }), costIn('12'), costIn(null)]).toEqual([null, null, null])
  })

  test("has the agent's question and its choices", () => {
    const input = { question: 'Which color?', choices: ['Red', 7, 'Blue'] }
    expect(choicesIn(input)).toEqual(['Red', 'Blue'])
    expect(questionIn({ input, summary: 'Which color? (Red / Blue)' })).toBe('Which color?')
    expect(questionIn({ input: null, summary: 'Really?' })).toBe('Really?')
    expect(choicesIn(undefined)).toEqual([])
  })
})
