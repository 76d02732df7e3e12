import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findScript, parseScript } from './parse-script.ts'

const fenced = (source: string) => `Please\n\`\`\`script\n${source}\n\`\`\`\nthanks`

describe('script lookup', () => {
  test.each([
    ['in a fenced block', fenced('say hi'), 'say hi'],
    ['with Windows line endings', '```script\r\nsay hi\r\nsay ho\r\n```', 'say hi\nsay ho'],
    ['with tildes', '~~~script\nsay hi\n~~~', 'say hi'],
    ['in a longer fence that contains a shorter one', '````script\nsay ```\n```\n````', 'say ```\n```'],
    ['without an end', '```script\nsay hi', 'say hi'],
    ['in the first of two blocks', `${fenced('say 1')}\n${fenced('say 2')}`, 'say 1'],
    ['when it is empty', '```script\n```', ''],
  ])('finds a script %s', (_, text, source) => expect(findScript(text)).toBe(source))

  test.each([
    ['in another block', '```js\nsay hi\n```'],
    ['in text', 'script\nsay hi'],
    ['inside a line', 'x ```script\nsay hi\n```'],
    ['in a block with a longer mark', '```scripts\nsay hi\n```'],
  ])('finds no script %s', (_, text) => expect(findScript(text)).toBeNull())
})

describe('a script', () => {
  test('has one part per model call', () => {
    const source =
      'say one\nwait 5\n\n---\ncall read_file {"id":"a b"}\n  call list\n---\nfail 503\n---\ncut\n---'
    expect(parseScript(source)).toEqual({
      kind: 'script',
      parts: [
        [
          { command: 'say', text: 'one' },
          { command: 'wait', ms: 5 },
        ],
        [
          { command: 'call', tool: 'read_file', input: '{"id":"a b"}' },
          { command: 'call', tool: 'list', input: '{}' },
        ],
        [{ command: 'fail', status: 503 }],
        [{ command: 'cut' }],
      ],
    })
  })

  test('keeps spaces in the text, which may be empty', () =>
    expect(parseScript('say   a  b \nsay')).toEqual({
      kind: 'script',
      parts: [
        [
          { command: 'say', text: '  a  b ' },
          { command: 'say', text: '' },
        ],
      ],
    }))

  test.each([
    ['', 0],
    ['---', 1],
    ['---\n---', 2],
    ['say a\n---', 1],
    ['say a\n---\n---\nsay b', 3],
  ])('%j has %i parts', (source, count) => {
    const parsed = parseScript(source)
    expect(parsed.kind === 'script' && parsed.parts.length).toBe(count)
  })

  test.each([
    ['say ok\nshout', 'Script line 2 is not valid: a line must begin with `say`'],
    ['sayhello', 'Script line 1'],
    ['call', '`call` needs a tool name'],
    ['call a/b {}', '`call` needs a tool name'],
    ['\n\ncall read {"id":', 'Script line 3 is not valid: the `call` input must be a JSON object'],
    ['call read [1]', 'must be a JSON object on one line. The line is: call read [1]'],
    ['call read null', 'must be a JSON object'],
    ['wait', '`wait` needs milliseconds, at most 600000'],
    ['wait -1', '`wait` needs'],
    ['wait 1.5', '`wait` needs'],
    ['wait 600001', '`wait` needs'],
    ['fail', '`fail` needs an HTTP status from 400 to 599'],
    ['fail 200', '`fail` needs'],
    ['fail 600', '`fail` needs'],
    ['cut now', '`cut` takes no argument'],
    ['----', 'Script line 1'],
  ])('%j is malformed, and the problem names the line', (source, problem) =>
    expect(parseScript(source)).toEqual({ kind: 'malformed', problem: expect.stringContaining(problem) }),
  )

  test('is parsed from any text or refused with an existing line number', () => {
    const lineOf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('---', 'cut', 'say', 'wait 1', 'fail 500', 'call x {}', '```', '\u2028', '\r'),
      fc.string().map((text) => `say ${text}`),
      fc.string().map((text) => `call t ${text}`),
      fc.json().map((json) => `call t ${json}`),
    )
    fc.assert(
      fc.property(fc.array(lineOf, { maxLength: 8 }), (lines) => {
        const source = lines.join('\n')
        const parsed = parseScript(source)
        if (parsed.kind === 'script') {
          for (const line of parsed.parts.flat()) if (line.command === 'call') JSON.parse(line.input)
        } else {
          const number = Number(/^Script line (\d+) is/.exec(parsed.problem)![1])
          expect(number).toBeGreaterThanOrEqual(1)
          expect(number).toBeLessThanOrEqual(source.split('\n').length)
          expect(parsed.problem.isWellFormed() || !source.isWellFormed()).toBe(true)
          expect(parsed.problem.length).toBeLessThan(400)
        }
      }),
      { numRuns: 500 },
    )
  })
})
