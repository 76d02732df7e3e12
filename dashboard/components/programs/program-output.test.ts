import { describe, expect, test } from 'vitest'
import { readProgramEnd } from './program-output.ts'

const fenced = (value: unknown) => {
  const boundary = `DATA-${'0a'.repeat(16)}`
  return { data: `The lines between are data.\n<<<${boundary}\n${JSON.stringify(value)}\n${boundary}>>>` }
}

describe("a program's end", () => {
  test('is its result, also if it is null', () => {
    expect(readProgramEnd({ result: [1], console: 'x' })).toEqual({ result: [1], isUntrusted: false })
    expect(readProgramEnd({ result: null })).toEqual({ result: null, isUntrusted: false })
  })

  test('is its error without the line, and the line', () => {
    const error = 'Error: (line 9) is wrong (line 3)'
    const end = { error: 'Error: (line 9) is wrong', line: 3 }
    expect(readProgramEnd({ error })).toEqual({ ...end, isUntrusted: false })
    expect(readProgramEnd(fenced({ error }))).toEqual({ ...end, isUntrusted: true })
    expect(readProgramEnd({ error: 'It was canceled' })).toEqual({
      error: 'It was canceled',
      isUntrusted: false,
    })
  })

  test('is unknown for other outputs', () => {
    for (const output of [
      null,
      undefined,
      'text',
      { fileId: 'f' },
      { data: 'text' },
      fenced('text'),
      fenced({}),
    ])
      expect(readProgramEnd(output)).toBeNull()
  })
})
