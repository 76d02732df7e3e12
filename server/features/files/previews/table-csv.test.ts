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

describe('separated values', () => {
  test.each([
    ['commas', 'a,b,c\n1,2,3\n'],
    ['semicolons, with commas in the numbers', 'a;b;c\n1;2;3\n'],
    ['tabs', 'a\tb\tc\n1\t2\t3\n'],
    ['bars', 'a|b|c\n1|2|3\n'],
    ['lines of Windows', 'a,b,c\r\n1,2,3\r\n'],
    ['lines of old Macs', 'a,b,c\r1,2,3\r'],
    ['no end of the last line', 'a,b,c\n1,2,3'],
  ])('with %s', (_, text) => {
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

  test('semicolons win over the commas inside of numbers', () => {
    expect(render('name;price\nfox;1,50\nowl;2,25\n').rows[1]).toEqual(['fox', '1,50'])
  })

  test('tab-separated values are cut at tabs only', () => {
    expect(render('a,b\tc\n', 'text/tab-separated-values').rows).toEqual([['a,b', 'c']])
  })

  test('quotes keep delimiters, line breaks and quotes together', () => {
    expect(render('"a,b","c\nd","say ""hi"""\n1,2,3\n').rows).toEqual([
      ['a,b', 'c\nd', 'say "hi"'],
      ['1', '2', '3'],
    ])
  })

  test('a quote that is never closed lasts to the end', () => {
    expect(render('a,"b\nc,d').rows).toEqual([['a', 'b\nc,d']])
  })

  test('a quote inside of a cell is a character', () => {
    expect(render('5" pipe,x\n').rows).toEqual([['5" pipe', 'x']])
  })

  test('rows may differ in length; empty cells at the end of one are left out', () => {
    expect(render('a,b,c\n1\n\n1,2,3,4\n,,\n')).toMatchObject({
      rows: [['a', 'b', 'c'], ['1'], [], ['1', '2', '3', '4'], []],
      totalRows: 5,
      totalColumns: 4,
    })
  })

  test('an empty file is an empty table', () => {
    expect(render('')).toMatchObject({ rows: [], totalRows: 0, totalColumns: 0, truncated: false })
  })

  test('cells that a spreadsheet would take for formulas are the text they are', () => {
    const cells = ['=cmd|" /C calc"!A0', '+1', '-1', '@SUM(A1)']
    expect(render(`${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).rows).toEqual([
      cells,
    ])
  })
})

describe('of a large table the beginning is shown, and the truth is told of the rest', () => {
  test('500 rows', () => {
    const table = render('a,b\n'.repeat(100_000))
    expect([table.rows.length, table.totalRows, table.truncated]).toEqual([500, 100_000, true])
  })

  test('100 columns of a million', () => {
    const table = render(`${'x,'.repeat(999_999)}x\n`)
    expect([table.rows[0]!.length, table.totalColumns, table.truncated]).toEqual([100, 1_000_000, true])
  })

  test('2,000 characters of a line of 20 MB', () => {
    const table = render('x'.repeat(20_000_000))
    expect([table.rows[0]![0]!.length, table.totalRows, table.truncated]).toEqual([2000, 1, true])
  })

  test('a line of 20 MB in quotes, with quotes', () => {
    const table = render(`"${'""'.repeat(10_000_000)}"`)
    expect([table.rows[0]![0], table.totalRows]).toEqual(['"'.repeat(2000), 1])
  })

  test('no more than two million characters altogether', () => {
    const table = render(`${`${'x'.repeat(1000)},`.repeat(50)}\n`.repeat(400))
    expect(JSON.stringify(table.rows).length).toBeLessThan(2_100_000)
    expect([table.totalRows, table.truncated]).toEqual([400, true])
  })
})
