import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { startReceiver } from '../testing/fakes/receiver.ts'
import { foundResults } from './native-results.ts'

const outbound = createOutbound({ allowed: ['127.0.0.1/32'] })
const internal = createServer((_request, response) => {
  reached += 1
  response.end('secret')
})
let reached = 0
let internalUrl: string
let links: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  links = await startReceiver()
  internal.listen(0, '127.0.0.2')
  await once(internal, 'listening')
  internalUrl = `http://127.0.0.2:${(internal.address() as AddressInfo).port}/`
})
afterAll(async () => {
  internal.close()
  await Promise.all([outbound.close(), links.close()])
})
afterEach(() => {
  links.requests.splice(0)
  reached = 0
})

const link = (path: string) => new URL(path, links.url).href

async function find(urls: string[], signal = new AbortController().signal) {
  const sources = urls.map((url) => ({ url, title: 'A page', snippet: '', publishedAt: null }))
  const results = await foundResults('google', sources, { outbound, signal })
  return results.map(({ url }) => url)
}

test('a redirect to an internal address is not requested', async () => {
  links.answer((_received, response) => response.writeHead(302, { location: internalUrl }).end())
  expect(await find([link('/a')])).toEqual([internalUrl])
  expect(links.requests).toHaveLength(1)
  expect(reached).toBe(0)
})

test('a source at an internal address is not requested', async () => {
  expect(await find([internalUrl])).toEqual([internalUrl])
  expect(reached).toBe(0)
})

test('redirects without end are followed once', async () => {
  links.answer(({ path }, response) => response.writeHead(302, { location: `${path}/again` }).end())
  expect(await find([link('/a')])).toEqual([link('/a/again')])
  expect(links.requests).toHaveLength(1)
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://user:password@page.example/'])(
  'a redirect to %s is left out',
  async (location) => {
    links.answer((_received, response) => response.writeHead(302, { location }).end())
    expect(await find([link('/a')])).toEqual([])
  },
)

test('a link with a long address, or too many headers, stays as it is', async () => {
  links.answer(({ path }, response) =>
    response
      .writeHead(302, { location: `https://page.example/${'x'.repeat(path === '/a' ? 8000 : 20_000)}` })
      .end(),
  )
  // A page's address has at most 1,000 characters.
  expect(await find([link('/a'), link('/b')])).toEqual([link('/b')])
})

test('no more than 30 links are requested', async () => {
  links.answer(({ path }, response) =>
    response.writeHead(302, { location: `https://page.example${path}` }).end(),
  )
  expect(await find(Array.from({ length: 200 }, (_, at) => link(`/${at}`)))).toHaveLength(30)
  expect(links.requests).toHaveLength(30)
})

test('a page without an end is not read', async () => {
  let sent = 0
  const closed = new Promise<void>((resolve) =>
    links.answer((_received, response) => {
      response.on('close', resolve)
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', write)
      write()
    }),
  )
  expect(await find([link('/a')])).toEqual([link('/a')])
  await closed
  expect(sent).toBeLessThan(20_000_000)
})

test('links that never answer are given up together', async () => {
  links.answer(() => {})
  const urls = Array.from({ length: 30 }, (_, at) => link(`/${at}`))
  expect(await find(urls)).toEqual(urls)
})

test('a canceled search waits for no link', async () => {
  links.answer(() => {})
  const stop = new AbortController()
  const found = find([link('/a')], stop.signal)
  await expect.poll(() => links.requests.length).toBe(1)
  stop.abort()
  expect(await found).toEqual([link('/a')])
})
