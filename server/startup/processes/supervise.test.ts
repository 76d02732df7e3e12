import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPort } from './port.ts'
import { ChildFailed, supervise } from './supervise.ts'

type Behavior = 'works' | 'fails' | 'hangs' | 'waits' | 'crashes' | 'ignores stop'

let folder: string
let supervisor: ReturnType<typeof supervise>
let reasons: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-processes-'))
  writeFileSync(join(folder, 'events'), '')
  behave('works')
  reasons = []
})
afterEach(async () => {
  await supervisor.stop()
  await rm(folder, { recursive: true })
})

/** Of processes that start from now on. */
const behave = (behavior: Behavior) => writeFileSync(join(folder, 'behavior'), behavior)

type SharedPort = Parameters<typeof supervise>[0]['port']
type Limits = Partial<Record<'endsMax' | 'startMsMax' | 'stopMsMax' | 'askMs', number>>

function create(count: number, limits: Limits = {}, port: SharedPort = createPort()) {
  supervisor = supervise({
    count,
    start: {
      connection: 'postgres://none',
      connectionShare: 1,
      isOnlyProcess: true,
      acceptsNewSecret: false,
      url: null,
    },
    port,
    log: pino({ level: 'silent' }),
    onGiveUp: (reason) => reasons.push(reason),
    limits: { pauseMs: 10, pauseMsMax: 20, ...limits },
    program: [join(import.meta.dirname, 'testing/program.js'), folder],
  })
  return supervisor
}

const events = () =>
  readFileSync(join(folder, 'events'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ event: line.replace(/ \d+$/, ''), pid: Number(/\d+$/.exec(line)) }))

const pids = (wanted: string) => events().flatMap(({ event, pid }) => (event === wanted ? [pid] : []))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('processes that share a port', () => {
  test('start after the first one is ready, which migrates', async () => {
    expect(await create(3).start()).toBe('Atrium is ready')
    const order = events().map(({ event }) => event)
    expect(order.slice(0, 2)).toEqual(['started first', 'ready'])
    expect(order.filter((event) => event === 'started first')).toHaveLength(1)
    expect(pids('ready')).toHaveLength(3)
  })

  test('fail the start if one of them fails', async () => {
    behave('fails')
    await expect(create(2).start()).rejects.toThrow(ChildFailed)
  })

  test('replace one that was killed', async () => {
    await create(2).start()
    const [killed, other] = pids('ready')
    process.kill(killed!, 'SIGKILL')
    await expect.poll(() => pids('ready').length).toBe(3)
    expect(isAlive(other!)).toBe(true)
  })

  test('replace one that was asked to end, and stop it when it gets no more connections', async () => {
    const removed: (number | undefined)[] = []
    await create(2, {}, { ...createPort(), remove: ({ pid }) => removed.push(pid) }).start()
    const [asked, other] = pids('ready')
    process.kill(asked!, 'SIGTERM')
    await expect.poll(() => pids('stopped')).toEqual([asked])
    expect(removed).toEqual([asked])
    await expect.poll(() => pids('ready').length).toBe(3)
    expect(isAlive(other!)).toBe(true)
  })

  test('continue while a replacement fails, and try again', async () => {
    await create(2).start()
    const [killed, other] = pids('ready')
    behave('fails')
    process.kill(killed!, 'SIGKILL')
    await expect.poll(() => pids('started').length).toBeGreaterThanOrEqual(4)
    expect(isAlive(other!)).toBe(true)
    behave('works')
    await expect.poll(() => pids('ready').length).toBe(3)
    expect(reasons).toEqual([])
  })

  test('replace one that hangs while it starts', async () => {
    await create(2, { startMsMax: 5000 }).start()
    behave('hangs')
    process.kill(pids('ready')[0]!, 'SIGKILL')
    await expect.poll(() => pids('started').length).toBe(2)
    behave('works')
    await expect.poll(() => pids('ready').length).toBe(3)
    const hung = pids('started').find((pid) => !pids('ready').includes(pid))!
    expect(isAlive(hung)).toBe(false)
  })

  test('replace one that hangs', async () => {
    await create(2, { askMs: 50 }).start()
    const [hung, other] = pids('ready')
    process.kill(hung!, 'SIGSTOP')
    await expect.poll(() => isAlive(hung!)).toBe(false)
    await expect.poll(() => pids('ready').length).toBe(3)
    expect(isAlive(other!)).toBe(true)
  })

  test('give up with the reason when they keep ending', async () => {
    behave('crashes')
    await create(2, { endsMax: 4 }).start()
    await expect.poll(() => reasons).toEqual([expect.stringContaining('5 processes ended within 60 seconds')])
    await supervisor.stop()
    expect(events().some(({ pid }) => isAlive(pid))).toBe(false)
  })
})

describe('restart', () => {
  test('stops each process once its replacement is ready', async () => {
    await create(2).start()
    const [first, second] = pids('ready')
    supervisor.restart()
    await expect.poll(() => pids('stopped')).toEqual([first, second])
    expect(pids('ready').slice(2).every(isAlive)).toBe(true)
    const order = events().map(({ event }) => event)
    expect(order.slice(4)).toEqual(['started', 'ready', 'stopped', 'started', 'ready', 'stopped'])
  })

  test('leaves the running processes if a new one fails', async () => {
    await create(2).start()
    behave('fails')
    supervisor.restart()
    await expect.poll(() => pids('started').length).toBe(2)
    behave('works')
    supervisor.restart()
    await expect.poll(() => pids('stopped')).toEqual(pids('ready').slice(0, 2))
  })
})

describe('a process that ends while its successor starts', () => {
  const killDuringRestart = async () => {
    await create(2).start()
    const [killed] = pids('ready')
    behave('waits')
    supervisor.restart()
    await expect.poll(() => pids('started').length).toBe(2)
    process.kill(killed!, 'SIGKILL')
    await expect.poll(() => isAlive(killed!)).toBe(false)
  }

  test('has no second successor', async () => {
    await killDuringRestart()
    behave('works')
    await expect.poll(() => pids('stopped').length).toBe(1)
    // By its end, a second one would have started.
    supervisor.restart()
    await expect.poll(() => pids('stopped').length).toBe(3)
    // A process says that it stops before it ends.
    await expect.poll(() => pids('ready').filter(isAlive).length).toBe(2)
  })

  test('is replaced if its successor fails', async () => {
    await killDuringRestart()
    process.kill(pids('started').at(-1)!, 'SIGKILL')
    behave('works')
    await expect.poll(() => pids('ready').filter(isAlive).length).toBe(2)
  })
})

describe('stop', () => {
  test('ends every process, also those that are starting', async () => {
    await create(2).start()
    behave('hangs')
    process.kill(pids('ready')[0]!, 'SIGKILL')
    await expect.poll(() => pids('started').length).toBe(2)
    await supervisor.stop()
    expect(pids('stopped').length).toBe(2)
    expect(events().some(({ pid }) => isAlive(pid))).toBe(false)
  })

  test('kills a process that does not end in time', async () => {
    behave('ignores stop')
    await create(2, { stopMsMax: 200 }).start()
    await supervisor.stop()
    expect(pids('ready').some(isAlive)).toBe(false)
  })
})
