import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  createSandbox,
  type HandedResult,
  type Program,
  type ProgramCall,
  type SandboxOptions,
} from './sandbox.ts'

const shared = createSandbox()
afterAll(() => shared.close())

function create(options: SandboxOptions) {
  const created = createSandbox(options)
  onTestFinished(() => created.close())
  return created
}

const evaluate = (expression: string, values: Record<string, unknown> = {}) =>
  shared.evaluate({ orgId: 'org', expression, values })

type Answer = (call: { name: string; input: never; number: number }) => unknown

/** Runs a program whose calls are answered in `order`, or as they come. */
async function run(
  code: string,
  answer: Answer = () => null,
  options: Partial<Program> & { order?: number[] } = {},
) {
  const { order = [], ...program } = options
  const calls: ProgramCall[] = []
  const lines: string[] = []
  const open = new Map<number, ProgramCall>()
  const next = async (): Promise<HandedResult> => {
    const number = order.find((each) => open.has(each)) ?? [...open.keys()][0]!
    const call = open.get(number)!
    open.delete(number)
    const result = { number, isError: false, now: number * 1000 }
    try {
      const output = await answer({ ...call, input: JSON.parse(call.input) as never })
      return { ...result, output: JSON.stringify(output ?? null) }
    } catch (error) {
      return { ...result, isError: true, output: JSON.stringify({ error: (error as Error).message }) }
    }
  }
  const result = await shared.runProgram({
    orgId: 'org',
    code,
    tools: ['add', 'echo'],
    seed: 'seed',
    now: new Date(0),
    onTurn: (turn) => {
      calls.push(...turn.calls)
      for (const call of turn.calls) open.set(call.number, call)
      lines.push(...turn.lines.map(({ text }) => text))
    },
    next,
    ...program,
  })
  return { result, calls, lines }
}

const add: Answer = ({ input }) => (input as { a: number; b: number }).a + (input as { b: number }).b

describe('an expression', () => {
  test.each([
    ['output.score > 0.8', true],
    ['items.map((item) => item.name).join()', 'a,b'],
    ['({ total: items.length })', { total: 2 }],
    ['output.missing', null],
    ['new Date(0).getTimezoneOffset()', 0],
  ])('%s is evaluated', async (expression, value) => {
    const values = { output: { score: 0.9 }, items: [{ name: 'a' }, { name: 'b' }] }
    expect(await evaluate(expression, values)).toEqual({ value })
  })

  test.each([
    ['1 +', 'syntax', /unexpected token/],
    ['missing.name', 'thrown', /missing is not defined/],
    ['(() => { for (;;); })()', 'timeout', /10 ms/],
    ['(() => { const all = []; for (;;) all.push([1]) })()', /memory|timeout/, /MB|ms/],
    ['() => 1', 'not_json', /function/],
    ['10n', 'not_json', /BigInt/],
  ])('%s is an error', async (expression, kind, message) => {
    const error = { kind: expect.stringMatching(kind), message: expect.stringMatching(message) }
    expect(await evaluate(expression)).toEqual({ error })
  })

  test('is not followed by what it leaves to microtasks', async () => {
    const endless = '(() => { const again = () => Promise.resolve().then(again); again(); return 1 })()'
    expect(await evaluate(endless)).toEqual({ value: 1 })
    expect(await evaluate('2')).toEqual({ value: 2 })
  })

  test('cannot change the next one', async () => {
    await evaluate('(Array.prototype.map = () => 1, Object.prototype.x = 2, globalThis.y = 3)')
    expect(await evaluate('[[1].map((n) => n + 1), ({}).x, typeof y]')).toEqual({
      value: [[2], null, 'undefined'],
    })
  })
})

describe('a program', () => {
  test('calls tools and returns JSON', async () => {
    const code =
      'const a = await tools.add({ a: 1, b: 2 })\nreturn { sum: a + (await tools.add({ a, b: 4 })) }'
    const { result, calls } = await run(code, add)
    expect(result).toEqual({ state: 'done', value: { sum: 10 } })
    expect(calls).toEqual([
      { number: 1, name: 'add', input: '{"a":1,"b":2}' },
      { number: 2, name: 'add', input: '{"a":3,"b":4}' },
    ])
  })

  test('gets results in the order in which they are handed over', async () => {
    const code = `const order = []
      await Promise.all([1, 2, 3].map((n) => tools.echo({ n }).then(() => order.push(n))))
      return order`
    const { result } = await run(code, () => null, { order: [3, 1, 2] })
    expect(result).toEqual({ state: 'done', value: [3, 1, 2] })
  })

  test('has a clock, random numbers and a time zone that depend on its seed and results alone', async () => {
    const code = `const start = [Date.now(), Math.random(), new Date().getHours()]
      await tools.echo({})
      return [...start, Date.now()]`
    const first = await run(code)
    expect(await run(code)).toEqual(first)
    const { value } = first.result as { value: number[] }
    expect([value[0], value[2], value[3]]).toEqual([0, 0, 1000])
    const other = (await run(code, undefined, { seed: 'other' })).result as { value: number[] }
    expect(other.value[1]).not.toBe(value[1])
  })

  test('catches the error of a failed call', async () => {
    const code = `try { await tools.echo({}) } catch (error) { return [error.name, error.message, error.tool] }`
    const { result } = await run(code, () => {
      throw new Error('No such file')
    })
    expect(result).toEqual({ state: 'done', value: ['ToolError', 'No such file', 'echo'] })
  })

  test('writes to the console', async () => {
    const { lines } = await run(`console.log('a', { b: [1] }, 2, undefined, null, new TypeError('no'))`)
    expect(lines).toEqual(['a {"b":[1]} 2 undefined null TypeError: no'])
  })

  test('fills the server’s memory neither with empty lines nor with the inputs of calls that it makes at once', async () => {
    const { lines } = await run(`for (let n = 0; n < 20_000; n++) console.log('')`)
    expect(lines.length).toBeGreaterThan(1000)
    expect(lines.length).toBeLessThanOrEqual(2048)
    const { result, calls } = await run(
      `const text = 'x'.repeat(1_000_000); await Promise.all(Array.from({ length: 100 }, () => tools.echo({ text })))`,
    )
    expect(result).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('The inputs of all calls can have at most 33554432 bytes') },
    })
    expect(calls).toHaveLength(33)
  })

  test.each([
    ['let a = 1\nlet b = = 2', { kind: 'syntax', line: 2 }],
    ['\n\nthrow new RangeError("too much")', { kind: 'thrown', line: 3, message: 'RangeError: too much' }],
    ['throw { reason: 1 }', { kind: 'thrown', message: '{"reason":1}' }],
    ['throw null', { kind: 'thrown', message: 'null' }],
    ['return () => 1', { kind: 'not_json' }],
    ['const a = {}; a.a = a; return a', { kind: 'not_json' }],
    ['await new Promise(() => {})', { kind: 'stalled' }],
    ['return "x".repeat(2_000_000)', { kind: 'too_large' }],
  ])('%s is an error with a line', async (code, error) => {
    expect((await run(code)).result).toMatchObject({ state: 'failed', error })
  })

  test('ends after all its calls, also if it does not await them', async () => {
    const answered: number[] = []
    const { result } = await run('tools.echo({}); tools.echo({}); return 1', ({ number }) =>
      answered.push(number),
    )
    expect(result).toEqual({ state: 'done', value: 1 })
    expect(answered).toEqual([1, 2])
  })

  test('makes at most 500 calls', async () => {
    const code = 'for (let n = 0; n < 600; n++) await tools.echo({ n })'
    const { result, calls } = await run(code)
    expect(result).toMatchObject({
      state: 'failed',
      error: { message: expect.stringMatching(/at most 500 calls/) },
    })
    expect(calls).toHaveLength(500)
  })

  test('is suspended while no result arrives', async () => {
    const { result } = await run('await tools.echo({})', undefined, { next: async () => null })
    expect(result).toEqual({ state: 'suspended' })
  })

  test('leaves its process to others while it waits, and continues with the same results', async () => {
    const sandbox = create({ programs: { permits: 1, permitsPerKey: 1 }, parkMs: 1 })
    const answer = Promise.withResolvers<HandedResult>()
    const lines: string[] = []
    const numbers: number[] = []
    let asked = 0
    const waiting = sandbox.runProgram({
      orgId: 'org',
      code: `const a = await tools.echo({}); console.log('first', a); return [a, await tools.echo({})]`,
      tools: ['echo'],
      seed: '',
      now: new Date(0),
      onTurn: (turn) => {
        numbers.push(...turn.calls.map(({ number }) => number))
        lines.push(...turn.lines.map(({ text }) => text))
      },
      next: () =>
        ++asked === 1 ? Promise.resolve({ number: 1, isError: false, output: '1', now: 1 }) : answer.promise,
    })
    await expect.poll(() => asked).toBe(2)
    const other = { orgId: 'org', code: 'return 7', tools: [], seed: '', now: new Date(0), onTurn: () => {} }
    expect(await sandbox.runProgram({ ...other, next: async () => null })).toEqual({
      state: 'done',
      value: 7,
    })
    answer.resolve({ number: 2, isError: false, output: '2', now: 2 })
    expect(await waiting).toEqual({ state: 'done', value: [1, 2] })
    expect([numbers, lines]).toEqual([[1, 2], ['first 1']])
  })

  test('stops when its signal is aborted', async () => {
    const abort = new AbortController()
    const { promise, resolve } = Promise.withResolvers<null>()
    onTestFinished(() => resolve(null))
    const running = run('await tools.echo({})', undefined, {
      signal: abort.signal,
      next: () => {
        abort.abort(new Error('canceled'))
        return promise
      },
    })
    await expect(running).rejects.toThrow('canceled')
  })

  test('ends with the error that its owner throws', async () => {
    const onTurn = () => {
      throw new Error('not stored')
    }
    await expect(run('await tools.echo({})', undefined, { onTurn })).rejects.toThrow('not stored')
    expect((await run('return 1')).result).toEqual({ state: 'done', value: 1 })
  })
})

describe('a hostile program', () => {
  test.each([
    ['an endless loop', 'for (;;);', /timeout/],
    [
      'endless microtasks',
      'const again = () => Promise.resolve().then(again); await again()',
      /timeout|memory/,
    ],
    ['10⁹ characters', 'return "x".repeat(1e9)', /memory/],
    ['a doubling text', 'let text = "x"; for (;;) text += text', /memory/],
    [
      '10⁶ promises',
      'await Promise.all(Array.from({ length: 1e6 }, () => new Promise(() => {})))',
      /memory|stalled|timeout/,
    ],
    ['endless recursion', 'const again = () => again() + 1; return again()', /thrown/],
    [
      'endless recursion in a getter',
      'const it = { get message() { return this.message } }; throw it',
      /thrown|crashed/,
    ],
    ['a slow regular expression', 'return /^(a+)+$/.test("a".repeat(40) + "b")', /timeout|thrown/],
    ['a large array', 'return new Array(2 ** 32 - 1).fill(0)', /memory|timeout/],
    ['an array buffer', 'return new ArrayBuffer(1e9)', /memory/],
  ])('ends in an error, and the next one runs: %s', async (_, code, kind) => {
    const { result } = await run(code, undefined, { limits: { cpuMs: 1000 } })
    expect(result).toMatchObject({ state: 'failed', error: { kind: expect.stringMatching(kind) } })
    expect((await run('return 1')).result).toEqual({ state: 'done', value: 1 })
  })

  const reached =
    '["process", "require", "fetch", "WebAssembly", "Buffer", "setTimeout", "Atomics", "SharedArrayBuffer"]'
  test.each([
    ['a constructor chain', `[].constructor.constructor('return this')()`],
    ['a tool’s constructor', `tools.echo.constructor('return this')()`],
    [
      'the error of a call',
      `await tools.echo({}).catch((error) => error.constructor.constructor('return this')())`,
    ],
    ['the console’s constructor', `console.log.constructor('return this')()`],
    ['an async function’s constructor', `await (async () => {}).constructor('return this')()`],
    ['a generator’s constructor', `(function* () {}).constructor('return this')().next().value`],
    ['indirect eval', `(0, eval)('this')`],
    ['a sloppy function’s this', `(function () { return this })()`],
    [
      'prepareStackTrace',
      `(() => { let found; Error.prepareStackTrace = (_, sites) => { found = sites?.[0]?.getThis?.() }; new Error().stack; return found ?? globalThis })()`,
    ],
  ])('reaches no host object by %s', async (_, expression) => {
    const code = `const scope = ${expression}\nreturn ${reached}.filter((name) => scope[name] !== undefined)`
    const { result } = await run(code, () => {
      throw new Error('refused')
    })
    expect(result).toEqual({ state: 'done', value: [] })
  })

  test.each(['import("node:fs")', 'import("./machine.ts")', 'import("data:text/javascript,1")'])(
    'cannot load a module with %s',
    async (expression) => {
      const { result } = await run(`return await ${expression}`)
      expect(result).toMatchObject({ state: 'failed', error: { kind: 'thrown' } })
    },
  )

  test('cannot disturb its bridge by changing built-in objects', async () => {
    const code = `const names = ['then', 'resolve', 'reject', 'name', 'toJSON', 'number', '0', '1']
      for (const name of names) {
        Object.defineProperty(Object.prototype, name, { configurable: true, get() { return () => 'polluted' }, set() {} })
      }
      const { parse, stringify } = JSON
      JSON.parse = JSON.stringify = () => { throw new Error('gone') }
      Promise.prototype.then = Promise.resolve = Reflect.apply = undefined
      Function.prototype.call = Function.prototype.apply = undefined
      String = Number = Error = Array = undefined
      for (const name of names) delete Object.prototype[name]
      const sum = await tools.add({ a: 1, b: 2 })
      console.log('sum', sum)
      return [sum]`
    const { result, lines } = await run(code, add)
    expect(result).toEqual({ state: 'done', value: [3] })
    expect(lines).toEqual(['sum 3'])
  })

  test('leaves no prototype behind in the server', async () => {
    const code = `const it = JSON.parse('{"__proto__": { "isAdmin": true }, "a": { "\\\\u005f_proto__": { "b": 1 } }, "c": 1 }')
      await tools.echo(it)
      return it`
    const { result, calls } = await run(code)
    expect(Object.keys((result as { value: object }).value)).toEqual(['a', 'c'])
    expect((result as { value: { a: object } }).value.a).toEqual({})
    expect(({} as { isAdmin?: true }).isAdmin).toBe(undefined)
    expect(calls).toHaveLength(1)
  })

  test('gets names from results as plain properties', async () => {
    const code = `const it = await tools.echo({})
      return [Object.keys(it), it.isAdmin === undefined, Object.getPrototypeOf(it) === Object.prototype]`
    const next = async () => ({ number: 1, isError: false, output: '{"__proto__":{"isAdmin":true}}', now: 0 })
    const { result } = await run(code, undefined, { next })
    expect(result).toEqual({ state: 'done', value: [['__proto__'], true, true] })
  })

  test.each([
    [
      'a proxy',
      'new Proxy({ a: 1 }, { ownKeys: () => ["a", "b"], get: () => "trick", getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) })',
      { a: 'trick', b: 'trick' },
    ],
    ['an object with toJSON', '({ toJSON: () => ({ a: 1 }) })', { a: 1 }],
    ['a thenable', '({ then: (resolve) => resolve(2) })', 2],
    ['a text with broken letters', '"\\ud800"', '\ud800'],
  ])('returns %s as data', async (_, expression, value) => {
    const { result } = await run(`return ${expression}`)
    expect(result).toEqual({ state: 'done', value })
  })

  test('ends in an error if a trap throws while it is read', async () => {
    const code =
      'return new Proxy({}, { ownKeys() { throw { get name() { throw 1 }, get message() { for (;;); } } } })'
    const { result } = await run(code, undefined, { limits: { cpuMs: 300 } })
    expect(result).toMatchObject({ state: 'failed', error: { kind: 'timeout' } })
  })

  test.runIf(process.platform === 'linux')(
    'loses its process at the memory limit, and its caller gets an error',
    async () => {
      const sandbox = create({ process: { residentBytes: 1 } })
      const endless = { orgId: 'org', expression: '(() => { for (;;); })()', values: {}, timeoutMs: 60_000 }
      expect(await sandbox.evaluate(endless)).toMatchObject({ error: { kind: 'memory' } })
    },
  )

  test('is ended from outside if its process hangs', async () => {
    const sandbox = create({ process: { graceMs: 300, slowdown: 0 } })
    const endless = { orgId: 'org', expression: '(() => { for (;;); })()', values: {}, timeoutMs: 600_000 }
    expect(await sandbox.evaluate(endless)).toEqual({
      error: { kind: 'timeout', message: 'The code did not stop in time' },
    })
  })
})

describe('the sandbox', () => {
  test('refuses an organization’s programs beyond its waiting limit', async () => {
    const sandbox = create({ programs: { permits: 1, permitsPerKey: 1, waitingPerKeyMax: 1 } })
    const opened = Promise.withResolvers<null>()
    const program = {
      orgId: 'one',
      code: 'await tools.a()',
      tools: ['a'],
      seed: '',
      now: new Date(0),
      onTurn: () => {},
    }
    const runs = [1, 2].map(() => sandbox.runProgram({ ...program, next: () => opened.promise }))
    await expect(sandbox.runProgram({ ...program, next: async () => null })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
    opened.resolve(null)
    expect(await Promise.all(runs)).toEqual([{ state: 'suspended' }, { state: 'suspended' }])
  })
})
