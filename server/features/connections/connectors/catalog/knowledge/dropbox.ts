import { z } from 'zod'
import { newId } from '../../../../../security/ids.ts'
import { DROPBOX } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, fileText, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from, type RequestTemplate } from '../../definition/template.ts'

/** The first cursor is as old as the connection, so older changes aren't events. */
const BEFORE_MS = 10 * 60_000

const EVENTS = {
  'dropbox.file': 'A file was added or changed',
  'dropbox.deleted': 'A file or folder was deleted',
} as const

/** The field name contains a dot, which paths can't. */
const tagOf = (entry: unknown): string | null =>
  (entry as { '.tag'?: string } | null | undefined)?.['.tag'] ?? null

export const dropboxReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [DROPBOX], secret: { from: 'client' } },
  handshake: { by: 'query-echo', parameter: 'challenge' },
  events: EVENTS,
  sessionKey: 'dropbox:{thread}',
  normalize: ({ body, account }) => {
    // An app has one URL for all accounts.
    if (!itemsAt(body, 'list_folder.accounts').includes(account.id)) return []
    // All notifications have the same body, so it has no id.
    const externalId = newId()
    const since = new Date(Date.now() - BEFORE_MS).toISOString()
    return [normalizedEvent({ eventKey: 'dropbox.file', externalId, thread: 'changes', replyTo: { since } })]
  },
  fetch: {
    request: ({ text }, { cursor, startCursor }) =>
      text !== null
        ? null
        : {
            method: 'POST',
            path: '/2/files/list_folder/continue',
            json: { cursor: cursor ?? startCursor ?? '' },
          },
    complete: (event, answer, { kept }) => {
      const isRecent = (entry: unknown) =>
        kept.cursor !== undefined ||
        (displayTextAt(entry, 'server_modified') ?? '') >= String(event.replyTo.since)
      const events = itemsAt(answer, 'entries').flatMap((entry) => {
        const [tag, path] = [tagOf(entry), displayTextAt(entry, 'path_display')]
        if (path === null || tag === 'folder' || !isRecent(entry)) return []
        const eventKey = tag === 'deleted' ? 'dropbox.deleted' : 'dropbox.file'
        return [
          normalizedEvent({
            eventKey,
            externalId: displayTextAt(entry, 'rev') ?? `${kept.cursor ?? kept.startCursor}:${path}`,
            actor: { id: displayTextAt(entry, 'sharing_info.modified_by'), name: null, isBot: false },
            text: summary(EVENTS[eventKey], {
              path,
              size: displayTextAt(entry, 'size'),
              modified: displayTextAt(entry, 'server_modified'),
            }),
            thread: displayTextAt(entry, 'id') ?? path,
            resource: { type: 'file', id: displayTextAt(entry, 'id') ?? path, url: null },
          }),
        ]
      })
      const cursor = displayTextAt(answer, 'cursor')
      const hasMore = displayTextAt(answer, 'has_more') === 'true'
      const next = { ...event, externalId: `${event.externalId}+` }
      return { events: hasMore ? [...events, next] : events, ...(cursor !== null && { keep: { cursor } }) }
    },
  },
  setup: {
    by: 'hand',
    steps: [
      'In the Dropbox App Console, open the app whose client this server uses.',
      'Under Webhooks, add the URL {url}. Dropbox checks it immediately.',
    ],
  },
}

const path = z
  .string()
  .regex(/^(\/[^\0\r\n]*|id:[\w-]+)$/, 'must start with / or be an id such as id:abc')
  .max(1000)
  .describe('A path such as /Reports/2026.txt, or an id')

const limit = z.int().min(1).max(100).default(20)

/** Header values are ASCII, and a brace would start a placeholder. */
const argument = (values: Readonly<Record<string, string | boolean>>): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `"${name}":${JSON.stringify(value).replace(/[{}\u007f-\uffff]/g, escapeChar)}`)
    .join(',')}}`

const escapeChar = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const metadata = (item: unknown) => ({
  type: tagOf(item),
  path: displayTextAt(item, 'path_display'),
  id: displayTextAt(item, 'id'),
  size: displayTextAt(item, 'size'),
  modified: displayTextAt(item, 'server_modified'),
})

const call = (name: string, json: RequestTemplate['json']): RequestTemplate => ({
  method: 'POST',
  path: `/2/${name}`,
  json,
})

export const dropbox: ConnectorDefinition = {
  slug: 'dropbox',
  name: 'Dropbox',
  description: 'Search, read, upload and share files.',
  category: 'knowledge',
  docsUrl: 'https://www.dropbox.com/developers/documentation/http/documentation',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
    revoke: { url: 'https://api.dropboxapi.com/2/auth/token/revoke', how: 'bearer' },
    registerUrl: 'https://www.dropbox.com/developers/apps',
    scopes: {
      default: [
        'account_info.read',
        'files.metadata.read',
        'files.content.read',
        'files.content.write',
        'sharing.write',
      ],
    },
    params: { authorize: { token_access_type: 'offline' } },
    selectAccount: { force_reauthentication: 'true' },
    lifetime: { access: 14_400, refresh: 'stays' },
  },
  baseUrl: 'https://api.dropboxapi.com',
  hosts: ['content.dropboxapi.com'],
  check: {
    request: call('users/get_current_account', null),
    account: {
      id: 'account_id',
      name: 'name.display_name',
      email: 'email',
      avatarUrl: 'profile_photo_url',
    },
  },
  // Where an endpoint starts reading changes.
  discover: {
    request: call('files/list_folder/get_latest_cursor', { path: '', recursive: true }),
    keep: (answer) => ({ startCursor: displayTextAt(answer, 'cursor') ?? '' }),
  },
  errorFields: { code: 'error_summary', message: ['user_message.text', 'error_summary'] },
  tools: [
    tool({
      name: 'search',
      description: 'Use this to find files and folders by words in their names and contents.',
      input: z.object({ query: z.string().min(1).max(1000), folder: path.optional(), limit }),
      effect: 'read',
      risk: 'none',
      request: call('files/search_v2', {
        query: from('query'),
        options: { path: from('folder'), max_results: from('limit'), file_status: 'active' },
      }),
      answer: {
        map: (answer) =>
          itemsAt(answer, 'matches').map((match) =>
            metadata((match as { metadata?: { metadata?: unknown } }).metadata?.metadata),
          ),
      },
    }),
    tool({
      name: 'list_folder',
      description: 'Use this to list the files and folders in a folder.',
      input: z.object({
        folder: path.or(z.literal('')).default('').describe('Empty: the top folder'),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: call('files/list_folder', { path: from('folder'), limit: from('limit') }),
      answer: { map: (answer) => itemsAt(answer, 'entries').map(metadata) },
    }),
    tool({
      name: 'read_file',
      description: 'Use this to read a text file. Other files such as PDFs and images can’t be read.',
      input: z.object({ path }),
      effect: 'read',
      risk: 'none',
      request: ({ path }) => ({
        method: 'POST',
        path: 'https://content.dropboxapi.com/2/files/download',
        headers: { 'dropbox-api-arg': argument({ path }) },
      }),
      answer: { map: fileText },
    }),
    tool({
      name: 'upload_file',
      description:
        'Use this to save a text as a file. Everyone with access to the folder can see it. An existing file is replaced only with overwrite.',
      input: z.object({ path, content: z.string().max(500_000), overwrite: z.boolean().default(false) }),
      effect: 'once',
      risk: 'send',
      request: ({ path, content, overwrite }) => ({
        method: 'POST',
        path: 'https://content.dropboxapi.com/2/files/upload',
        headers: { 'dropbox-api-arg': argument({ path, mode: overwrite ? 'overwrite' : 'add' }) },
        content: { type: 'application/octet-stream', body: content },
      }),
      answer: { pick: ['id', 'path_display', 'size', 'server_modified'] },
    }),
    tool({
      name: 'share_link',
      description: 'Use this to create a link that lets anyone see a file or folder.',
      input: z.object({ path }),
      effect: 'once',
      risk: 'share',
      request: call('sharing/create_shared_link_with_settings', { path: from('path') }),
      answer: { pick: ['url', 'name', 'path_lower'] },
    }),
    tool({
      name: 'delete_file',
      description: 'Use this to delete a file, or a folder with all its content.',
      input: z.object({ path }),
      effect: 'idempotent',
      risk: 'delete',
      request: call('files/delete_v2', { path: from('path') }),
      answer: { at: 'metadata', pick: ['name', 'path_display'] },
    }),
  ],
  receiver: dropboxReceiver,
}
