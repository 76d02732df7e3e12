import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Preview, RenderJob } from './job.ts'
import { createRendererPool } from './renderer-pool.ts'

const JOB: RenderJob = {
  format: 'text',
  mimeType: 'text/plain',
  language: null,
  isPartial: false,
  textBytesMax: 1000,
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-pool-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Options = NonNullable<Parameters<typeof createRendererPool>[0]>

function createPool(options: Options = {}) {
  const pool = createRendererPool(options)
  onTestFinished(() => pool.close())
  return pool
}

/** A pool whose renderer process runs `body` after it has received a file. */
async function createPoolRunning(body: string, options: Options = {}) {
  const program = join(folder, `${crypto.randomUUID()}.mjs`)
  const source = `process.on('disconnect', () => process.exit())
    process.on('message', async (message) => { if (message === null) { ${body} } })`
  await writeFile(program, source)
  return createPool({ program, ...options })
}

const bytes =
  (text = 'hello') =>
  async () =>
    asChunks(text)
async function* asChunks(text: string) {
  yield Buffer.from(text)
}

describe('a faulty renderer process', () => {
  test('is stopped at the time limit during an endless loop', async () => {
    const pool = await createPoolRunning('for (;;);', { timeMs: 200 })
    expect(await pool.render('org', JOB, bytes())).toEqual({ failed: 'timed_out' })
  })

  test.each([
    ['many small objects', 'const all = []; for (;;) all.push({ more: [1, 2, 3] })'],
    [
      // In a worker thread this would end the whole server process.
      'one large array',
      'const all = []; for (;;) all.push(all.length)',
    ],
  ])('is stopped when it fills the heap with %s', async (_, body) => {
    const pool = await createPoolRunning(body, { heapMegabytes: 64, timeMs: 30_000 })
    expect(await pool.render('org', JOB, bytes())).toEqual({ failed: 'too_complex' })
  })

  test.runIf(process.platform === 'linux')('is stopped when it fills memory outside the heap', async () => {
    const body =
      'const all = []; const more = () => { all.push(Buffer.alloc(20e6, 1)); setTimeout(more, 5) }; more()'
    const pool = await createPoolRunning(body, { residentBytes: 300e6, timeMs: 30_000 })
    expect(await pool.render('org', JOB, bytes())).toEqual({ failed: 'too_complex' })
  })

  test.each(['process.exit(0)', 'process.abort()'])('fails only its own file after %s', async (body) => {
    const pool = await createPoolRunning(body)
    expect(await pool.render('org', JOB, bytes())).toEqual({ failed: 'too_complex' })
  })

  test('is replaced after a failure, so no state reaches the next file', async () => {
    const body =
      "process.send(globalThis.isUsed ? { preview: 'again' } : { failed: 'broken' }); globalThis.isUsed = true"
    const pool = await createPoolRunning(body)
    expect(await pool.render('org', JOB, bytes())).toEqual({ failed: 'broken' })
    expect(await pool.render('org', JOB, bytes())).toEqual({ failed: 'broken' })
  })

  test("can't access the file system, start programs or read the environment", async () => {
    const pool = await createPoolRunning(`
      const attempts = {
        read: () => import('node:fs').then((fs) => fs.readFileSync('/etc/hostname')),
        write: () => import('node:fs').then((fs) => fs.writeFileSync(${JSON.stringify(join(folder, 'left'))}, 'x')),
        run: () => import('node:child_process').then((it) => it.execFileSync('true')),
      }
      const result = { environment: Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL')) }
      for (const [name, attempt] of Object.entries(attempts)) result[name] = await attempt().then(() => 'done', (error) => error.code)
      process.send({ preview: result })`)
    expect(await pool.render('org', JOB, bytes())).toEqual({
      preview: {
        environment: [],
        read: 'ERR_ACCESS_DENIED',
        write: 'ERR_ACCESS_DENIED',
        run: 'ERR_ACCESS_DENIED',
      },
    })
  })
})

describe('the renderer pool', () => {
  const pid = 'process.send({ preview: process.pid })'

  test('reuses a process after a success', async () => {
    const pool = await createPoolRunning(pid)
    const first = await pool.render('org', JOB, bytes())
    expect(await pool.render('org', JOB, bytes())).toEqual(first)
  })

  test('ends idle processes', async () => {
    const pool = await createPoolRunning(pid, { idleMs: 1 })
    const { preview } = (await pool.render('org', JOB, bytes())) as { preview: unknown }
    await expect.poll(() => isRunning(preview as number)).toBe(false)
  })

  test('renders a file that arrives in several chunks', async () => {
    const pool = createPool()
    const chunks = async () =>
      (async function* () {
        for (const chunk of ['so ', 'many ', 'pieces']) yield Buffer.from(chunk)
      })()
    const outcome = await pool.render('org', JOB, chunks)
    expect((outcome as { preview: Preview<'text'> }).preview.text).toBe('so many pieces')
  })

  test('passes on an object store error and renders the next file', async () => {
    const pool = createPool()
    const failing = async () =>
      (async function* () {
        yield Buffer.from('so far')
        throw new Error('the store failed')
      })()
    await expect(pool.render('org', JOB, failing)).rejects.toThrow('the store failed')
    expect(await pool.render('org', JOB, bytes())).toMatchObject({ preview: { text: 'hello' } })
  })

  test('limits waiting files per organization and in total', async () => {
    const pool = await createPoolRunning(pid, { concurrency: 1, waitingMax: 3, waitingPerOrgMax: 2 })
    const opened = Promise.withResolvers<AsyncIterable<Uint8Array>>()
    const open = () => opened.promise
    const pending = ['one', 'one', 'one', 'two'].map((orgId) => pool.render(orgId, JOB, open))
    await expect(pool.render('one', JOB, open)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await expect(pool.render('two', JOB, open)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    opened.resolve(asChunks(''))
    expect(await Promise.all(pending)).toHaveLength(4)
    expect(await pool.render('one', JOB, bytes())).toHaveProperty('preview')
  })

  test("renders one organization's file while another's are blocked", async () => {
    const pool = await createPoolRunning(pid)
    const blocked = Promise.withResolvers<AsyncIterable<Uint8Array>>()
    const busy = Array.from({ length: 12 }, () => pool.render('busy', JOB, () => blocked.promise))
    expect(await pool.render('other', JOB, bytes())).toHaveProperty('preview')
    blocked.resolve(asChunks(''))
    await Promise.all(busy)
  })

  test('limits concurrent renders', async () => {
    const pool = await createPoolRunning(pid, { concurrency: 4, concurrencyPerOrg: 2 })
    let running = 0
    let maximum = 0
    const open = async () => {
      maximum = Math.max(maximum, ++running)
      return (async function* () {
        yield Buffer.from('x')
        await new Promise((resolve) => setImmediate(resolve))
        running--
      })()
    }
    await Promise.all(Array.from({ length: 6 }, () => pool.render('org', JOB, open)))
    expect(maximum).toBe(2)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
