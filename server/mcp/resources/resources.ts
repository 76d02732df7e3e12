import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { Id } from '../../../contract/fields.ts'
import { files } from '../../../contract/files/files.ts'
import { projectExport } from '../../../contract/projects/project-export.ts'
import { projects } from '../../../contract/projects/projects.ts'
import { ApiError } from '../../errors.ts'
import { fence } from '../../language-models/fence.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import { loadOutline } from '../../tools/canvas/load-canvas.ts'
import { clip } from '../../tools/clip.ts'
import { readFile } from '../../tools/files/read-file.ts'
import { OUTSIDE_SOURCE } from '../../tools/text-guard.ts'
import type { ToolCall } from '../../tools/tool.ts'
import { errorText } from '../tool-result.ts'

const LIMIT = 50

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

/** Texts by guests and untrusted runs become data. The format stays JSON Canvas. */
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

const TEXT_BYTES = 8000
const BLOCKS_MAX = 100
const FILES_MAX = 50

async function digestOf(call: ToolCall, slug: string): Promise<string> {
  const project = await callEndpoint(call, projects.get, { params: { id: slug } })
  const { id, name, description, prompt, status, tags, folderId } = project
  const { items: blocks, edges } = await loadOutline(call, id)
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

const SCHEME = 'atrium://'

const projectUri = (slug: string) => `${SCHEME}projects/${slug}`
const fileUri = (id: string) => `${SCHEME}files/${id}`

const TEMPLATES = [
  {
    name: 'project',
    title: 'Project',
    uriTemplate: projectUri('{slug}'),
    description: 'A project in Markdown: description, instructions, the titles on its canvas and its files',
    mimeType: 'text/markdown',
  },
  {
    name: 'canvas',
    title: 'Canvas',
    uriTemplate: `${projectUri('{slug}')}/canvas`,
    description: 'A project’s canvas as JSON Canvas 1.0',
    mimeType: 'application/json',
  },
  {
    name: 'file',
    title: 'File',
    uriTemplate: fileUri('{id}'),
    description: 'A file’s text; PDF, Word and spreadsheet files as extracted text',
  },
]

type ResourceRef =
  | { kind: 'project'; slug: string }
  | { kind: 'canvas'; slug: string }
  | { kind: 'file'; id: string }

const SLUG = '([\\w-]{1,255})'
const PROJECT = new RegExp(`^${SCHEME}projects/${SLUG}(/canvas)?$`)
const FILE = new RegExp(`^${SCHEME}files/([0-9a-fA-F-]{36})$`)

function parseUri(uri: string): ResourceRef | null {
  const project = PROJECT.exec(uri)
  if (project) return { kind: project[2] ? 'canvas' : 'project', slug: project[1]! }
  const id = FILE.exec(uri)?.[1]
  return id && Id.safeParse(id).success ? { kind: 'file', id } : null
}
