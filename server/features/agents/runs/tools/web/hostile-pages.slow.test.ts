import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../../../outbound/outbound.ts'
import { toolCall, useTool } from '../../../../../testing/clients/tool-calls.ts'
import { startReceiver } from '../../../../../testing/fakes/receiver.ts'
import type { TestApp } from '../../../../../testing/test-app.ts'
import { readSitemap, readWebPage } from '../../../../files/files/files.ts'
import { webFetch } from './web-fetch.ts'

const BYTES = 50_000_000
const CHUNK_BYTES = 1_000_000
/** A page is held once as bytes and once as text while it is sent to the renderer. */
const GROWTH_BYTES_MAX = 160_000_000
/** Reading and sending bytes. Parsing a page here would take several times as much. */
const CPU_S_MAX = 4

let site: Awaited<ReturnType<typeof startReceiver>>
const outbound = createOutbound({ allowed: ['127.0.0.1/32'] })
beforeAll(async () => {
  site = await startReceiver()
})
afterAll(async () => {
  await outbound.close()
  await site.close()
})

/** How much this process grew at most, and how long it computed. */
async function measure<T>(work: () => Promise<T>) {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  const cpu = process.cpuUsage()
  const outcome = await work().then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error as Error }),
  )
  clearInterval(timer)
  const { user, system } = process.cpuUsage(cpu)
  return { outcome, grownBytes: most - before, cpuS: (user + system) / 1e6 }
}

const repeated = (text: string) => Buffer.from(text.repeat(Math.ceil(CHUNK_BYTES / text.length)))

async function* stream(head: string, part: string, tail = ''): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  const chunk = repeated(part)
  for (let sent = 0; sent < BYTES; sent += chunk.length) yield chunk
  yield Buffer.from(tail)
}

const PAGES: [name: string, part: string][] = [
  ['nested elements', '<div><b><table><tr><td>'],
  ['links', '<p>Words in a sentence <a href="/x?y=z">and a link</a></p>'],
  ['unclosed attributes', '<a href="'],
  ['entities', '&amp;&lt;&#x41;'],
  ['comments that never end', '<!-- <script>'],
]

describe('a page of 50 MB', () => {
  test.each(PAGES)('leaves the server within its memory: %s', { timeout: 120_000 }, async (_, part) => {
    const chunk = repeated(part)
    site.answer(async (_request, response) => {
      const closed = once(response, 'close')
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Big</title>')
      for (let sent = 0; sent < BYTES && !response.destroyed; sent += chunk.length)
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed])
      response.end()
    })
    const fakeApp = {
      sql: async () => [{ count: 0 }],
      app: { system: () => ({ outbound }) },
    } as unknown as TestApp
    const call = toolCall(fakeApp, { id: '', orgId: '', name: '', email: '' }, '')
    const { outcome, grownBytes, cpuS } = await measure(() =>
      useTool(webFetch, call, { url: new URL('/big', site.url).href }),
    )
    if ('error' in outcome) expect(outcome.error.message).toMatch(/too complex|could not be read/)
    else expect(outcome.value).toMatchObject({ note: expect.stringContaining('larger than 2 MB') })
    expect(grownBytes).toBeLessThan(GROWTH_BYTES_MAX)
    expect(cpuS).toBeLessThan(CPU_S_MAX)
  })

  test('given to the renderer as a whole fails there', { timeout: 120_000 }, async () => {
    const html = Buffer.concat(await Array.fromAsync(stream('<body>', '<i><table><p>&amp;')))
    const { outcome, grownBytes, cpuS } = await measure(() => readWebPage('org', html, 'https://x.example/'))
    expect(outcome).toEqual({ value: { failed: expect.stringMatching(/^(too_complex|timed_out)$/) } })
    expect(grownBytes).toBeLessThan(GROWTH_BYTES_MAX)
    expect(cpuS).toBeLessThan(CPU_S_MAX)
  })
})

const SITEMAPS: [name: string, head: string, part: string, tail: string][] = [
  ['URLs', '<urlset>', '<url><loc>https://x.example/a</loc></url>', '</urlset>'],
  ['openings', '<urlset>', '<url><loc>', '</urlset>'],
  ['one entry', '<urlset><url><loc>', 'https://x.example/', '</loc></url></urlset>'],
  ['lines', '', 'https://x.example/a\n', ''],
]

describe('a sitemap of 50 MB', () => {
  test.each(SITEMAPS)(
    'leaves the server within its memory: %s',
    { timeout: 120_000 },
    async (_, ...parts) => {
      const { outcome, grownBytes, cpuS } = await measure(() => readSitemap('org', stream(...parts)))
      if ('error' in outcome) throw outcome.error
      if ('failed' in outcome.value) expect(outcome.value.failed).toMatch(/^(too_complex|timed_out)$/)
      else if (outcome.value.kind === 'sitemap')
        expect(outcome.value.pages.length).toBeLessThanOrEqual(50_000)
      expect(grownBytes).toBeLessThan(GROWTH_BYTES_MAX)
      expect(cpuS).toBeLessThan(CPU_S_MAX)
    },
  )
})
