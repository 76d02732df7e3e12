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
  folder = await mkdtemp(join(tmpdir(), 'atrium-renderers-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Options = NonNullable<Parameters<typeof createRendererPool>[0]>

function renderersWith(options: Options = {}) {
  const renderers = createRendererPool(options)
  onTestFinished(() => renderers.close())
  return renderers
}

/** Renderers whose program does this with each file that it has been sent. */
async function misbehaving(body: string, options: Options = {}) {
  const program = join(folder, `${crypto.randomUUID()}.mjs`)
  const whole = `process.on('disconnect', () => process.exit())
    process.on('message', async (message) => { if (message === null) { ${body} } })`
  await writeFile(program, whole)
  return renderersWith({ program, ...options })
}

const bytes =
  (text = 'hello') =>
  async () =>
    asChunks(text)
async function* asChunks(text: string) {
  yield Buffer.from(text)
}

describe('a file that misbehaves', () => {
  test('is given up when its time is over, whatever it is doing', async () => {
    const renderers = await misbehaving('for (;;);', { timeMs: 200 })
    expect(await renderers.render('org', JOB, bytes())).toEqual({ failed: 'timed_out' })
  })

  test.each([
    ['many small things', 'const all = []; for (;;) all.push({ more: [1, 2, 3] })'],
    [
      'one large thing, which would end a thread’s whole process',
      'const all = []; for (;;) all.push(all.length)',
    ],
  ])('is given up when it fills the heap with %s', async (_, body) => {
    const renderers = await misbehaving(body, { heapMegabytes: 64, timeMs: 30_000 })
    expect(await renderers.render('org', JOB, bytes())).toEqual({ failed: 'too_complex' })
  })

  test.runIf(process.platform === 'linux')('is given up when it fills memory beside the heap', async () => {
    const body =
      'const all = []; const more = () => { all.push(Buffer.alloc(20e6, 1)); setTimeout(more, 5) }; more()'
    const renderers = await misbehaving(body, { residentBytes: 300e6, timeMs: 30_000 })
    expect(await renderers.render('org', JOB, bytes())).toEqual({ failed: 'too_complex' })
  })

  test.each(['process.exit(0)', 'process.abort()'])('does no harm by %s', async (body) => {
    const renderers = await misbehaving(body)
    expect(await renderers.render('org', JOB, bytes())).toEqual({ failed: 'too_complex' })
  })

  test('leaves nothing behind for the next, which gets another process', async () => {
    const body =
      "process.send(globalThis.isUsed ? { preview: 'again' } : { failed: 'broken' }); globalThis.isUsed = true"
    const renderers = await misbehaving(body)
    expect(await renderers.render('org', JOB, bytes())).toEqual({ failed: 'broken' })
    expect(await renderers.render('org', JOB, bytes())).toEqual({ failed: 'broken' })
  })

  test('cannot read other files, start programs, or see the environment', async () => {
    const renderers = await misbehaving(`
      const tries = {
        read: () => import('node:fs').then((fs) => fs.readFileSync('/etc/hostname')),
        write: () => import('node:fs').then((fs) => fs.writeFileSync(${JSON.stringify(join(folder, 'left'))}, 'x')),
        run: () => import('node:child_process').then((it) => it.execFileSync('true')),
      }
      const told = { environment: Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL')) }
      for (const [name, act] of Object.entries(tries)) told[name] = await act().then(() => 'done', (error) => error.code)
      process.send({ preview: told })`)
    expect(await renderers.render('org', JOB, bytes())).toEqual({
      preview: {
        environment: [],
        read: 'ERR_ACCESS_DENIED',
        write: 'ERR_ACCESS_DENIED',
        run: 'ERR_ACCESS_DENIED',
      },
    })
  })
})

describe('renderers', () => {
  const pid = 'process.send({ preview: process.pid })'

  test('are used again while they do well', async () => {
    const renderers = await misbehaving(pid)
    const first = await renderers.render('org', JOB, bytes())
    expect(await renderers.render('org', JOB, bytes())).toEqual(first)
  })

  test('end when there has been nothing to do for a while', async () => {
    const renderers = await misbehaving(pid, { idleMs: 1 })
    const { preview } = (await renderers.render('org', JOB, bytes())) as { preview: unknown }
    await expect.poll(() => isRunning(preview as number)).toBe(false)
  })

  test('read a file that comes in pieces', async () => {
    const renderers = renderersWith()
    const pieces = async () =>
      (async function* () {
        for (const piece of ['so ', 'many ', 'pieces']) yield Buffer.from(piece)
      })()
    const outcome = await renderers.render('org', JOB, pieces)
    expect((outcome as { preview: Preview<'text'> }).preview.text).toBe('so many pieces')
  })

  test('fail as the store fails that the bytes come from, and go on after it', async () => {
    const renderers = renderersWith()
    const failing = async () =>
      (async function* () {
        yield Buffer.from('so far')
        throw new Error('the store is gone')
      })()
    await expect(renderers.render('org', JOB, failing)).rejects.toThrow('the store is gone')
    expect(await renderers.render('org', JOB, bytes())).toMatchObject({ preview: { text: 'hello' } })
  })

  test('take no more than so many of one organization, nor of all together', async () => {
    const renderers = await misbehaving(pid, { concurrency: 1, pendingMax: 3, pendingPerOrgMax: 2 })
    const opened = Promise.withResolvers<AsyncIterable<Uint8Array>>()
    const open = () => opened.promise
    const pending = [
      renderers.render('one', JOB, open),
      renderers.render('one', JOB, open),
      renderers.render('two', JOB, open),
    ]
    const refusal = { details: { reason: 'busy' }, headers: { 'retry-after': '5' } }
    await expect(renderers.render('one', JOB, open)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      ...refusal,
    })
    await expect(renderers.render('two', JOB, open)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      ...refusal,
    })
    opened.resolve(asChunks(''))
    expect(await Promise.all(pending)).toHaveLength(3)
    expect(await renderers.render('one', JOB, bytes())).toHaveProperty('preview')
  })

  test('read only so many at once', async () => {
    const renderers = await misbehaving(pid, { concurrency: 2 })
    let atOnce = 0
    let most = 0
    const open = async () => {
      most = Math.max(most, ++atOnce)
      return (async function* () {
        yield Buffer.from('x')
        await new Promise((resolve) => setImmediate(resolve))
        atOnce--
      })()
    }
    await Promise.all(Array.from({ length: 6 }, () => renderers.render('org', JOB, open)))
    expect(most).toBe(2)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
