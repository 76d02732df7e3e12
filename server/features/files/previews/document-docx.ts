import mammoth from 'mammoth'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { containerOf } from './office-container.ts'
import { sanitizeHtml } from './sanitize.ts'
import { checkXml } from './xml-check.ts'
import { readZip, type ZipPart } from './zip-read.ts'
import { storeZip } from './zip-store.ts'

export async function renderDocx(bytes: Uint8Array, job: RenderJob): Promise<Preview<'document'>> {
  if (containerOf(bytes) !== 'zip') throw new PreviewError('broken')
  const buffer = storeZip(partsOf(bytes))
  const pictures = collectPictures()
  const converted = await mammoth.convertToHtml({ buffer }, { convertImage: pictures.take })
  const { html, isCut } = sanitizeHtml(converted.value, job.textBytesMax)
  return {
    kind: 'document',
    mimeType: job.mimeType,
    truncated: isCut || pictures.isCut(),
    html: pictures.putInto(html),
  }
}

function partsOf(bytes: Uint8Array): ZipPart[] {
  const parts = readZip(bytes, (name) => /\.(xml|rels)$|^word\/media\//i.test(name))
  for (const { name, content } of parts) if (/\.(xml|rels)$/i.test(name)) checkXml(content)
  return parts
}

const PICTURE_TYPES = /^image\/(png|jpeg|gif|webp)$/
const PICTURE_UNITS_MAX = 524_288
const PICTURES_UNITS_MAX = 2_097_152

/** Pictures go around the sanitiser under names of our own, so that it need not let `data:` pass. */
function collectPictures() {
  const uris: string[] = []
  let left = PICTURES_UNITS_MAX
  let isCut = false
  return {
    isCut: () => isCut,
    take: mammoth.images.imgElement(async (image) => {
      const type = image.contentType.toLowerCase()
      const base64 = PICTURE_TYPES.test(type) ? await image.readAsBase64String() : ''
      const isShown = base64 !== '' && base64.length <= Math.min(PICTURE_UNITS_MAX, left)
      if (!isShown) {
        isCut = true
        return { src: '' }
      }
      left -= base64.length
      return { src: `picture:${uris.push(`data:${type};base64,${base64}`) - 1}` }
    }),
    putInto: (html: string) =>
      html.replace(
        /(<img\b[^>]*?\ssrc=")picture:(\d+)"/g,
        (_, before, index) => `${before}${uris[index] ?? ''}"`,
      ),
  }
}
