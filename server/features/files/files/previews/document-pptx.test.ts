import { expect, test } from 'vitest'
import { createPptx, PPTX } from '../../../../testing/factories/preview-files.ts'
import { rawZip } from '../../../../testing/factories/raw-zip.ts'
import { renderPptx } from './document-pptx.ts'

const render = (bytes: Uint8Array) =>
  renderPptx(bytes, {
    format: 'pptx',
    mimeType: PPTX,
    language: null,
    isPartial: false,
    textBytesMax: 524_288,
  })
const htmlOf = async (bytes: Uint8Array) => (await render(bytes)).html

const title = (text: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const text = (content: string, properties = '') =>
  `<p:sp><p:txBody><a:p>${properties}<a:r><a:t>${content}</a:t></a:r></a:p></p:txBody></p:sp>`

test("shows titles, text and lists in the presentation's order", async () => {
  const bullet = '<a:pPr><a:buChar char="•"/></a:pPr>'
  const deck = createPptx(
    [title('Second'), title('First') + text('Intro') + text('One', bullet) + text('Two', bullet)],
    { order: [2, 1] },
  )
  expect(await htmlOf(deck)).toBe(
    '<section><h2>First</h2><p>Intro</p><ul><li>One</li><li>Two</li></ul></section><section><h2>Second</h2></section>',
  )
})

test('shows tables and pictures, and leaves hidden slides out', async () => {
  const table =
    '<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p/></a:txBody></a:tc></a:tr></a:tbl>'
  const picture = '<p:pic><p:blipFill><a:blip r:embed="rId9"/></p:blipFill></p:pic>'
  const deck = createPptx(
    [table + picture, '<p:sld show="0"><a:p><a:r><a:t>secret</a:t></a:r></a:p></p:sld>'],
    {
      relationships: '<Relationship Id="rId9" Type="image" Target="../media/image1.png"/>',
      parts: [{ name: 'ppt/media/image1.png', content: 'PNG' }],
    },
  )
  expect(await htmlOf(deck)).toBe(
    `<section><table><tr><td>A</td><td></td></tr></table><img src="data:image/png;base64,${Buffer.from('PNG').toString('base64')}" alt="" /></section>`,
  )
})

test.each([['https://evil.example/p.png'], ['../../../etc/passwd'], ['../media/missing.png']])(
  'loads nothing from the target %s',
  async (target) => {
    const relationships = `<Relationship Id="rId9" Type="image" Target="${target}" TargetMode="External"/>`
    const deck = createPptx(['<a:blip r:embed="rId9"/>'], { relationships })
    expect(await htmlOf(deck)).toBe('<section></section>')
  },
)

test('keeps markup in texts as text', async () => {
  const deck = createPptx([text('&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;')])
  expect(await htmlOf(deck)).toBe(
    '<section><p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;</p></section>',
  )
})

test.each([
  ['broken', () => Buffer.from('PK\x03\x04 no zip')],
  ['broken', () => Buffer.from('no zip')],
  ['broken', () => rawZip([{ name: 'ppt/presentation.xml', content: '<p:presentation/>' }])],
  ['too_complex', () => createPptx(['<a:x>'.repeat(300)])],
  ['too_complex', () => createPptx(['<!DOCTYPE x [<!ENTITY a "b">]>'])],
  ['too_complex', () => createPptx([' '.repeat(20_000_000)])],
])('is %s for a hostile file', async (reason, bytes) => {
  await expect(render(bytes())).rejects.toMatchObject({ message: reason })
})

test('says that the preview is incomplete after 200 slides', async () => {
  const preview = await render(createPptx(Array.from({ length: 201 }, (_, n) => title(`Slide ${n}`))))
  expect(preview.truncated).toBe(true)
  expect(preview.html.match(/<section>/g)).toHaveLength(200)
})
