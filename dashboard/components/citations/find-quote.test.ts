import { describe, expect, test } from 'vitest'
import { findQuote } from './find-quote.ts'

describe('a quote', () => {
  test('is found across texts, whatever stands between its words', () => {
    const texts = ['Intro. The pump ', 'fails\n at 40 °C', ', then stops.']
    const found = findQuote(texts, 'The **pump** | fails at 40 °C')
    expect(found).toEqual({ start: { index: 0, offset: 7 }, end: { index: 1, offset: 14 } })
  })

  test('is found in part if the page has only its beginning or its end', () => {
    const page = ['A long sentence about pumps and valves, and then something else entirely.']
    const quote = 'A long sentence about pumps and valves, and that continues on the next page of it.'
    expect(findQuote(page, quote)?.start).toEqual({ index: 0, offset: 0 })
  })

  test('is not found where its text is not', () => {
    expect(findQuote(['Nothing of it is here, not one sentence.'], 'Another text about pumps')).toBeNull()
    expect(findQuote([], '')).toBeNull()
  })

  test('keeps places right after ligatures and characters of two units', () => {
    expect(findQuote(['😀 ﬁne', 'Ärger'], 'fine Ärger')).toEqual({
      start: { index: 0, offset: 3 },
      end: { index: 1, offset: 4 },
    })
  })
})
