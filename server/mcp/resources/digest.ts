import { files } from '../../../contract/files/files.ts'
import { projects } from '../../../contract/projects/projects.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import { loadCanvas } from '../../tools/canvas/load-canvas.ts'
import { clip } from '../../tools/clip.ts'
import type { ToolCall } from '../../tools/tool.ts'
import { fileUri, projectUri } from './uris.ts'

const TEXT_BYTES = 8000
const BLOCKS_MAX = 100
const FILES_MAX = 50

/** A project in Markdown. */
export async function digestOf(call: ToolCall, slug: string): Promise<string> {
  const project = await callEndpoint(call, projects.get, { params: { id: slug } })
  const { id, name, description, prompt, status, tags, folderId } = project
  const { blocks, edges } = await loadCanvas(call, id, ({ id: blockId, type, title }) => ({
    id: blockId,
    type,
    title,
  }))
  const outside = await call.findOutsideBlocks(
    id,
    blocks.map((block) => block.id),
    ['title'],
  )
  const list = await callEndpoint(call, files.list, { query: { parentId: folderId, limit: FILES_MAX } })
  const titledBlocks = blocks.filter(({ title }) => title).slice(0, BLOCKS_MAX)
  return [
    `# ${name}`,
    `Status: ${status}${tags.length > 0 ? `. Tags: ${tags.join(', ')}` : ''}`,
    ...(description ? [clip(description, TEXT_BYTES).text] : []),
    ...(prompt ? [`## Instructions\n\n${clip(prompt, TEXT_BYTES).text}`] : []),
    `## Canvas\n\n${blocks.length} blocks and ${edges.length} edges: ${projectUri(project.slug)}/canvas`,
    titledBlocks
      .map((block) => `- ${block.type}: ${outside.has(block.id) ? '(by a guest)' : block.title}`)
      .join('\n'),
    `## Files\n\n${list.items.map((file) => `- ${file.name} (${fileUri(file.id)})`).join('\n') || 'None'}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
