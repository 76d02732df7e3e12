import { describe, expect, test } from 'vitest'
import { parseMetadata } from './parse-metadata.ts'

const nested = (levels: number): string => (levels === 0 ? '1' : `{"a":${nested(levels - 1)}}`)

describe('parseMetadata', () => {
  test('accepts an object', () => {
    expect(parseMetadata(' { "team": "growth", "list": [1, null] } ').value).toEqual({
      team: 'growth',
      list: [1, null],
    })
  })

  test('rejects invalid JSON, with the line and column if the browser reports them', () => {
    expect(parseMetadata('{\n  "team": 1,\n}').error).toBe('Invalid JSON: line 3, column 1')
    for (const text of ['', '{ "team": growth }', '{'])
      expect(parseMetadata(text).error).toMatch(/^Invalid JSON: (line|check)/)
  })

  test.each(['[]', '"text"', '1', 'null'])('rejects %s, which is not an object', (text) => {
    expect(parseMetadata(text).error).toMatch(/^Must be an object/)
  })

  test('accepts up to 12 levels and 32,768 bytes', () => {
    expect(parseMetadata(nested(12)).error).toBeUndefined()
    expect(parseMetadata(nested(13)).error).toMatch('more than 12 levels')
    const frame = '{"a":""}'.length
    const long = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - frame) })
    expect(parseMetadata(long(32_768)).error).toBeUndefined()
    expect(parseMetadata(long(32_770)).error).toMatch(/^2 bytes over the 32,768 limit/)
  })
})
