import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import {
  SOURCE_ACTIONS,
  SOURCE_KIND_NAMES,
  SOURCE_LIMITS,
  SOURCE_PAUSE_NAMES,
  SOURCE_STATES,
} from './source-options.ts'

const httpUrl = text(1, 2000).refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'must be a URL such as https://docs.example.com',
)
const folderPath = text(0, 1000).refine(
  (value) => !value.split('/').some((part) => part === '..' || part === '.'),
  'must not contain . or ..',
)

/** By kind. What names the outside folder, space, repository or site. */
export const SOURCE_SETTINGS = {
  github: z.strictObject({
    repository: text(3, 200)
      .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, 'must be owner/name')
      .meta({ examples: ['acme/handbook'] }),
    branch: text(1, 250).optional().describe('Defaults to the default branch'),
    path: folderPath.optional().describe('Folder in the repository; all of it if absent'),
  }),
  website: z.strictObject({
    url: httpUrl.describe('The site’s address, or its sitemap’s'),
    path: folderPath.optional().describe('Only pages whose path begins with this, such as /docs/'),
    pages: z
      .int()
      .min(1)
      .max(SOURCE_LIMITS.websitePages)
      .optional()
      .describe('At most this many; default 500'),
  }),
  notion: z.strictObject({
    pageId: text(32, 36)
      .regex(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, 'must be a Notion id: 32 hexadecimal digits')
      .optional()
      .describe('A page or database, with everything below it; all that the connection may read if absent'),
  }),
  google_drive: z.strictObject({
    folderId: text(5, 200)
      .regex(/^[\w-]+$/, 'must be a folder id')
      .describe('The last part of the folder’s URL'),
  }),
  dropbox: z.strictObject({
    path: folderPath.describe('Such as /Handbook; the whole account if empty'),
  }),
  confluence: z.strictObject({
    spaceKey: text(1, 255)
      .regex(/^~?[\w.-]+$/, 'must be a space key')
      .describe('Such as DOCS, as in the space’s URL'),
  }),
  sharepoint: z.strictObject({
    url: httpUrl
      .refine((value) => value.startsWith('https://'), 'must begin with https://')
      .describe('A link to the folder, as “Copy link” gives it'),
  }),
} as const satisfies Record<(typeof SOURCE_KIND_NAMES)[number], z.ZodObject>

const settings = z
  .record(z.string(), z.unknown())
  .describe(
    'By kind: `repository`, `branch`, `path` (github); `url`, `path`, `pages` (website); `pageId` (notion); `folderId` (google_drive); `path` (dropbox); `spaceKey` (confluence); `url` (sharepoint)',
  )
  .meta({ examples: [{ repository: 'acme/handbook', path: 'docs' }] })
const name = displayName(1, SOURCE_LIMITS.name)
const interval = z
  .int()
  .min(SOURCE_LIMITS.intervalMinutesMin, `must be at least ${SOURCE_LIMITS.intervalMinutesMin}`)
  .max(SOURCE_LIMITS.intervalMinutesMax, `must be at most ${SOURCE_LIMITS.intervalMinutesMax}`)
  .describe('Minutes between syncs')

const Counts = z.object({
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  skipped: z.int(),
  bytes: z.int().describe('Downloaded'),
})

const SourceSync = Counts.extend({
  id: Id,
  trigger: z.enum(['schedule', 'manual']),
  outcome: z.enum(['running', 'succeeded', 'failed', 'paused']),
  error: z.string().nullable(),
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
})

export const KnowledgeSource = z.object({
  id: Id,
  kind: z.enum(SOURCE_KIND_NAMES),
  name: z.string(),
  projectId: Id,
  projectName: z.string(),
  folderId: Id.describe('Folder that it syncs into'),
  connectionId: Id.nullable().describe('Null for a website'),
  connectionLabel: z.string().nullable().describe('Account of the connection'),
  settings: z.record(z.string(), z.unknown()),
  intervalMinutes: z.int(),
  enabled: z.boolean(),
  state: z
    .enum(SOURCE_STATES)
    .describe('`failing`: the last sync failed and is tried again. `off`: not enabled'),
  paused: z
    .object({
      reason: z.enum(SOURCE_PAUSE_NAMES),
      message: z.string(),
      detail: z.string().nullable(),
      at: Timestamp,
    })
    .nullable()
    .describe('Why the server stopped syncing. Set `enabled: true` to resume'),
  lastError: z.string().nullable().describe('Why the last sync failed; null if it succeeded'),
  lastSyncedAt: Timestamp.nullable().describe('End of the last complete sync'),
  nextSyncAt: Timestamp.nullable(),
  itemCount: z.int().describe('Items found by the last listing, with skipped ones'),
  sync: SourceSync.nullable().describe('The sync in progress, or the last one'),
  actsAs: z
    .object({ userId: Id, name: z.string() })
    .describe('Member whose permissions it writes files with'),
  canEdit: z.boolean(),
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const LogEntry = z.object({
  id: Id,
  syncId: Id,
  action: z
    .enum(SOURCE_ACTIONS)
    .describe('`removed`: moved to the trash. `kept`: changed or deleted here, so the sync left it alone'),
  path: z.string().describe('Path in the source'),
  fileId: Id.nullable(),
  reason: z.string().nullable(),
  createdAt: Timestamp,
})

const Reader = z.object({
  kind: z.enum(['creator', 'admins', 'workspace', 'guests']),
  name: z.string().describe('Member’s or workspace’s name; empty for admins and guests'),
  count: z.int().nullable().describe('Number of members; null for guests with a share link'),
})

const params = z.object({ id: Id })
const writes = member({ edits: true, scope: 'files:write' })
const reads = member({ scope: 'files:read' })
const limit = { name: 'sources', by: 'caller', capacity: 60, perSeconds: 60 } as const

export const sources = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/sources',
    summary: 'List synced sources',
    description: 'Sources in the projects you can see, newest first.',
    access: reads,
    query: z.object({ ...cursorQuery, projectId: ProjectRef.optional() }),
    output: cursorPage(KnowledgeSource),
    tool: 'read',
  }),
  readers: endpoint({
    method: 'GET',
    path: '/api/v1/sources/readers',
    summary: 'List who could read synced files',
    description:
      'Everyone with access to the project reads what its sources sync, whoever can read the original.',
    access: reads,
    query: z.object({ projectId: ProjectRef }),
    output: z.object({ visibility: z.enum(['team', 'private']), items: z.array(Reader) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/sources',
    summary: 'Add a synced source',
    description:
      'Syncs into a new folder, immediately and then at every interval, with the caller’s permissions and connection. Everyone with access to the project can read the files: `GET /sources/readers` names them, and `confirmReaders` confirms it.',
    access: writes,
    body: z.object({
      projectId: ProjectRef,
      kind: z.enum(SOURCE_KIND_NAMES),
      settings,
      connectionId: Id.optional().describe('Required, except for a website'),
      name: name.optional().describe('Also names the folder. Defaults to what it syncs'),
      parentId: Id.optional().describe('Folder for the new folder; the project’s folder if absent'),
      intervalMinutes: interval.default(60),
      confirmReaders: z.literal(true, {
        error: 'must be true: everyone with access to the project will be able to read the synced files',
      }),
    }),
    output: KnowledgeSource,
    status: 201,
    idempotent: true,
    limit,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/sources/:id',
    summary: 'Get a synced source',
    access: reads,
    params,
    output: KnowledgeSource,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/sources/:id',
    summary: 'Update a synced source',
    description:
      'After its settings or connection change, or with `enabled: true`, it acts with the caller’s permissions. `enabled: true` also resumes a paused source.',
    access: writes,
    params,
    body: z
      .object({ name, settings, connectionId: Id, intervalMinutes: interval, enabled: z.boolean() })
      .partial()
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ enabled: false }] }),
    output: KnowledgeSource,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/sources/:id',
    summary: 'Delete a synced source',
    description: 'Its files stay, unless `files` is `trash`, which moves its folder to the trash.',
    access: writes,
    params,
    query: z.object({ files: z.enum(['keep', 'trash']).default('keep') }),
    output: z.object({ deleted: z.literal(true) }),
    limit,
  }),
  sync: endpoint({
    method: 'POST',
    path: '/api/v1/sources/:id/sync',
    summary: 'Sync a source now',
    description:
      'Starts a sync, or lets the one in progress continue. Returns CONFLICT while the source is paused or not enabled.',
    access: writes,
    params,
    output: KnowledgeSource,
    status: 202,
    limit,
  }),
  log: endpoint({
    method: 'GET',
    path: '/api/v1/sources/:id/log',
    summary: 'List what a source’s syncs did',
    description: `Newest first. The newest ${SOURCE_LIMITS.log} entries are kept.`,
    access: reads,
    params,
    query: z.object({ ...cursorQuery, syncId: Id.optional(), action: z.enum(SOURCE_ACTIONS).optional() }),
    output: cursorPage(LogEntry),
    tool: 'read',
  }),
  syncs: endpoint({
    method: 'GET',
    path: '/api/v1/sources/:id/syncs',
    summary: 'List a source’s syncs',
    description: `Newest first. The newest ${SOURCE_LIMITS.syncs} are kept.`,
    access: reads,
    params,
    query: z.object(cursorQuery),
    output: cursorPage(SourceSync),
  }),
}
