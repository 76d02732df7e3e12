import { files } from '../../../../../contract/files/files.ts'
import { fileImages } from '../../../../../contract/files/images.ts'
import { ApiError } from '../../../../errors.ts'
import { callEndpoint } from '../../../../tools/call-endpoint.ts'
import type { ToolImage } from '../../../../tools/tool-images.ts'
import { extensionFor, isImage } from '../../../files/files/files.ts'
import { findOrCreateFolder, OUTPUTS_FOLDER } from '../calls/output.ts'
import type { RunToolCall } from '../state/run-tool.ts'

/** In base64, from a server that nobody has to trust. */
export interface OutsideImage {
  mimeType: string
  data: string
}

export interface StoredImages {
  /** In the output, so that the model can use the files. */
  files: ({ id: string } | { refused: string })[]
  images: ToolImage[]
}

/** Per result. A project isn't filled by one call. */
const IMAGES_MAX = 10

/** Files of the project, with the run's permissions. What can't be stored or read is left out, and why. */
export async function storeImages(
  call: RunToolCall,
  toolName: string,
  received: readonly OutsideImage[],
): Promise<StoredImages> {
  const stored: StoredImages = { files: [], images: [] }
  for (const [index, image] of received.slice(0, IMAGES_MAX).entries()) {
    const outcome = await storeImage(call, toolName, image, index + 1).catch((error: unknown) => {
      if (error instanceof ApiError) return { refused: error.message }
      throw error
    })
    if ('refused' in outcome) stored.files.push(outcome)
    else {
      stored.files.push({ id: outcome.fileId })
      stored.images.push(outcome)
    }
  }
  if (received.length > IMAGES_MAX)
    stored.files.push({ refused: `Only the first ${IMAGES_MAX} images of a result are stored` })
  return stored
}

async function storeImage(
  call: RunToolCall,
  toolName: string,
  { mimeType, data }: OutsideImage,
  n: number,
): Promise<{ refused: string } | ToolImage> {
  if (!isImage(mimeType)) return { refused: 'This type of image is not accepted' }
  const { invoke, run, step, ordinal, idempotencyKey } = call
  const parentId = await findOrCreateFolder(invoke, run.projectId, OUTPUTS_FOLDER)
  const name = `${toolName} ${run.id.slice(-8)} ${step}.${ordinal}.${n}${extensionFor(mimeType)}`
  const created = await callEndpoint(call, files.create, {
    form: uploadForm({ parentId, name, mimeType, data }),
    idempotencyKey: `${idempotencyKey}:image:${n}`,
  })
  const { id } = 'file' in created ? created.file : created
  const { version, parts } = await callEndpoint(call, fileImages.read, { params: { id } })
  const image = parts[0]?.image
  if (!image) return { refused: 'The image could not be read' }
  return { fileId: id, version, ...image }
}

async function* uploadForm({
  parentId,
  name,
  mimeType,
  data,
}: OutsideImage & { parentId: string; name: string }) {
  yield { kind: 'field' as const, name: 'parentId', value: parentId }
  yield { kind: 'file' as const, name: 'file', file: { name, mimeType, content: decode(data) } }
}

async function* decode(data: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(data, 'base64')
}
