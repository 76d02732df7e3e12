import { isDeepStrictEqual } from 'node:util'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'

/** The result of a call as text for a model. Images, sounds and files are named: no model of a run receives them. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const texts = content.map(blockText)
  if (structuredContent !== undefined && !content.some((block) => repeats(block, structuredContent)))
    texts.push(JSON.stringify(structuredContent, null, 2))
  return texts.filter(Boolean).join('\n\n') || 'The tool returned nothing.'
}

function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  if (block.type === 'image' || block.type === 'audio')
    return `[${block.type}: ${block.mimeType}, ${sizeOf(block.data)}, not shown]`
  if (block.type === 'resource_link') return `[link: ${block.name}, ${block.uri}]`
  const { resource } = block
  return 'text' in resource
    ? `[file: ${resource.uri}]\n${resource.text}`
    : `[file: ${resource.uri}, ${resource.mimeType ?? 'unknown type'}, ${sizeOf(resource.blob)}, not shown]`
}

const sizeOf = (base64: string) => `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`

/** Servers repeat structured content as text, for clients that do not read it. */
function repeats(block: ContentBlock, structured: unknown): boolean {
  if (block.type !== 'text') return false
  try {
    return isDeepStrictEqual(JSON.parse(block.text), structured)
  } catch {
    return false
  }
}
