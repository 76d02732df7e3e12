import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { DOCX, docxOf, type Part, paragraph, XLSX, zipOf } from '../../../testing/factories/preview-files.ts'
import type { Outcome, RenderJob } from './job.ts'
import { createRendererPool } from './renderer-pool.ts'

// As in the server, except that a busy machine gets more time.
const renderers = createRendererPool({ timeMs: 25_000 })
afterAll(() => renderers.close())

async function render(
  format: RenderJob['format'],
  content: Uint8Array | string,
  by = renderers,
): Promise<Outcome> {
  const mimeType = format === 'docx' ? DOCX : format === 'workbook' ? XLSX : 'text/plain'
  const job: RenderJob = { format, mimeType, language: null, isPartial: false, textBytesMax: 524_288 }
  return by.render('org', job, async () =>
    (async function* () {
      yield Buffer.from(content as string)
    })(),
  )
}

async function htmlOf(how: 'docx' | 'markdown', content: Uint8Array | string): Promise<string> {
  const outcome = await render(how, content)
  if ('failed' in outcome || outcome.preview.kind !== 'document') throw new Error(JSON.stringify(outcome))
  return outcome.preview.html
}

const ZEROS = Buffer.alloc(150_000_000)

describe('an archive', () => {
  const bombs: [string, () => Part[]][] = [
    ['that is a bomb', () => [{ name: 'xl/worksheets/sheet1.xml', content: ZEROS }]],
    [
      'that is a bomb and lies about it',
      () => [{ name: 'word/document.xml', content: ZEROS, claimedBytes: 100 }],
    ],
    [
      'whose parts are small and too many together',
      () =>
        Array.from({ length: 30 }, (_, n) => ({
          name: `xl/${n}.xml`,
          content: ZEROS.subarray(0, 5_000_000),
        })),
    ],
    [
      'of very many entries',
      () => Array.from({ length: 25_001 }, (_, n) => ({ name: `xl/${n}.xml`, content: '' })),
    ],
  ]
  test.each(bombs)('%s is too complex', async (_, parts) => {
    const bomb = zipOf(parts())
    expect(bomb.length).toBeLessThan(26_214_400)
    expect(await render('workbook', bomb)).toEqual({ failed: 'too_complex' })
    expect(await render('docx', bomb)).toEqual({ failed: 'too_complex' })
  })

  test('inside of an archive is not opened', async () => {
    const inner = zipOf([{ name: 'word/document.xml', content: ZEROS }])
    const html = await htmlOf(
      'docx',
      docxOf(paragraph('calm'), { parts: [{ name: 'word/inner.zip', content: inner }] }),
    )
    expect(html).toBe('<p>calm</p>')
  })

  test('with a password is encrypted', async () => {
    const zip = zipOf([{ name: 'word/document.xml', content: 'x', isEncrypted: true }])
    expect(await render('docx', zip)).toEqual({ failed: 'encrypted' })
  })

  test('with two parts of one name is broken', async () => {
    const part = { name: 'word/document.xml', content: 'x' }
    expect(await render('docx', zipOf([part, part]))).toEqual({ failed: 'broken' })
  })

  test('around an encrypted document is encrypted', async () => {
    const compound = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(2000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    expect(await render('docx', compound)).toEqual({ failed: 'encrypted' })
  })
})

describe('XML in a document', () => {
  test('that is nested 100,000 deep is too complex', async () => {
    const deep = '<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000)
    expect(await render('docx', docxOf(deep))).toEqual({ failed: 'too_complex' })
  })

  test('that declares entities is too complex', async () => {
    const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>`
    const parts = [{ name: 'word/styles.xml', content: laughs }]
    expect(await render('docx', docxOf(paragraph('x'), { parts }))).toEqual({ failed: 'too_complex' })
  })

  test('that ends in the middle is broken', async () => {
    expect(await render('docx', docxOf('<w:p><w:r><w:t>half'))).toEqual({ failed: 'broken' })
  })
})

describe('a document in Word', () => {
  const picture = (id: string, how: 'embed' | 'link') =>
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="n" descr="A fox"/><a:graphic><a:graphicData uri="u"><pic:pic><pic:blipFill><a:blip r:${how}="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const relationship = (id: string, type: string, target: string, mode = '') =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" ${mode}/>`

  test('is paragraphs, with markup in its text as text', async () => {
    const html = await htmlOf(
      'docx',
      docxOf(paragraph('Grüße') + paragraph('&lt;script&gt;alert(1)&lt;/script&gt;')),
    )
    expect(html).toBe('<p>Grüße</p><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  })

  test('has links to other sites only', async () => {
    const link = (id: string) =>
      `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${id}</w:t></w:r></w:hyperlink></w:p>`
    const targets = {
      good: 'https://example.com/',
      bad: 'javascript:alert(1)',
      near: '/settings',
      file: 'file:///etc/passwd',
    }
    const relationships = Object.entries(targets)
      .map(([id, target]) => relationship(id, 'hyperlink', target, 'TargetMode="External"'))
      .join('')
    const html = await htmlOf('docx', docxOf(Object.keys(targets).map(link).join(''), { relationships }))
    expect(html).toBe(
      '<p><a href="https://example.com/" rel="noopener noreferrer nofollow" target="_blank">good</a></p><p><a>bad</a></p><p><a>near</a></p><p><a>file</a></p>',
    )
  })

  test('shows its own pictures, as data', async () => {
    const relationships = relationship('p', 'image', 'media/fox.png')
    const parts = [{ name: 'word/media/fox.png', content: 'pixels' }]
    const html = await htmlOf('docx', docxOf(picture('p', 'embed'), { relationships, parts }))
    expect(html).toContain(`src="data:image/png;base64,${Buffer.from('pixels').toString('base64')}"`)
    expect(html).toContain('alt="A fox"')
  })

  test.each([
    ['that can run', 'media/fox.svg', 'embed', ''],
    ['of another site', 'https://example.com/fox.png', 'link', 'TargetMode="External"'],
    ['of this machine', 'file:///etc/passwd', 'link', 'TargetMode="External"'],
  ] as const)('shows no picture %s', async (_, target, how, mode) => {
    const relationships = relationship('p', 'image', target, mode)
    const parts = [{ name: 'word/media/fox.svg', content: '<svg onload="alert(1)"/>' }]
    const body = paragraph('calm') + picture('p', how)
    const outcome = await render('docx', docxOf(body, { relationships, parts }))
    expect(JSON.stringify(outcome)).not.toMatch(/<img|svg|example\.com|passwd/)
    expect(outcome).toMatchObject({ preview: { html: expect.stringContaining('calm') } })
  })

  test('of a picture too large shows the rest', async () => {
    const relationships = relationship('p', 'image', 'media/fox.png')
    const parts = [{ name: 'word/media/fox.png', content: Buffer.alloc(600_000, 1) }]
    const outcome = await render(
      'docx',
      docxOf(paragraph('calm') + picture('p', 'embed'), { relationships, parts }),
    )
    expect(outcome).toMatchObject({ preview: { truncated: true, html: expect.not.stringContaining('<img') } })
  })

  test('of great length is cut, and ends as HTML should', async () => {
    const outcome = await render('docx', docxOf(paragraph('so many words '.repeat(500)).repeat(200)))
    const { html, truncated } = (outcome as { preview: { html: string; truncated: boolean } }).preview
    expect([truncated, html.length <= 524_288, html.endsWith('</p>')]).toEqual([true, true, true])
  })
})

describe('Markdown', () => {
  test('is headings, lists, tables and code', async () => {
    const html = await htmlOf(
      'markdown',
      '# Foxes\n\n* **red**\n\n| a |\n|---|\n| 1 |\n\n```js\nlet a = "<b>"\n```\n',
    )
    for (const part of ['<h1>Foxes</h1>', '<strong>red</strong>', '<td>1</td>', 'let a = "&lt;b&gt;"'])
      expect(html.replaceAll('&quot;', '"')).toContain(part)
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt&colon;alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](https://example.com/tracker.png)',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '<a href="vbscript:x" onclick="x">x</a>',
    '[x](/api/v1/files)',
    '[x](//example.com)',
  ])('runs nothing, loads nothing: %s', async (source) => {
    const html = await htmlOf('markdown', `before\n\n${source}\n\nafter`)
    expect(html).toContain('before')
    expect(html).toContain('after')
    // Whatever tags are there are these, without attributes.
    expect(html.replace(/<\/?(p|a)>/g, '')).not.toMatch(/[<>]/)
  })

  test.each([
    ['brackets', '['.repeat(200_000)],
    ['emphasis', '*a **a '.repeat(40_000)],
    ['quotes', '>'.repeat(100_000)],
    ['lists', Array.from({ length: 1500 }, (_, n) => `${' '.repeat(n * 2)}* a`).join('\n')],
    ['back ticks', Array.from({ length: 1000 }, (_, n) => '`'.repeat(n)).join(' ')],
    ['links', '[a](<b'.repeat(50_000)],
  ])('that is heavy on %s is shown or refused, and the next file is read', async (_, source) => {
    const outcome = await render('markdown', source)
    expect(['preview', 'failed']).toContain(Object.keys(outcome)[0])
    expect(await render('text', 'next')).toMatchObject({ preview: { text: 'next' } })
  })
})

describe('a PDF', () => {
  const pdfOf = (objects: string[], trailer = ''): string =>
    `%PDF-1.4\n${objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} ${trailer}>>\n`
  const page = (parent: number, content: number, font: number) =>
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 200 200] /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`
  const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
  const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
  const words = stream('BT /F1 12 Tf 10 100 Td (Hello foxes) Tj ET')
  const onePage = (count: string) => [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`,
    page(2, 4, 5),
    words,
    FONT,
  ]

  test('is its text and its number of pages', async () => {
    expect(await render('pdf', pdfOf(onePage('1')))).toEqual({
      preview: {
        kind: 'text',
        mimeType: 'text/plain',
        truncated: false,
        text: 'Hello foxes',
        language: null,
        pages: 1,
      },
    })
  })

  test('that claims a billion pages is not believed', async () => {
    const outcome = await render('pdf', pdfOf(onePage('1000000000')))
    expect(outcome).not.toMatchObject({ preview: { pages: 1_000_000_000 } })
  })

  test('of 3,000 pages is read in part', async () => {
    const kids = Array.from({ length: 3000 }, (_, n) => `${n + 5} 0 R`).join(' ')
    const tree = `<< /Type /Pages /Kids [${kids}] /Count 3000 >>`
    const pages = Array.from({ length: 3000 }, () => page(2, 3, 4))
    const outcome = await render(
      'pdf',
      pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', tree, words, FONT, ...pages]),
    )
    expect(outcome).toMatchObject({ preview: { pages: 3000, truncated: true } })
  })

  test.runIf(process.platform === 'linux')('that swells without end is too complex', async () => {
    const swelling = deflateSync(deflateSync(ZEROS)).toString('latin1')
    const content = `<< /Length ${swelling.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${swelling}\nendstream`
    const [catalog, tree, only, , font] = onePage('1')
    const bytes = Buffer.from(pdfOf([catalog!, tree!, only!, content, font!]), 'latin1')
    const modest = createRendererPool({ timeMs: 25_000, residentBytes: 180_000_000 })
    onTestFinished(() => modest.close())
    expect(bytes.length).toBeLessThan(10_000)
    expect(await render('pdf', pdfOf(onePage('1')), modest)).toHaveProperty('preview')
    expect(await render('pdf', bytes, modest)).toEqual({ failed: 'too_complex' })
  })

  test.each([
    ['of nothing', ''],
    ['of text', 'no PDF at all'],
    ['cut off', pdfOf(onePage('1')).slice(0, 60)],
  ])('%s is broken', async (_, bytes) => expect(await render('pdf', bytes)).toEqual({ failed: 'broken' }))

  test('with a password is encrypted', async () => {
    const key = `<${'41'.repeat(32)}>`
    const encryption = `<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -44 >>`
    const trailer =
      '/Encrypt 6 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] '
    expect(await render('pdf', pdfOf([...onePage('1'), encryption], trailer))).toEqual({
      failed: 'encrypted',
    })
  })
})
