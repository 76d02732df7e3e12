import mammoth from 'mammoth'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { checkXml, detectContainer } from './office-file.ts'
import { collectPictures } from './pictures.ts'
import { sanitizeHtml } from './sanitize.ts'
import { readZip, storeZip, type ZipPart } from './zip-parts.ts'

export async function renderDocx(bytes: Uint8Array, job: RenderJob): Promise<Preview<'document'>> {
  if (detectContainer(bytes) !== 'zip') throw new PreviewError('broken')
  const buffer = storeZip(partsOf(bytes))
  const pictures = collectPictures()
  const convertImage = mammoth.images.imgElement(async (image) => ({
    src: await pictures.add(image.contentType, () => image.readAsBase64String()),
  }))
  const converted = await mammoth.convertToHtml({ buffer }, { convertImage })
  const { html, isTruncated } = sanitizeHtml(converted.value, job.textBytesMax)
  return {
    kind: 'document',
    mimeType: job.mimeType,
    truncated: isTruncated || pictures.isTruncated(),
    html: pictures.insertInto(html),
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
