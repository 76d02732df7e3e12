import { utils, write } from '@e965/xlsx'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { upload } from '../../../../testing/factories/uploads.ts'
import { bearer, type Headers, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { createTableCache } from './table-parts.ts'

let app: TestApp
let headers: Headers
beforeAll(async () => {
  app = await shareTestApp()
  const person = await app.person(await app.organization())
  headers = bearer(await app.key(person, ['files:write']))
})

function workbookOf(sheets: Record<string, unknown[][]>): Buffer {
  const workbook = utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), name)
  return write(workbook, { type: 'buffer', bookType: 'xlsx', compression: true })
}

const store = async (name: string, content: Buffer | string) =>
  (await upload(app, headers, content, { name })).body.data.id as string
const read = async (id: string, query = '') => {
  const { status, body } = await app.request('GET', `/api/v1/files/${id}/table?${query}`, { headers })
  return status === 200 ? body.data : [status, body.error.message]
}

const LONG = Array.from({ length: 3000 }, (_, n) => [`Row ${n}`, n % 3 === 0 ? 'ü"' : '', String(n)])

describe('GET /files/:id/table', () => {
  test('returns all rows of all sheets in parts that join without a gap', async () => {
    const id = await store('book.xlsx', workbookOf({ First: LONG, Empty: [], Last: [['a'], ['b']] }))
    const rows: Record<string, string[][]> = { First: [], Last: [] }
    let offset: number | null = 0
    let count = 0
    while (offset !== null) {
      const part: Awaited<ReturnType<typeof read>> = await read(id, `limit=5000&offset=${offset}`)
      expect(part).toMatchObject({
        sheets: [
          { name: 'First', rows: 3000 },
          { name: 'Empty', rows: 0 },
          { name: 'Last', rows: 2 },
        ],
      })
      for (const { sheet, rows: some } of part.parts) rows[sheet]!.push(...some)
      expect(JSON.stringify(part.parts).length).toBeLessThan(9000)
      offset = part.nextOffset
      count++
    }
    expect(rows).toEqual({ First: LONG, Last: [['a'], ['b']] })
    expect(count).toBeGreaterThan(10)
    expect(await read(id, 'offset=3001&limit=262144')).toMatchObject({
      parts: [{ sheet: 'Last', rows: [['b']] }],
      nextOffset: null,
    })
    expect(await read(id, 'offset=9000')).toMatchObject({ parts: [], nextOffset: null })
  })

  test('returns a row larger than the limit alone', async () => {
    const long = 'x'.repeat(5000)
    const id = await store('long.csv', `a,b\n${long},1\nc,d\n`)
    expect(await read(id, 'offset=0&limit=100')).toMatchObject({ nextOffset: 1 })
    expect(await read(id, 'offset=1&limit=100')).toMatchObject({
      parts: [{ rows: [[long, '1']] }],
      nextOffset: 2,
    })
  })

  test('refuses a table that is larger than tables may be', async () => {
    const wide = Array.from({ length: 101 }, (_, n) => n).join(',')
    expect(await read(await store('wide.csv', `${wide}\n`))).toEqual([
      400,
      'The file must have at most 100,000 rows, 100 columns, 20 sheets, and 10,000 characters in a cell: split it',
    ])
  })

  test('refuses other files, damaged ones and files without access', async () => {
    expect(await read(await store('notes.txt', 'text'))).toEqual([
      400,
      'The file must be a CSV file, a TSV file or a workbook',
    ])
    expect(await read(await store('broken.xlsx', 'PK\x03\x04 broken'))).toEqual([
      400,
      'The file cannot be read: it is damaged, or its content does not match its type',
    ])
    const id = await store('own.csv', 'a\n')
    const stranger = await app.person(await app.organization())
    const others = bearer(await app.key(stranger, ['files:write']))
    const { status } = await app.request('GET', `/api/v1/files/${id}/table`, { headers: others })
    expect(status).toBe(404)
  })
})

describe('read tables', () => {
  const table = (bytes: number) => [{ name: 'a', rows: Buffer.alloc(bytes), ends: new Uint32Array() }]

  test('are kept up to a limit, the last read ones, and for a minute after the last read', () => {
    vi.useFakeTimers()
    try {
      const cache = createTableCache(100, 60_000)
      expect(cache.set('large', table(101))).toBe(false)
      for (const key of ['a', 'b']) cache.set(key, table(40))
      expect(cache.get('a')).toBeDefined()
      cache.set('c', table(40))
      expect([cache.get('a'), cache.get('b'), cache.bytes()]).toEqual([expect.anything(), undefined, 80])
      vi.advanceTimersByTime(59_000)
      cache.get('a')
      vi.advanceTimersByTime(2000)
      expect(cache.get('c')).toBeUndefined()
      vi.advanceTimersByTime(60_000)
      expect(cache.bytes()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
