import { fileImages } from '../../contract/files/images.ts'
import { callEndpoint } from '../tools/call-endpoint.ts'
import type { InvokeTool } from '../tools/tool.ts'
import type { ToolImage } from '../tools/tool-images.ts'
import type { ResultImage } from './tool-result.ts'

/** In base64, as clients expect them. Read with the caller's permissions. */
export async function readImages(invoke: InvokeTool, images: readonly ToolImage[]): Promise<ResultImage[]> {
  const results: ResultImage[] = []
  for (const { fileId, version, page } of images) {
    const query = { version, data: 'true', ...(page !== undefined && { pages: String(page) }) }
    const { parts } = await callEndpoint({ invoke }, fileImages.read, { params: { id: fileId }, query })
    for (const { image } of parts)
      if (image?.data) results.push({ type: 'image', data: image.data, mimeType: image.mimeType })
  }
  return results
}
