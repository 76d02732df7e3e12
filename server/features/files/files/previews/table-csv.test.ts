import { describe, expect, test } from 'vitest'
import type { RenderJob } from './job.ts'
import { renderCsv } from './table-csv.ts'

const JOB: RenderJob = {
  format: 'csv',
  mimeType: 'text/csv',
  language: null,
  isPartial: false,
  textBytesMax: 524_288,
}

function render(text: string, mimeType = 'text/csv') {
  const { sheets, truncated } = renderCsv(Buffer.from(text), { ...JOB, mimeType })
  return { ...sheets[0]!, truncated }
}

describe('renderCsv', () => {
  test.each([
    ['commas', 'a,b,c\n1,2,3\n'],
    ['semicolons', 'a;b;c\n1;2;3\n'],
    ['tabs', 'a\tb\tc\n1\t2\t3\n'],
    ['vertical bars', 'a|b|c\n1|2|3\n'],
    ['CRLF line ends', 'a,b,c\r\n1,2,3\r\n'],
    ['CR line ends', 'a,b,c\r1,2,3\r'],
    ['no line end after the last row', 'a,b,c\n1,2,3'],
  ])('reads a table with %s', (_, text) => {
    expect(render(text)).toMatchObject({
      rows: [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
      ],
      totalRows: 2,
      totalColumns: 3,
      truncated: false,
    })
  })

  test('prefers semicolons to commas inside numbers', () => {
    expect(render('name;price\nfox;1,50\nowl;2,25\n').rows[1]).toEqual(['fox', '1,50'])
  })

  test('splits tab-separated values at tabs only', () => {
    expect(render('a,b\tc\n', 'text/tab-separated-values').rows).toEqual([['a,b', 'c']])
  })

  test('reads delimiters, line breaks and escaped quotes inside quotes as content', () => {
    expect(render('"a,b","c\nd","say ""hi"""\n1,2,3\n').rows).toEqual([
      ['a,b', 'c\nd', 'say "hi"'],
      ['1', '2', '3'],
    ])
  })

  test("reads an unclosed quote to the file's end", () => {
    expect(render('a,"b\nc,d').rows).toEqual([['a', 'b\nc,d']])
  })

  test('reads a quote inside an unquoted cell as a character', () => {
    expect(render('5" pipe,x\n').rows).toEqual([['5" pipe', 'x']])
  })

  test('accepts rows with different lengths and omits trailing empty cells', () => {
    expect(render('a,b,c\n1\n\n1,2,3,4\n,,\n')).toMatchObject({
      rows: [['a', 'b', 'c'], ['1'], [], ['1', '2', '3', '4'], []],
      totalRows: 5,
      totalColumns: 4,
    })
  })

  test('reads an empty file as an empty table', () => {
    expect(render('')).toMatchObject({ rows: [], totalRows: 0, totalColumns: 0, truncated: false })
  })

  test('returns cells that look like formulas as text', () => {
    const cells = ['=cmd|" /C calc"!A0', '+1', '-1', '@SUM(A1)']
    expect(render(`${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).rows).toEqual([
      cells,
    ])
  })
})

describe("a large CSV file's preview", () => {
  test('contains 500 rows and the total row count', () => {
    const table = render('a,b\n'.repeat(100_000))
    expect([table.rows.length, table.totalRows, table.truncated]).toEqual([500, 100_000, true])
  })

  test('contains 100 out of a million columns and the total column count', () => {
    const table = render(`${'x,'.repeat(999_999)}x\n`)
    expect([table.rows[0]!.length, table.totalColumns, table.truncated]).toEqual([100, 1_000_000, true])
  })

  test('contains 2,000 characters from a 20 MB cell', () => {
    const table = render('x'.repeat(20_000_000))
    expect([table.rows[0]![0]!.length, table.totalRows, table.truncated]).toEqual([2000, 1, true])
  })

  test('contains 2,000 characters from a 4 MB cell with escaped quotes', () => {
    const table = render(`"${'""'.repeat(2_000_000)}"`)
    expect([table.rows[0]![0], table.totalRows]).toEqual(['"'.repeat(2000), 1])
  })

  test('contains at most about two million characters in total', () => {
    const table = render(`${`${'x'.repeat(1000)},`.repeat(50)}\n`.repeat(400))
    expect(JSON.stringify(table.rows).length).toBeLessThan(2_100_000)
    expect([table.totalRows, table.truncated]).toEqual([400, true])
  })
})
