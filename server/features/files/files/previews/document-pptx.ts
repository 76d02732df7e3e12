import { posix } from 'node:path'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { checkXml, detectContainer } from './office-file.ts'
import { collectPictures } from './pictures.ts'
import { sanitizeHtml } from './sanitize.ts'
import { readZip } from './zip-parts.ts'

const XML_BYTES_MAX = 16_777_216
const SLIDES_MAX = 200

/** One section per slide: title, text, tables and pictures in the slide's order. Hidden slides are omitted. */
export async function renderPptx(bytes: Uint8Array, job: RenderJob): Promise<Preview<'document'>> {
  if (detectContainer(bytes) !== 'zip') throw new PreviewError('broken')
  const parts = partsOf(bytes)
  const slides = slideNames(parts)
  if (slides.length === 0) throw new PreviewError('broken')
  const pictures = collectPictures()
  const sections: string[] = []
  for (const name of slides.slice(0, SLIDES_MAX)) {
    const xml = textOf(parts, name)
    if (/<p:sld\b[^<>]*\sshow="(?:0|false)"/.test(xml)) continue
    const relations = relationsOf(parts, name)
    sections.push(
      await renderSlide(xml, async (id) => {
        const target = relations.get(id)
        const content = target === undefined ? undefined : parts.get(target)
        const type = IMAGE_TYPES.get(posix.extname(target ?? '').toLowerCase())
        return content && type ? pictures.add(type, async () => content.toString('base64')) : ''
      }),
    )
  }
  const { html, isTruncated } = sanitizeHtml(sections.join(''), job.textBytesMax)
  return {
    kind: 'document',
    mimeType: job.mimeType,
    truncated: isTruncated || pictures.isTruncated() || slides.length > SLIDES_MAX,
    html: pictures.insertInto(html),
  }
}

type Parts = ReadonlyMap<string, Buffer>

const IMAGE_TYPES = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
])

function partsOf(bytes: Uint8Array): Parts {
  const parts = readZip(bytes, (name) =>
    /^ppt\/(presentation\.xml|_rels\/presentation\.xml\.rels|slides\/(_rels\/)?[^/]+\.(xml|rels)|media\/)/i.test(
      name,
    ),
  )
  const documents = parts.filter(({ name }) => /\.(xml|rels)$/i.test(name))
  const bytesTotal = documents.reduce((sum, { content }) => sum + content.length, 0)
  if (bytesTotal > XML_BYTES_MAX) throw new PreviewError('too_complex')
  for (const { content } of documents) checkXml(content)
  return new Map(parts.map(({ name, content }) => [name, content]))
}

const textOf = (parts: Parts, name: string) => parts.get(name)?.toString('utf8') ?? ''

/** In the presentation's order, which file names don't tell. */
function slideNames(parts: Parts): string[] {
  const relations = relationsOf(parts, 'ppt/presentation.xml')
  return [...textOf(parts, 'ppt/presentation.xml').matchAll(/<p:sldId\s[^<>]*\br:id="([^"]*)"/g)].flatMap(
    ([, id]) => relations.get(id!) ?? [],
  )
}

/** Part names by relationship id. A target outside the file resolves to no part. */
function relationsOf(parts: Parts, name: string): Map<string, string> {
  const folder = posix.dirname(name)
  const xml = textOf(parts, `${folder}/_rels/${posix.basename(name)}.rels`)
  const relations = new Map<string, string>()
  for (const [tag] of xml.matchAll(/<Relationship\s[^<>]*>/g)) {
    const id = attribute(tag, 'Id')
    const target = attribute(tag, 'Target')
    if (id && target)
      relations.set(id, posix.join(target.startsWith('/') ? '.' : folder, target).replace(/^\//, ''))
  }
  return relations
}

const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

/** Reads tags in order. Texts stay escaped, as the file has them, and the sanitizer checks the result. */
async function renderSlide(xml: string, pictureUrl: (id: string) => Promise<string>): Promise<string> {
  let title = ''
  let body = ''
  let isTitle = false
  let paragraph: { text: string; isItem: boolean } | null = null
  let cell: string | null = null
  let isText = false
  let at = 0
  for (const match of xml.matchAll(/<(\/?)([a-z]+:[A-Za-z]+)\b([^<>]*)>/g)) {
    const [tag, slash, name, attributes] = match as unknown as [string, string, string, string]
    if (isText && paragraph) paragraph.text += xml.slice(at, match.index)
    at = match.index + tag.length
    const isEnd = slash !== ''
    const isEmpty = attributes.endsWith('/')
    isText = name === 'a:t' && !isEnd && !isEmpty
    if (name === 'p:sp') isTitle = false
    else if (name === 'p:ph') isTitle ||= /\stype="(title|ctrTitle)"/.test(attributes)
    else if (name === 'a:p' && !isEnd && !isEmpty) paragraph = { text: '', isItem: false }
    else if (name === 'a:pPr' && paragraph) paragraph.isItem ||= /\slvl="[1-9]"/.test(attributes)
    else if ((name === 'a:buChar' || name === 'a:buAutoNum') && paragraph) paragraph.isItem = true
    else if (name === 'a:br' && paragraph) paragraph.text += '<br>'
    else if (name === 'a:p' && isEnd && paragraph) {
      const { text, isItem } = paragraph
      paragraph = null
      if (text.trim() === '') continue
      if (cell !== null) cell += `${cell && '<br>'}${text}`
      else if (isTitle) title += `${title && '<br>'}${text}`
      else body += isItem ? `<ul><li>${text}</li></ul>` : `<p>${text}</p>`
    } else if (name === 'a:tbl') body += isEnd ? '</table>' : '<table>'
    else if (name === 'a:tr' && !isEmpty) body += isEnd ? '</tr>' : '<tr>'
    else if (name === 'a:tc' && !isEmpty) {
      if (isEnd) body += `<td>${cell ?? ''}</td>`
      cell = isEnd ? null : ''
    } else if (name === 'a:blip' && !isEnd) {
      const url = await pictureUrl(attribute(tag, 'r:embed') ?? '')
      if (url) body += `<img src="${url}" alt="">`
    }
  }
  return `<section>${title && `<h2>${title}</h2>`}${body.replaceAll('</ul><ul>', '')}</section>`
}
