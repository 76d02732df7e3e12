import { afterAll, describe, expect, test } from 'vitest'
import type { ExtractedText } from '../../../../../../markdown/text-blocks.ts'
import { createDocx, createPptx, paragraph } from '../../../../../testing/factories/preview-files.ts'
import { rawZip } from '../../../../../testing/factories/raw-zip.ts'
import type { ExtractOutcome, RenderJob } from '../job.ts'
import { createPool } from '../renderer-pool.ts'

// In the renderer's process, which can read no other code.
const renderers = createPool<RenderJob, ExtractOutcome>({ timeMs: 25_000 })
afterAll(() => renderers.close())

function extract(
  format: NonNullable<RenderJob['extract']>,
  content: Uint8Array | string,
  textBytesMax = 1_000_000,
) {
  const job: RenderJob = {
    format: 'text',
    extract: format,
    mimeType: 'text/plain',
    language: null,
    isPartial: false,
    textBytesMax,
  }
  return renderers.render('org', job, async () =>
    (async function* () {
      yield Buffer.from(content as string)
    })(),
  )
}

async function partsOf(...input: Parameters<typeof extract>) {
  const outcome = await extract(...input)
  if ('failed' in outcome) throw new Error(outcome.failed)
  const { text, blocks } = outcome.extracted
  const parts = blocks.map(({ from, to, ...place }) => ({ text: text.slice(from, to), ...place }))
  return { ...outcome.extracted, parts }
}

test('Markdown has headings with their level, but none in code', async () => {
  const { parts } = await partsOf('markdown', '# One\ntext\n\n```\n# not\n\nmore\n```\n## Two ##\nend')
  expect(parts).toEqual([
    { text: 'One', level: 1 },
    { text: 'text\n' },
    { text: '```\n# not\n\nmore\n```\n' },
    { text: 'Two ##', level: 2 },
    { text: 'end' },
  ])
})

test('HTML has headings, rows with their header, and no scripts', async () => {
  const { parts } = await partsOf(
    'html',
    '<h1>Prices</h1><script>alert(1)</script><p>All&nbsp;in &euro;<br>net</p><table><tr><th>Item</th><th>Price</th></tr><tr><td>Oak</td><td><p>12</p></td></tr></table>',
  )
  expect(parts).toEqual([
    { text: 'Prices', level: 1 },
    { text: 'All in €\nnet' },
    { text: 'Item | Price', isRow: true },
    { text: 'Oak | 12', isRow: true, context: 'Item | Price' },
  ])
})

test('an email has its subject, people and date, and the plain text rather than HTML', async () => {
  const { text, parts } = await partsOf(
    'email',
    [
      'From: =?utf-8?q?J=C3=B6rg?= <joerg@example.com>',
      'To: ada@example.com',
      'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
      'Date: Thu, 19 Nov 2026 10:00:00 +0100',
      'Content-Type: multipart/alternative; boundary="x y"',
      '',
      '--x y',
      'Content-Type: text/html',
      '',
      '<p>HTML</p>',
      '--x y',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Sch=F6ne Gr=FC=',
      '=DFe',
      '--x y',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename=a.txt',
      '',
      'attached',
      '--x y--',
    ].join('\r\n'),
  )
  expect(parts[0]).toEqual({ text: 'Grüße', level: 1 })
  expect(parts[1]!.text).toBe(
    'From: Jörg <joerg@example.com>\nTo: ada@example.com\nDate: Thu, 19 Nov 2026 10:00:00 +0100',
  )
  expect(parts[2]!.text.trim()).toBe('Schöne Grüße')
  expect(text).not.toMatch(/HTML|attached/)
})

test('rows of a table have the header row, beyond the rows of a preview', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `${n},name ${n}`)
  const { parts, truncated } = await partsOf('csv', `id,name\n${rows.join('\n')}`)
  expect(parts).toHaveLength(3001)
  expect(parts.at(-1)).toEqual({ text: '2999 | name 2999', isRow: true, context: 'id | name' })
  expect(truncated).toBe(false)
})

test('a presentation has slides, and a document paragraphs', async () => {
  const slide = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  const deck = await partsOf('pptx', createPptx([slide('First'), slide('Second')]))
  expect(deck.parts).toEqual([
    { text: 'First', page: 1 },
    { text: 'Second', page: 2 },
  ])
  expect(deck.pages).toBe(2)
  const document = await partsOf('docx', createDocx(paragraph('Hello')))
  expect(document.parts).toEqual([{ text: 'Hello' }])
})

/** One line per page, without a table of references: readers rebuild it. */
function createPdf(pages: string[]): string {
  const kids = pages.map((_, n) => `${10 + 2 * n} 0 R`).join(' ')
  const objects = pages.map((text, n) => {
    const content = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`
    return `${10 + 2 * n} 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${11 + 2 * n} 0 R>>\nendobj\n${11 + 2 * n} 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`
  })
  return `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>\nendobj\n3 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n${objects.join('')}trailer\n<</Root 1 0 R>>\n%%EOF`
}

test('a PDF has pages', async () => {
  const { parts, pages, truncated } = await partsOf('pdf', createPdf(['First page', 'Second page']))
  expect(parts).toEqual([
    { text: 'First page', page: 1 },
    { text: 'Second page', page: 2 },
  ])
  expect([pages, truncated]).toEqual([2, false])
})

test('a PDF’s first pages are read within a renderer’s limits, at most 5,000, and it says how many', async () => {
  const { parts, pages, truncated } = await partsOf(
    'pdf',
    createPdf(Array.from({ length: 5010 }, (_, n) => `This is page ${n + 1}`)),
  )
  expect(parts.length).toBe(pages)
  expect(parts.at(-1)).toEqual({ text: `This is page ${pages}`, page: pages })
  expect([pages! <= 5000, truncated]).toEqual([true, true])
}, 60_000)

describe('hostile files', () => {
  test('a ZIP bomb is refused', async () => {
    const bomb = rawZip([{ name: 'word/document.xml', content: Buffer.alloc(150_000_000) }])
    expect(await extract('docx', bomb)).toEqual({ failed: 'too_complex' })
  })

  test('broken headers, boundaries and encodings end, and have the text that can be read', async () => {
    const nested = Array.from(
      { length: 200 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
    )
    expect((await partsOf('email', nested.join(''))).parts.length).toBeGreaterThan(0)
    expect((await partsOf('email', 'Subject: =?nope?q?=ZZ?=\n\nbody')).text).toContain('body')
    expect((await partsOf('html', '<'.repeat(20_000))).truncated).toBe(false)
  })

  test('a file of empty lines, rows or headings has no more parts than the server can hold', async () => {
    const paragraphs = await partsOf('text', 'a\n\n'.repeat(60_000))
    expect([paragraphs.parts.length, paragraphs.truncated]).toEqual([1, false])
    const rows = await partsOf(
      'html',
      `<table>${'<tr><td>one<td>two</tr>'.repeat(60_000)}</table>`,
      4_000_000,
    )
    expect(rows.parts.length).toBeLessThan(50_000)
    expect([rows.parts[1]?.context, rows.truncated]).toEqual(['one | two', false])
    const headings = await partsOf('markdown', '# a\n'.repeat(60_000))
    expect([headings.parts.length, headings.truncated]).toEqual([50_000, true])
  })

  test('a long text is cut on a character, and says so', async () => {
    const { text, truncated }: ExtractedText = await partsOf('text', '€'.repeat(1000), 100)
    expect([text, truncated]).toEqual(['€'.repeat(33), true])
  })
})
