export interface RawContent {
  content: AsyncIterable<Uint8Array>
  contentLength: number | null
}

/** The bytes of a body as they were sent, which senders sign; null if there are more than `bytesMax`. */
export async function readRawBody(
  { content, contentLength }: RawContent,
  bytesMax: number,
): Promise<Buffer | null> {
  if (contentLength !== null && contentLength > bytesMax) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
