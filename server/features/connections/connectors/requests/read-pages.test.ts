import { describe, expect, test } from 'vitest'
import { json, readingTool, scriptedProviders } from '../../../../testing/fakes/scripted-providers.ts'
import type { ConnectorTool } from '../definition/definition.ts'

const { provider, call, seen } = scriptedProviders()

describe('a list', () => {
  const pageOf = (url: string) => Number(new URL(url, 'http://x').searchParams.get('page') ?? 1)
  const listTool = (overrides: Partial<ConnectorTool>) =>
    readingTool({ answer: { at: 'items', pick: ['id', 'by.name', 'tags.name'] }, ...overrides })
  const item = (id: number) => ({
    id,
    by: { name: 'Ada', secret: 1 },
    tags: [{ name: 'x', color: 'red' }],
    rest: 'long',
  })
  const picked = (id: number) => ({ id, by: { name: 'Ada' }, tags: [{ name: 'x' }] })

  test('is read by a cursor in a GraphQL variable up to the limit, with only the picked fields', async () => {
    const url = await provider((response, { body }) => {
      const after = Number(JSON.parse(body).variables.after ?? 0)
      json({ items: [item(after + 1), item(after + 2)], next: String(after + 2) })(response, seen[0]!)
    })
    const graphql = { query: 'query q($after: String) { x }', variables: {} }
    const { result, record } = await call(
      url,
      listTool({
        request: { method: 'POST', path: '/graphql', graphql },
        pages: { by: 'cursor', next: 'next', send: { body: 'variables.after' } },
      }),
      { limit: 5 },
    )
    expect(result).toEqual({ ok: true, value: { items: [1, 2, 3, 4, 5].map(picked), hasMore: true } })
    expect(record).toMatchObject({ attempts: 3, request: { pages: 3 } })
  })

  test("takes a link's parameters, and never its host or path", async () => {
    const url = await provider((response, { url: path }) => {
      const page = pageOf(path)
      const link = `<https://evil.example.com/steal?page=${page + 1}>; rel="next"`
      json({ items: [item(page)] }, 200, page < 3 ? { link } : {})(response, seen[0]!)
    })
    const { result } = await call(url, listTool({ pages: { by: 'link' } }), { limit: 50 })
    expect(result).toEqual({ ok: true, value: { items: [1, 2, 3].map(picked), hasMore: false } })
    expect(seen.map(({ url: path }) => path)).toEqual(['/v1/items', '/v1/items?page=2', '/v1/items?page=3'])
  })

  test('ends after 10 pages, after an empty page, and at a repeated cursor', async () => {
    const endless = await provider((response, { url }) =>
      json({ items: [item(pageOf(url))] })(response, seen[0]!),
    )
    const pages = { by: 'page', send: { query: 'page' } } as const
    const { result } = await call(endless, listTool({ pages }), { limit: 1000 })
    expect(result).toMatchObject({ ok: true, value: { hasMore: true, items: { length: 10 } } })
    const short = await provider(json({ items: [item(1)] }), json({ items: [] }))
    seen.splice(0)
    const offset = { by: 'offset', send: { query: 'skip' } } as const
    expect((await call(short, listTool({ pages: offset }), { limit: 9 })).result).toMatchObject({
      value: { hasMore: false, items: { length: 1 } },
    })
    seen.splice(0)
    const same = await provider(json({ items: [item(1)], next: 'x' }))
    const cursor = { by: 'cursor', next: 'next', send: { query: 'after' } } as const
    await call(same, listTool({ pages: cursor }), { limit: 9 })
    expect(seen).toHaveLength(2)
  })

  test('keeps the items before a page that fails', async () => {
    const url = await provider(json({ items: [item(1)] }), json({ message: 'No page 2' }, 400))
    const pages = { by: 'page', send: { query: 'page' } } as const
    expect((await call(url, listTool({ pages }), { limit: 9 })).result).toEqual({
      ok: true,
      value: { items: [picked(1)], hasMore: true, problem: 'No page 2' },
    })
  })
})
