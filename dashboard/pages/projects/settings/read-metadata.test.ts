import { describe, expect, test } from 'vitest'
import { readMetadata } from './read-metadata.ts'

const nested = (levels: number): string => (levels === 0 ? '1' : `{"a":${nested(levels - 1)}}`)

describe('metadata as somebody writes it', () => {
  test('is taken when it is an object', () => {
    expect(readMetadata(' { "team": "growth", "list": [1, null] } ').value).toEqual({
      team: 'growth',
      list: [1, null],
    })
  })

  test('is refused while it is not JSON, with the line and column if the browser knows them', () => {
    expect(readMetadata('{\n  "team": 1,\n}').problem).toBe('This is not JSON yet: look at line 3, column 1')
    for (const text of ['', '{ "team": growth }', '{'])
      expect(readMetadata(text).problem).toMatch(/^This is not JSON yet: (look|check)/)
  })

  test.each(['[]', '"text"', '1', 'null'])('is refused when it is %s', (text) => {
    expect(readMetadata(text).problem).toMatch(/^It has to be an object/)
  })

  test('may be 12 levels deep and 32,768 bytes long, and no more', () => {
    expect(readMetadata(nested(12)).problem).toBeUndefined()
    expect(readMetadata(nested(13)).problem).toMatch('more than 12 levels')
    const frame = '{"a":""}'.length
    const long = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - frame) })
    expect(readMetadata(long(32_768)).problem).toBeUndefined()
    expect(readMetadata(long(32_770)).problem).toMatch(/^It has 2 bytes more than the 32,768/)
  })
})
