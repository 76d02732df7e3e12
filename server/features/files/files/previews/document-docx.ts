import mammoth from 'mammoth'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { checkXml, detectContainer } from './office-file.ts'
import { sanitizeHtml } from './sanitize.ts'
import { readZip, storeZip, type ZipPart } from './zip-parts.ts'

export async function renderDocx(bytes: Uint8Array, job: RenderJob): Promise<Preview<'document'>> {
  if (detectContainer(bytes) !== 'zip') throw new PreviewError('broken')
  const buffer = storeZip(partsOf(bytes))
  const images = collectImages()
  const converted = await mammoth.convertToHtml({ buffer }, { convertImage: images.convert })
  const { html, isTruncated } = sanitizeHtml(converted.value, job.textBytesMax)
  return {
    kind: 'document',
    mimeType: job.mimeType,
    truncated: isTruncated || images.isTruncated(),
    html: images.insertInto(html),
  }
}

function partsOf(bytes: Uint8Array): ZipPart[] {
  const parts = readZip(bytes, (name) => /\.(xml|rels)$|^word\/media\//i.test(name))
  const documents = parts.filter(({ name }) => /\.(xml|rels)$/i.test(name))
  const bytesTotal = documents.reduce((sum, { content }) => sum + content.length, 0)
  if (bytesTotal > XML_BYTES_MAX) throw new PreviewError('too_complex')
  for (const { content } of documents) checkXml(content)
  return parts
}

/** A thousand pages have about half of this. Converting 4 MB takes about a second. */
const XML_BYTES_MAX = 16_777_216
const IMAGE_TYPES = /^image\/(png|jpeg|gif|webp)$/
const IMAGE_UNITS_MAX = 524_288
const IMAGES_UNITS_MAX = 2_097_152

/** Images bypass the sanitizer as `picture:<index>`, so it never has to allow `data:`. */
function collectImages() {
  const uris: string[] = []
  let unitsLeft = IMAGES_UNITS_MAX
  let isTruncated = false
  return {
    isTruncated: () => isTruncated,
    convert: mammoth.images.imgElement(async (image) => {
      const type = image.contentType.toLowerCase()
      const base64 = IMAGE_TYPES.test(type) ? await image.readAsBase64String() : ''
      const isShown = base64 !== '' && base64.length <= Math.min(IMAGE_UNITS_MAX, unitsLeft)
      if (!isShown) {
        isTruncated = true
        return { src: '' }
      }
      unitsLeft -= base64.length
      return { src: `picture:${uris.push(`data:${type};base64,${base64}`) - 1}` }
    }),
    insertInto: (html: string) =>
      html.replace(
        /(<img\b[^>]*?\ssrc=")picture:(\d+)"/g,
        (_, before, index) => `${before}${uris[index] ?? ''}"`,
      ),
  }
}
