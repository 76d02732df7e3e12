import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CallEvent, type ModelCall, streamCall } from '../stream-call.ts'
import { describeTestModel, findTestModel, TEST_MODELS } from './test-models.ts'

const user = (content: string): ModelMessage => ({ role: 'user', content })
const script = (source: string) => user(`Do this:\n\`\`\`script\n${source}\n\`\`\``)
const assistant = (content: string): ModelMessage => ({ role: 'assistant', content })

const tools = { look: { description: 'Looks', inputSchema: { type: 'object' } } }

const call = (model: 'echo' | 'script', messages: ModelMessage[], options: Partial<ModelCall> = {}) =>
  Array.fromAsync(streamCall({ model: findTestModel(model)!, messages, tools, ...options }))

const textOf = (events: CallEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')
const answerTo = async (...messages: ModelMessage[]) => textOf(await call('script', messages))

/** The messages after a call of a tool, with its result. */
async function withResult(messages: ModelMessage[], output: { type: 'text' | 'json'; value: string }) {
  const events = await call('script', messages)
  const { callId, tool } = events.find((event) => event.type === 'call')!
  const finished = events.at(-1)! as Extract<CallEvent, { type: 'finished' }>
  const result = { type: 'tool-result' as const, toolCallId: callId, toolName: tool, output }
  return [...messages, ...finished.messages, { role: 'tool' as const, content: [result] }]
}

describe('test/echo', () => {
  test('repeats the last user message word by word', async () => {
    const events = await call('echo', [user('first'), assistant('ok'), user('Hello to  you\nall')])
    expect(textOf(events)).toBe('Hello to  you\nall')
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2)
    expect(events.at(-1)).toMatchObject({
      finishReason: 'stop',
      usage: { input: expect.any(Number), output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    })
  })

  test('repeats any text exactly', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (text) => {
        expect(textOf(await call('echo', [user(text)]))).toBe(text)
      }),
      { numRuns: 50 },
    ))
})

describe('test/script', () => {
  test('answers with lines, with a line break between those in one text', async () =>
    expect(await answerTo(script('say Hello there\nwait 1\nsay General'))).toBe('Hello there\nGeneral'))

  test('calls tools with their input', async () => {
    const events = await call('script', [script('say Looking\ncall look {"at":"moon"}\ncall look\nsay Done')])
    expect(events.filter(({ type }) => type === 'call')).toMatchObject([
      { tool: 'look', input: { at: 'moon' }, invalid: null },
      { tool: 'look', input: {}, invalid: null },
    ])
    expect(textOf(events)).toBe('LookingDone')
    expect(events.at(-1)).toMatchObject({ type: 'finished', finishReason: 'tool-calls' })
  })

  test('plays the k-th part at the k-th call, and nothing after the last', async () => {
    const first = script('say one\n---\nsay two')
    expect(await answerTo(first)).toBe('one')
    expect(await answerTo(first, assistant('one'))).toBe('two')
    const after = await call('script', [first, assistant('one'), assistant('two')])
    expect(after).toMatchObject([{ type: 'finished', finishReason: 'stop' }])
  })

  test('plays the same part again for a repeated attempt', async () => {
    const messages = [script('say one\n---\nsay two'), assistant('one')]
    expect(await answerTo(...messages)).toBe(await answerTo(...messages))
  })

  test('continues a script when a later message has none, and restarts with a new one', async () => {
    const startedScript = [script('say one\n---\nsay two'), assistant('one')]
    expect(await answerTo(...startedScript, user('Hurry up'))).toBe('two')
    expect(await answerTo(...startedScript, script('say new'))).toBe('new')
  })

  test('repeats the last tool result in place of {{last}}', async () => {
    const start = [script('call look {"n":1}\n---\nsay It is {{last}}, {{last}}.')]
    expect(await answerTo(...(await withResult(start, { type: 'text', value: 'a $& moon' })))).toBe(
      'It is a $& moon, a $& moon.',
    )
    expect(await answerTo(...(await withResult(start, { type: 'json', value: 'x' })))).toBe('It is "x", "x".')
    expect(await answerTo(script('say {{last}}'))).toBe('(no tool result)')
  })

  test('refuses before the first output', async () => {
    const events = await call('script', [script('wait 1\nfail 529\nsay never')])
    expect(events).toMatchObject([{ type: 'failed', failure: { kind: 'overloaded', status: 529 } }])
    await expect(findTestModel('script')!.doStream(options(script('fail 401')))).rejects.toMatchObject({
      statusCode: 401,
    })
  })

  test('fails mid-stream', async () => {
    const events = await call('script', [script('say partial\nfail 429\nsay never')])
    expect(textOf(events)).toBe('partial')
    expect(events.at(-1)).toMatchObject({ type: 'failed', failure: { kind: 'rate_limited', status: 429 } })
  })

  test('breaks off the stream', async () => {
    const events = await call('script', [script('say partial\ncut\nsay never')])
    expect(textOf(events)).toBe('partial')
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      failure: { kind: 'interrupted', isRetryable: true },
    })
    expect(await call('script', [script('cut')])).toMatchObject([{ failure: { kind: 'interrupted' } }])
  })

  test('stops waiting when the caller aborts', async () => {
    const abort = new AbortController()
    const events: CallEvent[] = []
    const model = findTestModel('script')!
    const messages = [script('say started\nwait 600000\nsay never')]
    for await (const event of streamCall({ model, messages, signal: abort.signal })) {
      events.push(event)
      abort.abort()
    }
    expect(events.at(-1)).toMatchObject({ type: 'failed', failure: { kind: 'canceled' } })
    expect(textOf(events)).toBe('started')
  })

  test('explains a malformed script with its line, and the format if there is no script', async () => {
    expect(await answerTo(script('say ok\ncall look {'))).toContain('Script line 2 is not valid')
    expect(await answerTo(user('Hello'))).toContain('a fenced block marked `script`')
  })

  test('answers a caller that does not stream', async () => {
    const generated = await findTestModel('script')!.doGenerate(options(script('say Hi\ncall look {"a":1}')))
    expect(generated).toMatchObject({
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool-call', toolName: 'look', input: '{"a":1}' },
      ],
      finishReason: { unified: 'tool-calls' },
    })
    await expect(
      findTestModel('script')!.doGenerate(options(script('say a\nfail 500'))),
    ).rejects.toMatchObject({
      statusCode: 500,
    })
  })

  test('ends every script with one last event', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '---',
        'cut',
        'say',
        'wait 0',
        'fail 500',
        'call look {}',
        'call other {"a":[1]}',
        '~~~',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ maxLength: 20 }).map((text) => `say ${text}`),
    )
    return fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.nat({ max: 3 }), async (lines, answers) => {
        const messages = [script(lines.join('\n')), ...Array.from({ length: answers }, () => assistant('x'))]
        const events = await call('script', messages)
        const ends = events.filter(({ type }) => type === 'finished' || type === 'failed')
        expect(ends).toEqual([events.at(-1)])
      }),
      { numRuns: 200 },
    )
  })
})

test('the test models are described as such, and no other exists', () => {
  for (const model of TEST_MODELS) {
    expect(describeTestModel(model, {})).toMatchObject({
      id: `test/${model}`,
      isTest: true,
      pricing: { input: 0, output: 0 },
    })
  }
  expect(findTestModel('constructor')).toBeNull()
  expect(describeTestModel('constructor', {})).toBeNull()
})

const options = ({ content }: ModelMessage) => ({
  prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: content as string }] }],
})
