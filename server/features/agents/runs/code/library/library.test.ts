import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createSandbox, type HandedResult, type ProgramCall } from '../../../../../sandbox/sandbox.ts'
import { LIBRARY } from './library.ts'

const sandbox = createSandbox()
afterAll(() => sandbox.close())

type Input = Record<string, unknown>

async function run(code: string, answer: (name: string, input: Input) => unknown = () => null) {
  const calls: ProgramCall[] = []
  const open: ProgramCall[] = []
  const result = await sandbox.runProgram({
    orgId: 'org',
    code,
    library: LIBRARY,
    tools: [],
    seed: '',
    now: new Date(0),
    onTurn: (turn) => {
      calls.push(...turn.calls)
      open.push(...turn.calls)
    },
    next: async (): Promise<HandedResult> => {
      const { number, name, input } = open.shift()!
      return { number, isError: false, output: JSON.stringify(answer(name, JSON.parse(input))), now: 0 }
    },
  })
  return { result, calls: calls.map(({ name, input }) => [name, JSON.parse(input)] as const) }
}

test.each(['', 'abc', 'ä€😀', 'x'.repeat(1000)])('crypto.sha256 hashes %j', async (text) => {
  const value = createHash('sha256').update(text).digest('hex')
  expect((await run(`return crypto.sha256(${JSON.stringify(text)})`)).result).toEqual({
    state: 'done',
    value,
  })
})

test('files.readTable reads a CSV file in parts', async () => {
  const text = '\uFEFFname;amount\r\n"Ada ""L"";";1\r\n\r\nBob;2'
  const { result, calls } = await run(`return files.readTable('a.csv')`, (_name, { as, offset }) => {
    if (as === 'record') return { name: 'a.csv', mimeType: 'text/csv' }
    const from = offset as number
    return from === 0 ? { content: text.slice(0, 20), nextOffset: 20 } : { content: text.slice(20) }
  })
  const rows = [
    { name: 'Ada "L";', amount: '1' },
    { name: 'Bob', amount: '2' },
  ]
  expect(result).toEqual({ state: 'done', value: { columns: ['name', 'amount'], rows } })
  expect(calls).toHaveLength(3)
})

test('files.readTable reads only the parts of a sheet', async () => {
  const sheets = [
    { name: 'One', rows: 2 },
    { name: 'Two', rows: 3 },
    { name: 'Three', rows: 1 },
  ]
  const parts: Record<number, { sheet: string; rows: string[][] }[]> = {
    0: [{ sheet: 'One', rows: [['x']] }],
    2: [{ sheet: 'Two', rows: [['a'], ['1']] }],
    4: [
      { sheet: 'Two', rows: [['2']] },
      { sheet: 'Three', rows: [['y']] },
    ],
  }
  const read = (_name: string, { as, offset }: Input) =>
    as === 'record'
      ? { name: 'b.xlsx', mimeType: 'application/xlsx' }
      : {
          text: JSON.stringify({ sheets, parts: parts[offset as number] }),
          ...(offset !== 4 && { nextOffset: offset === 0 ? 1 : 4 }),
        }
  const code = `return files.readTable('b.xlsx', { sheet: 'Two' })`
  const { result, calls } = await run(code, read)
  expect(result).toEqual({ state: 'done', value: { columns: ['a'], rows: [{ a: '1' }, { a: '2' }] } })
  expect(calls.slice(1).map(([, { offset }]) => offset)).toEqual([0, 2, 4])
  expect((await run(`return files.readTable('b.xlsx', { sheet: 'Four' })`, read)).result).toMatchObject({
    error: { message: 'Error: There is no sheet Four. Sheets: One, Two, Three' },
  })
})

test.each(['line', 'bar', 'scatter'])('charts.%s draws numbers, with names as text', async (kind) => {
  const code = `return charts.${kind}([{ x: 1, '<b>': 2, y: 4 }, { x: 3, '<b>': 5, y: 1 }], { title: '<script>' })`
  const { result } = await run(code)
  const { svg } = (result as { value: { svg: string } }).value
  expect(svg).toMatch(/^<svg[\s\S]*<\/svg>$/)
  expect(svg).toContain('&#60;script&#62;')
  expect(svg).not.toMatch(/<script|<b>|NaN/)
})

test('charts write a file and a block by the agent’s tools', async () => {
  const code = `return charts.bar([{ month: 'May', total: 3 }], { title: 'Totals', name: 'totals', block: true })`
  const { result, calls } = await run(code, (name) =>
    name === 'write_file' ? { id: 'f1', name: 'totals.svg' } : {},
  )
  expect(result).toEqual({ state: 'done', value: { id: 'f1', name: 'totals.svg' } })
  expect(calls.map(([name, input]) => [name, input.name ?? input.create[0].fileId])).toEqual([
    ['write_file', 'totals.svg'],
    ['edit_canvas', 'f1'],
  ])
})
