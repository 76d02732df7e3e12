import { expect, test } from 'vitest'
import { findLocalServers, isLocalServerUrl } from './local-servers.ts'

const respond = (answers: Record<string, () => Response | Promise<Response>>) => {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const { url } = new Request(input)
    asked.push(url)
    const answer = answers[new URL(url).port]
    if (!answer) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
    return answer()
  }
  return { asked, fetch }
}

test('lists servers at the usual addresses and asks no others', async () => {
  const { asked, fetch } = respond({
    1234: () => Response.json({ data: [{ id: 'qwen3-8b' }, { id: 'text-embedding-nomic' }] }),
    8000: () => new Response('<html>Another program</html>'),
    8080: () => new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }),
  })
  expect(await findLocalServers({ skipsOllama: false, fetch })).toEqual([
    { id: 'lm-studio', name: 'LM Studio', url: 'http://127.0.0.1:1234/v1', models: ['qwen3-8b'] },
  ])
  expect(asked).toEqual([11434, 1234, 8080, 8000].map((port) => `http://127.0.0.1:${port}/v1/models`))
})

test('ignores long responses, and Ollama if it is switched off', async () => {
  const { asked, fetch } = respond({ 8000: () => new Response(`{"data":["${'x'.repeat(300_000)}"]}`) })
  expect(await findLocalServers({ skipsOllama: true, fetch })).toEqual([])
  expect(asked).toHaveLength(3)
})

test('recognizes only the exact URLs', () => {
  const urls = ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1/', 'http://127.0.0.1:1235/v1']
  expect(urls.map(isLocalServerUrl)).toEqual([true, false, false])
})
