import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { newId } from '../../../../../security/ids.ts'
import { GOOGLE_CHANNEL } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, fileText, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from, type RequestTemplate } from '../../definition/template.ts'
import {
  CHANNEL_RENEW_DAYS,
  channel,
  GOOGLE_ERROR_FIELDS,
  googleOAuth,
  keptChannel,
  notification,
  stopBody,
} from '../google.ts'

export const driveReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [GOOGLE_CHANNEL], secret: { from: 'generated' } },
  events: { 'google-drive.file': 'A file was added or changed' },
  sessionKey: 'google-drive:{thread}',
  // Reports only that there are changes.
  normalize: (event) => {
    const received = notification(event)
    if (received === null) return []
    const { externalId, since } = received
    return [
      normalizedEvent({ eventKey: 'google-drive.file', externalId, thread: 'changes', replyTo: { since } }),
    ]
  },
  fetch: {
    request: ({ text, replyTo }) =>
      text !== null
        ? null
        : {
            method: 'GET',
            path: '/drive/v3/files',
            query: {
              q: `trashed = false and mimeType != 'application/vnd.google-apps.folder' and modifiedTime > '${replyTo.since}'`,
              orderBy: 'modifiedTime',
              pageSize: 100,
              fields:
                'files(id,name,mimeType,modifiedTime,createdTime,webViewLink,lastModifyingUser(displayName,emailAddress,permissionId,me))',
              supportsAllDrives: true,
              includeItemsFromAllDrives: true,
            },
          },
    complete: (_, answer) => ({
      events: itemsAt(answer, 'files').flatMap((file) => {
        const [id, modified] = [displayTextAt(file, 'id'), displayTextAt(file, 'modifiedTime')]
        if (id === null || modified === null) return []
        const user = displayTextAt(file, 'lastModifyingUser.permissionId')
        return [
          normalizedEvent({
            eventKey: 'google-drive.file',
            externalId: `${id}:${modified}`,
            actor: { id: user, name: displayTextAt(file, 'lastModifyingUser.displayName'), isBot: false },
            text: summary(
              displayTextAt(file, 'createdTime') === modified ? 'A file was added' : 'A file was changed',
              {
                name: displayTextAt(file, 'name'),
                fileId: id,
                mimeType: displayTextAt(file, 'mimeType'),
                modified,
                by: displayTextAt(file, 'lastModifyingUser.emailAddress'),
              },
            ),
            thread: id,
            resource: { type: 'file', id, url: displayTextAt(file, 'webViewLink') },
          }),
        ]
      }),
    }),
  },
  setup: {
    by: 'api',
    register: (endpoint) => ({
      request: {
        method: 'POST',
        path: '/drive/v3/changes/watch',
        query: {
          pageToken: from('kept.startPageToken'),
          supportsAllDrives: true,
          includeItemsFromAllDrives: true,
        },
        json: channel(endpoint),
      },
      keep: keptChannel,
    }),
    unregister: (kept) => ({ method: 'POST', path: '/drive/v3/channels/stop', json: stopBody(kept) }),
    renewDays: CHANNEL_RENEW_DAYS,
  },
}

const fileId = z
  .string()
  .regex(/^[\w-]{5,200}$/, 'must be a file id')
  .describe('The id that search returned')

/** Model-readable formats for Google's own document types. */
const EXPORTS: Readonly<Record<string, string>> = dictionary({
  'application/vnd.google-apps.document': 'text/markdown',
  'application/vnd.google-apps.spreadsheet': 'text/csv',
  'application/vnd.google-apps.presentation': 'text/plain',
})

const isText = (type: string) => /^text\/|[/+](json|xml|yaml|x-yaml|javascript|sql)$/.test(type)

/** Escapes for Drive's query language. */
const quoted = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const googleDrive: ConnectorDefinition = {
  slug: 'google-drive',
  name: 'Google Drive',
  description: 'Search, read, upload and share files.',
  category: 'knowledge',
  docsUrl: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  checkedAt: '2026-11-16',
  auth: googleOAuth(['https://www.googleapis.com/auth/drive']),
  baseUrl: 'https://www.googleapis.com',
  check: {
    request: { method: 'GET', path: '/drive/v3/about', query: { fields: 'user' } },
    account: {
      id: 'user.permissionId',
      name: 'user.displayName',
      email: 'user.emailAddress',
      avatarUrl: 'user.photoLink',
    },
  },
  // Where an endpoint's watch starts.
  discover: {
    request: { method: 'GET', path: '/drive/v3/changes/startPageToken' },
    keep: (answer) => ({ startPageToken: displayTextAt(answer, 'startPageToken') ?? '1' }),
  },
  errors: [
    { status: 403, path: 'error.errors.0.reason', equals: 'rateLimitExceeded', means: 'slow_down' },
    { status: 403, path: 'error.errors.0.reason', equals: 'userRateLimitExceeded', means: 'slow_down' },
  ],
  errorFields: GOOGLE_ERROR_FIELDS,
  tools: [
    tool({
      name: 'search',
      description:
        'Use this to find files by words in their name or content, or to list a folder’s files. Without text, last modified first.',
      input: z.object({
        text: z.string().max(300).optional().describe('Words in the name or the content'),
        folderId: z
          .string()
          .max(200)
          .optional()
          .describe('Only files directly in this folder; root: My Drive'),
        mimeType: z.string().max(200).optional().describe('Such as application/vnd.google-apps.document'),
        limit: z.int().min(1).max(100).default(20),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ text, folderId, mimeType, limit }) => ({
        method: 'GET',
        path: '/drive/v3/files',
        query: {
          q: [
            'trashed = false',
            ...(text ? [`fullText contains ${quoted(text)}`] : []),
            ...(folderId ? [`${quoted(folderId)} in parents`] : []),
            ...(mimeType ? [`mimeType = ${quoted(mimeType)}`] : []),
          ].join(' and '),
          // Drive orders text searches only by relevance.
          ...(!text && { orderBy: 'modifiedTime desc' }),
          pageSize: limit,
          fields: 'nextPageToken,files(id,name,mimeType,modifiedTime,size,webViewLink,owners(displayName))',
          supportsAllDrives: true,
          includeItemsFromAllDrives: true,
        },
      }),
      answer: { at: 'files' },
      pages: { by: 'cursor', next: 'nextPageToken', send: { query: 'pageToken' } },
    }),
    tool({
      name: 'read_file',
      description:
        'Use this to read a text file or a Google document, spreadsheet or presentation: documents are returned as Markdown, a spreadsheet’s first sheet as CSV. Other files such as PDFs and images can’t be read.',
      input: z.object({
        fileId,
        mimeType: z
          .string()
          .max(200)
          .refine((type) => Object.hasOwn(EXPORTS, type) || isText(type), 'must be a text type')
          .describe('The mimeType that search returned'),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ mimeType }): RequestTemplate =>
        Object.hasOwn(EXPORTS, mimeType)
          ? {
              method: 'GET',
              path: '/drive/v3/files/{fileId}/export',
              query: { mimeType: EXPORTS[mimeType]! },
            }
          : {
              method: 'GET',
              path: '/drive/v3/files/{fileId}',
              query: { alt: 'media', supportsAllDrives: true },
            },
      answer: { map: fileText },
    }),
    tool({
      name: 'upload_file',
      description:
        'Use this to save a text as a new file. With convert it becomes a Google document or spreadsheet. Everyone with access to the folder can see it.',
      input: z.object({
        name: z.string().min(1).max(255),
        content: z.string().max(500_000),
        mimeType: z
          .enum(['text/plain', 'text/markdown', 'text/csv', 'text/html', 'application/json'])
          .default('text/plain'),
        convert: z.enum(['document', 'spreadsheet']).optional(),
        folderId: fileId.optional().describe('The folder; by default My Drive'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ name, content, mimeType, convert, folderId }) => ({
        method: 'POST',
        path: '/upload/drive/v3/files',
        query: { uploadType: 'multipart', fields: 'id,name,mimeType,webViewLink', supportsAllDrives: true },
        content: multipart(
          {
            name,
            ...(convert && { mimeType: `application/vnd.google-apps.${convert}` }),
            ...(folderId && { parents: [folderId] }),
          },
          mimeType,
          content,
        ),
      }),
      answer: { pick: ['id', 'name', 'mimeType', 'webViewLink'] },
    }),
    tool({
      name: 'share_file',
      description: 'Use this to give a person access to a file. The person receives an email.',
      input: z.object({
        fileId,
        email: z.email().max(320),
        role: z.enum(['reader', 'commenter', 'writer']).default('reader'),
        message: z.string().max(1000).optional(),
      }),
      effect: 'once',
      risk: 'share',
      request: {
        method: 'POST',
        path: '/drive/v3/files/{fileId}/permissions',
        query: {
          sendNotificationEmail: true,
          emailMessage: from('message'),
          supportsAllDrives: true,
          fields: 'id,role,emailAddress',
        },
        json: { type: 'user', role: from('role'), emailAddress: from('email') },
      },
      answer: { pick: ['id', 'role', 'emailAddress'] },
    }),
    tool({
      name: 'trash_file',
      description: 'Use this to move a file to the trash, where it can be restored for 30 days.',
      input: z.object({ fileId }),
      effect: 'idempotent',
      risk: 'delete',
      request: {
        method: 'PATCH',
        path: '/drive/v3/files/{fileId}',
        query: { supportsAllDrives: true, fields: 'id,name,trashed' },
        json: { trashed: true },
      },
      answer: { pick: ['id', 'name', 'trashed'] },
    }),
  ],
  receiver: driveReceiver,
}

/** `multipart/related`. Existing content can't contain the random boundary. */
function multipart(metadata: object, mimeType: string, content: string) {
  const boundary = `atrium-${newId()}`
  const body = [
    `--${boundary}`,
    'content-type: application/json; charset=UTF-8',
    '',
    JSON.stringify(metadata),
    `--${boundary}`,
    `content-type: ${mimeType}; charset=UTF-8`,
    '',
    content,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  return { type: `multipart/related; boundary=${boundary}`, body }
}
