import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { projectExport } from '../../../contract/projects/project-export.ts'
import { projects } from '../../../contract/projects/projects.ts'
import { ApiError } from '../../errors.ts'
import { fence } from '../../models/fence.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import { readFile } from '../../tools/files/read-file.ts'
import { OUTSIDE_SOURCE } from '../../tools/text-guard.ts'
import type { ToolCall } from '../../tools/tool.ts'
import { errorText } from '../error-text.ts'
import { digestOf } from './digest.ts'
import { parseUri, projectUri, type ResourceRef, TEMPLATES } from './uris.ts'

const LIMIT = 50

/** The projects that the caller sees, newest first; their parts and files follow from the templates. */
export async function listResources(call: ToolCall, cursor: string | undefined) {
  const { items, nextCursor } = await callEndpoint(call, projects.list, { query: { limit: LIMIT, cursor } })
  return {
    resources: items.map(({ slug, name, description }) => ({
      uri: projectUri(slug),
      name: slug,
      title: name,
      ...(description && { description: description.slice(0, 300) }),
      mimeType: 'text/markdown',
    })),
    ...(nextCursor && { nextCursor }),
  }
}

export const listTemplates = () => ({ resourceTemplates: TEMPLATES })

export async function readResource(call: ToolCall, uri: string, requestId: string) {
  const ref = parseUri(uri)
  if (!ref) throw new ResourceNotFoundError(uri)
  try {
    return { contents: [{ uri, ...(await contentOf(call, ref)) }] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(error, requestId))
  }
}

async function contentOf(call: ToolCall, ref: ResourceRef): Promise<{ mimeType: string; text: string }> {
  if (ref.kind === 'project') return { mimeType: 'text/markdown', text: await digestOf(call, ref.slug) }
  if (ref.kind === 'canvas') {
    return { mimeType: 'application/json', text: JSON.stringify(await canvasOf(call, ref.slug)) }
  }
  const file = (await readFile.run(call, readFile.input.parse({ file: ref.id }))) as FileText
  return { mimeType: 'text/plain', text: file.text ?? file.content ?? '' }
}

/** The texts of guests and of untrusted runs are data; the format stays JSON Canvas. */
async function canvasOf(call: ToolCall, slug: string) {
  const { id } = await callEndpoint(call, projects.get, { params: { id: slug } })
  const canvas = (await callEndpoint(call, projectExport.export, {
    params: { projectId: id },
    query: { format: 'jsoncanvas' },
  })) as unknown as { nodes: CanvasNode[] }
  const ids = canvas.nodes.map((node) => node.id)
  const outside = await call.findOutsideBlocks(id, ids, ['title', 'content'])
  const asData = (node: CanvasNode) => {
    const texts = NODE_TEXTS.flatMap((name) =>
      node[name] ? [[name, fence(node[name], OUTSIDE_SOURCE)]] : [],
    )
    return { ...node, ...Object.fromEntries(texts) }
  }
  return { ...canvas, nodes: canvas.nodes.map((node) => (outside.has(node.id) ? asData(node) : node)) }
}

const NODE_TEXTS = ['text', 'label', 'url'] as const
type CanvasNode = { id: string } & Partial<Record<(typeof NODE_TEXTS)[number], string>>

interface FileText {
  text?: string
  content?: string
}
