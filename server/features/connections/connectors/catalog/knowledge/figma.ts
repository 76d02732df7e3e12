import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition, RegisteredEndpoint } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'
import { findByUrl } from '../find-registration.ts'

const pathOf = ({ webhookId = '' }: Readonly<Record<string, string>>) =>
  `/v2/webhooks/${encodeURIComponent(webhookId)}`

const webhook = ({ url, secret }: RegisteredEndpoint) => ({
  event_type: 'FILE_COMMENT',
  endpoint: url,
  passcode: secret,
  status: 'ACTIVE',
  description: 'Atrium',
})

const contextOf = ({ config: { fileKey, teamId } }: RegisteredEndpoint) => ({
  context: fileKey ? 'file' : 'team',
  context_id: fileKey || teamId || '',
})

export const figmaReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'body-field', path: 'passcode', secret: { from: 'generated' } },
  handshake: { by: 'ignored', path: 'event_type', equals: 'PING' },
  events: { 'figma.comment': 'A comment was added to a file' },
  sessionKey: 'figma:{thread}',
  normalize: ({ body }) => {
    const [comment, file] = [displayTextAt(body, 'comment_id'), displayTextAt(body, 'file_key')]
    const author = displayTextAt(body, 'triggered_by.id')
    if (displayTextAt(body, 'event_type') !== 'FILE_COMMENT' || comment === null || file === null) return []
    const root = displayTextAt(body, 'parent_id') ?? comment
    const text = itemsAt(body, 'comment')
      .map((part) => displayTextAt(part, 'text') ?? mentionOf(body, displayTextAt(part, 'mention')))
      .join('')
    return [
      normalizedEvent({
        eventKey: 'figma.comment',
        externalId: comment,
        actor: { id: author, name: displayTextAt(body, 'triggered_by.handle'), isBot: false },
        text: `${displayTextAt(body, 'file_name') ?? file}: ${text}`,
        thread: `${file}:${root}`,
        resource: { type: 'file', id: file, url: `https://www.figma.com/design/${encodeURIComponent(file)}` },
        replyTo: { fileKey: file, commentId: root },
      }),
    ]
  },
  reply: ({ replyTo }, text) => ({
    method: 'POST',
    path: `/v1/files/${encodeURIComponent(replyTo.fileKey!)}/comments`,
    json: { message: text, comment_id: replyTo.commentId! },
  }),
  setup: {
    by: 'api',
    find: (endpoint) =>
      findByUrl(
        { method: 'GET', path: '/v2/webhooks', query: contextOf(endpoint) },
        { items: 'webhooks', url: 'endpoint', keep: 'webhookId' },
      )(endpoint),
    register: (endpoint) => ({
      request: {
        method: 'POST',
        path: '/v2/webhooks',
        json: {
          ...webhook(endpoint),
          ...contextOf(endpoint),
        },
      },
      keep: (answer) => ({ webhookId: displayTextAt(answer, 'id') ?? '' }),
    }),
    update: (kept, endpoint) => ({ method: 'PUT', path: pathOf(kept), json: webhook(endpoint) }),
    unregister: (kept) => ({ method: 'DELETE', path: pathOf(kept) }),
    fields: [
      {
        key: 'teamId',
        label: 'Team',
        hint: 'The number in the team URL. All files in the team are watched.',
        required: false,
        pattern: '\\d{1,30}',
      },
      {
        key: 'fileKey',
        label: 'File',
        hint: 'The part of a file’s URL after /design/, to watch only that file.',
        required: false,
        pattern: '[A-Za-z0-9]{10,128}',
      },
    ],
  },
}

const fileKey = z
  .string()
  .regex(/^[A-Za-z0-9]{10,128}$/, 'must be a file key')
  .describe('The part of the file’s URL after /design/')

const nodeIds = z
  .array(z.string().regex(/^I?\d+[:;-]\d+([:;-]\d+)*$/, 'must be a node id, such as 1:23'))
  .min(1)
  .max(50)

export const figma: ConnectorDefinition = {
  slug: 'figma',
  name: 'Figma',
  description: 'Read design files and their comments, render images and add comments.',
  category: 'knowledge',
  docsUrl: 'https://developers.figma.com/docs/rest-api/',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://www.figma.com/oauth',
    tokenUrl: 'https://api.figma.com/v1/oauth/token',
    refreshUrl: 'https://api.figma.com/v1/oauth/refresh',
    registerUrl: 'https://www.figma.com/developers/apps',
    scopes: {
      default: [
        'current_user:read',
        'file_content:read',
        'file_metadata:read',
        'file_comments:read',
        'file_comments:write',
        'webhooks:write',
      ],
    },
    scopeSeparator: ',',
    clientAuth: 'basic',
    lifetime: { access: 7_776_000, refresh: 'stays' },
  },
  baseUrl: 'https://api.figma.com',
  check: {
    request: { method: 'GET', path: '/v1/me' },
    account: { id: 'id', name: 'handle', email: 'email', avatarUrl: 'img_url' },
  },
  errorFields: { code: 'status', message: ['err', 'message'] },
  tools: [
    tool({
      name: 'get_file',
      description: 'Use this first to see a file’s pages and the frames on them.',
      input: z.object({
        fileKey,
        depth: z.int().min(1).max(4).default(2).describe('1: pages; 2: pages and their top frames'),
      }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v1/files/{fileKey}', query: { depth: from('depth') } },
      answer: {
        map: (file) => {
          const { name, lastModified, version, document } = file as Record<string, unknown>
          return { name, lastModified, version, document: outline(document) }
        },
      },
    }),
    tool({
      name: 'get_nodes',
      description: 'Use this to see a frame’s layers with their types and texts.',
      input: z.object({ fileKey, nodeIds, depth: z.int().min(1).max(6).default(3) }),
      effect: 'read',
      risk: 'none',
      request: ({ nodeIds }) => ({
        method: 'GET',
        path: '/v1/files/{fileKey}/nodes',
        query: { ids: nodeIds.join(','), depth: from('depth') },
      }),
      answer: {
        map: (answer) => {
          const nodes = (answer as { nodes?: Record<string, { document?: unknown } | null> }).nodes ?? {}
          return Object.values(nodes).map((node) => outline(node?.document))
        },
      },
    }),
    tool({
      name: 'render_images',
      description: 'Use this to get links to frame images. The links expire after 30 days.',
      input: z.object({
        fileKey,
        nodeIds,
        format: z.enum(['png', 'jpg', 'svg', 'pdf']).default('png'),
        scale: z.number().min(0.1).max(4).default(1),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ nodeIds }) => ({
        method: 'GET',
        path: '/v1/images/{fileKey}',
        query: { ids: nodeIds.join(','), format: from('format'), scale: from('scale') },
      }),
      answer: { pick: ['images', 'err'] },
    }),
    tool({
      name: 'list_comments',
      description: 'Use this to read the comments on a file.',
      input: z.object({ fileKey }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v1/files/{fileKey}/comments' },
      answer: {
        at: 'comments',
        pick: [
          'id',
          'parent_id',
          'message',
          'user.handle',
          'created_at',
          'resolved_at',
          'client_meta.node_id',
        ],
      },
    }),
    tool({
      name: 'comment',
      description:
        'Use this to comment on a file or reply to a comment. Everyone with access to the file sees it.',
      input: z.object({
        fileKey,
        message: z.string().min(1).max(10_000),
        replyTo: z.string().max(100).optional().describe('Id of a thread’s first comment'),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/v1/files/{fileKey}/comments',
        json: { message: from('message'), comment_id: from('replyTo') },
      },
      answer: { pick: ['id', 'message', 'created_at'] },
    }),
  ],
  receiver: figmaReceiver,
}

/** `mentions` contains the name. */
function mentionOf(body: unknown, id: string | null): string {
  const person = itemsAt(body, 'mentions').find((each) => displayTextAt(each, 'id') === id)
  return `@${displayTextAt(person, 'handle') ?? id ?? ''}`
}

/** Drops the hundred appearance fields. */
function outline(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return null
  const { id, name, type, characters, children } = node as Record<string, unknown>
  return {
    id,
    name,
    type,
    ...(typeof characters === 'string' && { text: characters }),
    ...(Array.isArray(children) && { children: children.map(outline) }),
  }
}
