import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDocx, DOCX, paragraph, XLSX } from '../../../../testing/factories/preview-files.ts'
import { type RawEntry, rawZip } from '../../../../testing/factories/raw-zip.ts'
import type { Outcome, RenderJob } from './job.ts'
import { createRendererPool } from './renderer-pool.ts'

// The server's settings, except for a longer time limit for a loaded machine.
const renderers = createRendererPool({ timeMs: 25_000 })
afterAll(() => renderers.close())

async function render(
  format: RenderJob['format'],
  content: Uint8Array | string,
  pool = renderers,
): Promise<Outcome> {
  const mimeType = format === 'docx' ? DOCX : format === 'workbook' ? XLSX : 'text/plain'
  const job: RenderJob = { format, mimeType, language: null, isPartial: false, textBytesMax: 524_288 }
  return pool.render('org', job, async () =>
    (async function* () {
      yield Buffer.from(content as string)
    })(),
  )
}

async function htmlOf(format: 'docx' | 'markdown', content: Uint8Array | string): Promise<string> {
  const outcome = await render(format, content)
  if ('failed' in outcome || outcome.preview.kind !== 'document') throw new Error(JSON.stringify(outcome))
  return outcome.preview.html
}

const ZEROS = Buffer.alloc(150_000_000)

describe('a ZIP archive', () => {
  const bombs: [string, () => RawEntry[]][] = [
    ['with a part of 150 MB', () => [{ name: 'xl/worksheets/sheet1.xml', content: ZEROS }]],
    [
      'with a part of 150 MB that declares 100 bytes',
      () => [{ name: 'word/document.xml', content: ZEROS, size: 100 }],
    ],
    [
      'with 30 parts of 5 MB',
      () =>
        Array.from({ length: 30 }, (_, n) => ({
          name: `xl/${n}.xml`,
          content: ZEROS.subarray(0, 5_000_000),
        })),
    ],
    [
      'with 25,001 entries',
      () => Array.from({ length: 25_001 }, (_, n) => ({ name: `xl/${n}.xml`, content: '' })),
    ],
  ]
  test.each(bombs)('is rejected as too complex: %s', async (_, parts) => {
    const bomb = rawZip(parts())
    expect(bomb.length).toBeLessThan(26_214_400)
    expect(await render('workbook', bomb)).toEqual({ failed: 'too_complex' })
    expect(await render('docx', bomb)).toEqual({ failed: 'too_complex' })
  })

  test('is not opened inside another archive', async () => {
    const inner = rawZip([{ name: 'word/document.xml', content: ZEROS }])
    const html = await htmlOf(
      'docx',
      createDocx(paragraph('calm'), { parts: [{ name: 'word/inner.zip', content: inner }] }),
    )
    expect(html).toBe('<p>calm</p>')
  })

  test('is rejected as encrypted if it has a password', async () => {
    const zip = rawZip([{ name: 'word/document.xml', content: 'x', isEncrypted: true }])
    expect(await render('docx', zip)).toEqual({ failed: 'encrypted' })
  })

  test('is rejected as broken if two parts have the same name', async () => {
    const part = { name: 'word/document.xml', content: 'x' }
    expect(await render('docx', rawZip([part, part]))).toEqual({ failed: 'broken' })
  })

  test("is rejected as encrypted if it's an encrypted compound file", async () => {
    const compound = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(2000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    expect(await render('docx', compound)).toEqual({ failed: 'encrypted' })
  })
})

describe('Word document XML', () => {
  test('is rejected as too complex when nested 100,000 levels deep', async () => {
    const deep = '<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000)
    expect(await render('docx', createDocx(deep))).toEqual({ failed: 'too_complex' })
  })

  test('is rejected as too complex when it declares entities', async () => {
    const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>`
    const parts = [{ name: 'word/styles.xml', content: laughs }]
    expect(await render('docx', createDocx(paragraph('x'), { parts }))).toEqual({ failed: 'too_complex' })
  })

  test('is rejected as broken when truncated', async () => {
    expect(await render('docx', createDocx('<w:p><w:r><w:t>half'))).toEqual({ failed: 'broken' })
  })
})

describe('a Word document preview', () => {
  const picture = (id: string, attribute: 'embed' | 'link') =>
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="n" descr="A fox"/><a:graphic><a:graphicData uri="u"><pic:pic><pic:blipFill><a:blip r:${attribute}="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const relationship = (id: string, type: string, target: string, mode = '') =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" ${mode}/>`

  test('contains its paragraphs with markup escaped', async () => {
    const html = await htmlOf(
      'docx',
      createDocx(paragraph('Grüße') + paragraph('&lt;script&gt;alert(1)&lt;/script&gt;')),
    )
    expect(html).toBe('<p>Grüße</p><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  })

  test('contains only links to web URLs', async () => {
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
    const html = await htmlOf('docx', createDocx(Object.keys(targets).map(link).join(''), { relationships }))
    expect(html).toBe(
      '<p><a href="https://example.com/" rel="noopener noreferrer nofollow" target="_blank">good</a></p><p><a>bad</a></p><p><a>near</a></p><p><a>file</a></p>',
    )
  })

  test('contains embedded images as data URLs', async () => {
    const relationships = relationship('p', 'image', 'media/fox.png')
    const parts = [{ name: 'word/media/fox.png', content: 'pixels' }]
    const html = await htmlOf('docx', createDocx(picture('p', 'embed'), { relationships, parts }))
    expect(html).toContain(`src="data:image/png;base64,${Buffer.from('pixels').toString('base64')}"`)
    expect(html).toContain('alt="A fox"')
  })

  test.each([
    ['SVG', 'media/fox.svg', 'embed', ''],
    ['remote', 'https://example.com/fox.png', 'link', 'TargetMode="External"'],
    ['local', 'file:///etc/passwd', 'link', 'TargetMode="External"'],
  ] as const)('omits a picture that is %s', async (_, target, attribute, mode) => {
    const relationships = relationship('p', 'image', target, mode)
    const parts = [{ name: 'word/media/fox.svg', content: '<svg onload="alert(1)"/>' }]
    const body = paragraph('calm') + picture('p', attribute)
    const outcome = await render('docx', createDocx(body, { relationships, parts }))
    expect(JSON.stringify(outcome)).not.toMatch(/<img|svg|example\.com|passwd/)
    expect(outcome).toMatchObject({ preview: { html: expect.stringContaining('calm') } })
  })

  test('omits an image that is too large and is marked as truncated', async () => {
    const relationships = relationship('p', 'image', 'media/fox.png')
    const parts = [{ name: 'word/media/fox.png', content: Buffer.alloc(600_000, 1) }]
    const outcome = await render(
      'docx',
      createDocx(paragraph('calm') + picture('p', 'embed'), { relationships, parts }),
    )
    expect(outcome).toMatchObject({ preview: { truncated: true, html: expect.not.stringContaining('<img') } })
  })

  test('is rejected as too complex over 16 MB of XML', async () => {
    const document = createDocx(paragraph('x'.repeat(1000)).repeat(17_000))
    expect(await render('docx', document)).toEqual({ failed: 'too_complex' })
  })

  test('truncates a long document at a closing tag', async () => {
    const outcome = await render('docx', createDocx(paragraph('so many words '.repeat(500)).repeat(200)))
    const { html, truncated } = (outcome as { preview: { html: string; truncated: boolean } }).preview
    expect([truncated, html.length <= 524_288, html.endsWith('</p>')]).toEqual([true, true, true])
  })
})

describe('a Markdown preview', () => {
  test('contains headings, lists, tables and code', async () => {
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
  ])('contains no script, attribute or remote resource for %s', async (source) => {
    const html = await htmlOf('markdown', `before\n\n${source}\n\nafter`)
    expect(html).toContain('before')
    expect(html).toContain('after')
    // Only these tags remain, without attributes.
    expect(html.replace(/<\/?(p|a)>/g, '')).not.toMatch(/[<>]/)
  })

  test.each([
    ['brackets', '['.repeat(200_000), `<p>${'['.repeat(200_000)}</p>`],
    ['emphasis', '*a **a '.repeat(40_000), `<p>${'*a **a '.repeat(39_999)}`],
    ['quotes', '>'.repeat(100_000), '<blockquote>\n'.repeat(20)],
    [
      'nested lists',
      Array.from({ length: 1500 }, (_, n) => `${' '.repeat(n * 2)}* a`).join('\n'),
      '<ul>\n<li>a\n'.repeat(19),
    ],
    ['backticks', Array.from({ length: 1000 }, (_, n) => '`'.repeat(n)).join(' '), '<p>` `` ``` ````'],
    ['links', '[a](<b'.repeat(50_000), `<p>${'[a](&lt;b'.repeat(50_000)}</p>`],
  ])('contains excessive %s', async (_, source, beginning) => {
    const html = await htmlOf('markdown', source)
    expect(html.slice(0, beginning.length)).toBe(beginning)
  })

  test.each([
    ['8,000 characters', 'x'.repeat(8000)],
    ['500 marks', '['.repeat(500)],
  ])('shows a paragraph with more than %s as plain text, and parses the others', async (_, long) => {
    const html = await htmlOf('markdown', `**short**\n\n**long** ${long}\n\n**end**`)
    const plain = `<p>**long** ${long}</p>`
    expect(html.trim().split('\n')).toEqual([
      '<p><strong>short</strong></p>',
      plain,
      '<p><strong>end</strong></p>',
    ])
  })
})

describe('a PDF preview', () => {
  const pdfOf = (objects: string[], trailer = ''): string =>
    `%PDF-1.4\n${objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} ${trailer}>>\n`
  const page = (parent: number, content: number, font: number) =>
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 200 200] /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`
  const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
  const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
  const text = stream('BT /F1 12 Tf 10 100 Td (Hello foxes) Tj ET')
  const onePage = (count: string) => [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`,
    page(2, 4, 5),
    text,
    FONT,
  ]

  test('contains its text and page count', async () => {
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

  test("doesn't report a declared count of a billion pages", async () => {
    const outcome = await render('pdf', pdfOf(onePage('1000000000')))
    expect(outcome).not.toMatchObject({ preview: { pages: 1_000_000_000 } })
  })

  test('is truncated for 3,000 pages', async () => {
    const kids = Array.from({ length: 3000 }, (_, n) => `${n + 5} 0 R`).join(' ')
    const tree = `<< /Type /Pages /Kids [${kids}] /Count 3000 >>`
    const pages = Array.from({ length: 3000 }, () => page(2, 3, 4))
    const outcome = await render(
      'pdf',
      pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', tree, text, FONT, ...pages]),
    )
    expect(outcome).toMatchObject({ preview: { pages: 3000, truncated: true } })
  })

  test.runIf(process.platform === 'linux')('fails as too complex for a decompression bomb', async () => {
    const bomb = deflateSync(deflateSync(ZEROS)).toString('latin1')
    const content = `<< /Length ${bomb.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${bomb}\nendstream`
    const [catalog, tree, only, , font] = onePage('1')
    const bytes = Buffer.from(pdfOf([catalog!, tree!, only!, content, font!]), 'latin1')
    const smallPool = createRendererPool({ timeMs: 25_000, residentBytes: 180_000_000 })
    onTestFinished(() => smallPool.close())
    expect(bytes.length).toBeLessThan(10_000)
    expect(await render('pdf', pdfOf(onePage('1')), smallPool)).toHaveProperty('preview')
    expect(await render('pdf', bytes, smallPool)).toEqual({ failed: 'too_complex' })
  })

  test.each([
    ['an empty file', ''],
    ['text', 'no PDF at all'],
    ['a truncated file', pdfOf(onePage('1')).slice(0, 60)],
  ])('fails as broken for %s', async (_, bytes) =>
    expect(await render('pdf', bytes)).toEqual({ failed: 'broken' }),
  )

  test('fails as encrypted for a password-protected file', async () => {
    const key = `<${'41'.repeat(32)}>`
    const encryption = `<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -44 >>`
    const trailer =
      '/Encrypt 6 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] '
    expect(await render('pdf', pdfOf([...onePage('1'), encryption], trailer))).toEqual({
      failed: 'encrypted',
    })
  })
})
