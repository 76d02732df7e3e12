import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryInteger, Timestamp, tags, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { MEMORY_CHANGES, MEMORY_LIMITS, MEMORY_SCOPES, MEMORY_STATUSES } from './memory-options.ts'

export const MEMORY_AREA = 'Deleting a memory'
/** 200 memories with 8,000 characters at up to four bytes, plus keys. */
const IMPORT_BYTES_MAX = 8_388_608

const Scope = z.enum(MEMORY_SCOPES, { error: 'must be project or org' })
const Person = z.object({ id: Id, name: z.string() })

const key = displayName(1, MEMORY_LIMITS.key)
  .describe('Name used to find and replace it; unique in its scope')
  .meta({ examples: ['deployment'] })
const content = text(1, MEMORY_LIMITS.content, { trim: false })
  .refine((value) => value.trim() !== '', 'must not be blank')
  .meta({ examples: ['Releases go out on Tuesdays'] })

export const Memory = z.object({
  id: Id,
  scope: z.enum(MEMORY_SCOPES),
  projectId: Id.nullable().describe('Null for the scope `org`'),
  projectName: z.string().nullable(),
  key: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  source: z.enum(['person', 'run']).describe('Who wrote the text'),
  status: z.enum(MEMORY_STATUSES).describe('`proposed`: no agent sees it until a member accepts it'),
  by: Person.nullable().describe('The author, or the member whose run wrote the text'),
  runId: Id.nullable().describe('Run that wrote the text'),
  replaces: z
    .object({ id: Id, content: z.string(), tags: z.array(z.string()) })
    .nullable()
    .describe('For a proposal: the memory with the same key, which accepting replaces'),
  canEdit: z.boolean(),
  version: z.int().describe('Increases with every change'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const MemoryVersion = z.object({
  version: z.int(),
  change: z.enum(MEMORY_CHANGES),
  key: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  source: z.enum(['person', 'run']),
  by: Person.nullable(),
  runId: Id.nullable(),
  restoredFrom: z.int().nullable(),
  createdAt: Timestamp,
})

const scopeFields = {
  scope: Scope.optional().describe('Defaults to `project` with a `projectId`, otherwise `org`'),
  projectId: ProjectRef.nullish(),
}
const params = z.object({ id: Id })
const writes = member({ edits: true })
const limit = { name: 'memory', by: 'caller', capacity: 240, perSeconds: 60 } as const

export const memory = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/memory',
    summary: 'List and search memory',
    description:
      'Newest first without `q`. `q` searches keys, tags and contents: words, "exact phrases", `or` and `-without`; best match first, then newest. In large memories, a search ranks only the newest matches.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      projectId: ProjectRef.optional().describe('Only this project’s memory'),
      scope: Scope.optional(),
      status: z.enum(MEMORY_STATUSES, { error: 'must be active or proposed' }).default('active'),
      q: text(1, MEMORY_LIMITS.query).optional(),
    }),
    output: cursorPage(
      Memory.extend({ score: z.number().nullable().describe('How well it matches `q`') }),
    ).extend({ proposedCount: z.int().describe('Proposals you can decide, at most 100') }),
    tool: 'read',
    standby: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/memory',
    summary: 'Save a memory',
    description:
      'A memory with the same key in the same scope gets the new text; its versions keep the previous one. A memory saved by a run that has read untrusted content is `proposed`.',
    access: writes,
    body: z.object({ ...scopeFields, key, content, tags: tags().default([]) }),
    output: Memory,
    status: 201,
    also: { 200: 'The memory with this key was replaced' },
    idempotent: true,
    limit,
    tool: 'write',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/memory/:id',
    summary: 'Get a memory',
    access: member(),
    params,
    output: Memory,
    versioned: true,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/memory/:id',
    summary: 'Change a memory',
    description:
      '`status: active` accepts a proposal, with the changed text if there is one. Returns CONFLICT if another memory in the scope has the key.',
    access: writes,
    params,
    body: z
      .object({
        key: key.optional(),
        content: content.optional(),
        tags: tags().optional(),
        status: z.literal('active', { error: 'must be active' }).optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ content: 'Releases go out on Wednesdays' }] }),
    output: Memory,
    versioned: true,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/memory/:id',
    summary: 'Delete a memory',
    description: 'Deletes it permanently, with its versions.',
    access: steppedUp(MEMORY_AREA, { edits: true }),
    params,
    output: z.object({ id: Id, deleted: z.literal(true) }),
    versioned: true,
    limit,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/v1/memory/:id/accept',
    summary: 'Accept a proposed memory',
    description:
      'Agents see it from then on. Replaces the memory with the same key, whose versions keep the previous text, and returns that memory. Returns CONFLICT if the proposal was already decided.',
    access: writes,
    params,
    output: Memory,
    limit,
  }),
  reject: endpoint({
    method: 'POST',
    path: '/api/v1/memory/:id/reject',
    summary: 'Reject a proposed memory',
    description: 'Returns CONFLICT if the proposal was already decided.',
    access: writes,
    params,
    output: Memory,
    limit,
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/v1/memory/:id/reopen',
    summary: 'Undo a decision on a proposed memory',
    description:
      'Takes the proposal’s id. Restores the text that accepting replaced. Returns CONFLICT if the memory has changed since.',
    access: writes,
    params,
    output: Memory,
    limit,
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/v1/memory/:id/merge',
    summary: 'Merge a memory into another',
    description:
      'Sets this memory’s text, and removes the other one in the same scope; this memory’s versions keep both previous texts.',
    access: writes,
    params,
    body: z.object({
      otherId: Id.describe('Memory that is removed'),
      key: key.optional(),
      content,
      tags: tags().optional().describe('Defaults to the tags from both'),
    }),
    output: Memory,
    versioned: true,
    limit,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/v1/memory/:id/versions',
    summary: 'List memory versions',
    description: `Newest first; the last ${MEMORY_LIMITS.versions} are available.`,
    access: member(),
    params,
    query: z.object({ ...cursorQuery, limit: queryInteger(1, 50, 20) }),
    output: cursorPage(MemoryVersion),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/memory/:id/versions/:version/restore',
    summary: 'Restore a memory version',
    description: 'Returns CONFLICT if another memory in the scope has its key.',
    access: writes,
    params: params.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) }),
    output: Memory,
    versioned: true,
    limit,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/memory/export',
    summary: 'Export memory',
    description:
      'A project’s active memories, or the organization’s without `projectId`, as one document. The JSON document is a body for `import`.',
    access: member(),
    query: z.object({
      projectId: ProjectRef.optional(),
      format: z.enum(['json', 'markdown'], { error: 'must be json or markdown' }).default('json'),
    }),
    output: z.null(),
    bytes: 'always',
    limit: { name: 'memory-export', by: 'caller', capacity: 20, perSeconds: 60 },
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/v1/memory/import',
    summary: 'Import memory',
    description:
      'Saves all or none. Memories with the same keys get the new texts; versions keep the previous ones.',
    access: writes,
    body: z.object({
      ...scopeFields,
      items: z
        .array(z.strictObject({ key, content, tags: tags().default([]) }))
        .min(1, 'must have at least one item')
        .max(MEMORY_LIMITS.importItems, `must have at most ${MEMORY_LIMITS.importItems} items`)
        .refine(
          (items) => new Set(items.map((item) => item.key)).size === items.length,
          'must not contain duplicate keys',
        ),
    }),
    bodyBytesMax: IMPORT_BYTES_MAX,
    output: z.object({ created: z.int(), replaced: z.int(), unchanged: z.int() }),
    idempotent: true,
    limit: { name: 'memory-import', by: 'caller', capacity: 30, perSeconds: 60 },
  }),
}
