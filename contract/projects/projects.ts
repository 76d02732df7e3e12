import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, jsonObject, queryFlag, Timestamp, tags, text } from '../fields.ts'
import { PROJECT_SORTS, SORT_ORDERS } from './list-options.ts'
import { TRASH_DAYS } from './trash-days.ts'

export const PROJECT_STATUSES = ['active', 'archived', 'completed'] as const
export const PROJECT_VISIBILITIES = ['team', 'private'] as const
export const METADATA_BYTES_MAX = 32_768

const Status = z.enum(PROJECT_STATUSES)
const Visibility = z.enum(PROJECT_VISIBILITIES)

export const ProjectRef = z
  .string()
  .regex(/^[0-9a-z]+(-[0-9a-z]+)*$/i)
  .max(100)
  .describe('Project id or slug')
  .meta({ examples: ['0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'] })

/** A decimal string, because a double would lose precision. */
export const Money = z.object({
  amount: z.string().meta({ examples: ['1.234500'] }),
  currency: z.literal('USD'),
})

export const Project = z.object({
  id: Id,
  orgId: Id,
  workspaceId: Id.describe('Primary workspace'),
  userId: Id.describe('The creator'),
  name: z.string(),
  slug: z.string().describe('Derived from the first name; does not change when the project is renamed'),
  description: z.string().nullable(),
  prompt: z.string().nullable().describe('System prompt for agents in this project'),
  emoji: z.string().nullable(),
  visibility: Visibility.describe(
    '`team`: visible to members of its workspaces; `private`: visible only to its creator',
  ),
  status: Status,
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  folderId: Id.nullable().describe('Project folder'),
  spend: Money.describe('Total cost of its runs'),
  canEdit: z.boolean().describe('Whether you can edit it; workspace viewers have view-only access'),
  lastActivityAt: Timestamp.describe('Time of the last canvas change'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp.nullable(),
  purgesAt: Timestamp.nullable().describe('When a deleted project is purged'),
})

const WorkspaceName = z.object({ id: Id, name: z.string() })

export const ProjectDetails = Project.extend({
  sharedWorkspaces: z
    .array(WorkspaceName)
    .describe('Workspaces that it is shared with, in addition to the primary workspace'),
})

const Name = displayName(1, 255)
const Description = text(0, 5000).nullable()
const Prompt = text(0, 12_000, { trim: false }).nullable()
const Emoji = text(0, 16).nullable()

const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype']
const hasForbiddenKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.keys(value).some((key) => FORBIDDEN_KEYS.includes(key)) ||
    Object.values(value).some(hasForbiddenKey))

export const Metadata = jsonObject(METADATA_BYTES_MAX).refine((value) => !hasForbiddenKey(value), {
  error: 'must not have a key named __proto__, constructor or prototype',
})

const params = z.object({ id: ProjectRef })

const NavigatorFile = z.object({
  id: Id,
  name: z.string(),
  mimeType: z.string(),
  size: z.int(),
  source: z.enum(['upload', 'folder', 'link']),
  children: z.array(z.unknown()).optional().describe('For a folder: its files, recursively'),
})

const NavigatorBlock = z.object({
  id: Id,
  type: z.string(),
  title: z.string().nullable().describe('Title, or the first characters of the content'),
  parentId: Id.nullable(),
})

export const projects = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/projects',
    summary: 'List projects',
    description:
      'Projects in your workspaces and your private projects, newest first. Returns all of them if `limit` is absent. `search` is a case-insensitive substring. `trashed` lists deleted projects, most recently deleted first. `sort=opened` lists the projects you opened in the dashboard first, then the others.',
    access: member(),
    query: z.object({
      status: Status.optional(),
      visibility: Visibility.optional(),
      workspaceId: Id.optional().describe(
        'Returns only projects in this workspace and projects shared with it',
      ),
      search: text(1, 255, { trim: false }).optional(),
      tag: text(1, 80).optional(),
      trashed: queryFlag(),
      favourites: queryFlag().describe('Returns only your favorites'),
      sort: z
        .enum(PROJECT_SORTS)
        .optional()
        .describe('Defaults to `created`. `updated` covers canvas changes, and lags by up to a minute'),
      order: z.enum(SORT_ORDERS).optional().describe('Defaults to `asc` for `name`, otherwise `desc`'),
      limit: cursorQuery.limit.removeDefault().optional(),
      cursor: cursorQuery.cursor,
    }),
    output: cursorPage(Project),
    tool: 'read',
    standby: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/projects',
    summary: 'Create a project',
    description:
      'Creates the project and its folder in your active workspace. If `name` is absent, the configured language model generates one from the description.',
    access: member({ edits: true }),
    body: z
      .object({
        name: displayName(0, 255)
          .nullable()
          .optional()
          .meta({ examples: ['Launch plan'] }),
        description: Description.optional(),
        prompt: Prompt.optional(),
        emoji: Emoji.optional(),
        visibility: Visibility.optional().describe('Defaults to your settings, or `team`'),
      })
      .refine(({ name, description }) => name || description, { error: 'must have a name or a description' }),
    failures: ['NOT_FOUND'],
    output: Project,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
  sample: endpoint({
    method: 'POST',
    path: '/api/v1/projects/sample',
    summary: 'Create a sample project',
    description:
      'Creates a private project in your active workspace with a canvas, a file, an agent block and a conversation. Its agent uses a test model, which needs no provider and costs nothing. Omits the agent and conversation if the organization does not allow test models.',
    access: member({ edits: true, scope: 'files:write' }),
    output: z.object({
      project: Project,
      sessionId: Id.nullable().describe('The conversation'),
      agentBlockId: Id.nullable().describe('Agent block on the canvas, which has not run yet'),
    }),
    status: 201,
    idempotent: true,
    limit: { name: 'sample-projects', by: 'caller', capacity: 5, perSeconds: 60 },
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:id',
    summary: 'Get a project',
    access: member(),
    params,
    output: ProjectDetails,
    versioned: true,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/projects/:id',
    summary: 'Update a project',
    description:
      'Renaming a project renames its folder. The slug stays the same, except for a project created without a name: it gets a slug from its first name. Only the creator can make a project private.',
    access: member({ edits: true }),
    params,
    body: z
      .object({
        name: Name.optional().meta({ examples: ['Launch plan, autumn'] }),
        description: Description.optional(),
        prompt: Prompt.optional(),
        emoji: Emoji.optional(),
        status: Status.optional(),
        visibility: Visibility.optional(),
        tags: tags().optional().describe('Replaces all tags'),
        metadata: Metadata.optional().describe('Replaces the whole object'),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    output: Project,
    versioned: true,
    tool: 'write',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:id',
    summary: 'Delete a project',
    description: `Moves the project and its folder to the trash. \`undelete\` restores them for ${TRASH_DAYS} days; then the project is purged. \`permanent=true\` purges a project in the trash, with its canvas, files, conversations and history, and requires step-up. Only its creator, admins and owners can purge a project.`,
    access: member({ edits: true, steppedUpIf: { query: 'permanent', area: 'Permanent deletion' } }),
    params,
    query: z.object({ permanent: queryFlag() }),
    output: z.object({ deleted: z.literal(true) }),
    envelope: true,
    tool: 'write',
  }),
  undelete: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:id/undelete',
    summary: 'Restore a deleted project',
    description: 'Restores the folder, the canvas and the history. Share links stay revoked.',
    access: member({ edits: true }),
    params,
    output: Project,
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:id/duplicate',
    summary: 'Duplicate a project',
    description:
      'Copies the canvas and the files, which share the stored bytes. Sessions, history and share links are not copied. You own the copy.',
    access: member({ edits: true }),
    heavy: true,
    params,
    output: Project,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
  navigator: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:id/navigator',
    summary: 'Get the project navigator',
    access: member(),
    heavy: true,
    params,
    output: z.object({
      project: z.object({ id: Id, name: z.string(), slug: z.string(), emoji: z.string().nullable() }),
      files: z.array(NavigatorFile).describe('Project folder tree'),
      canvas: z.object({
        groups: z.array(NavigatorBlock),
        blocks: z.array(NavigatorBlock).describe('All blocks except groups'),
      }),
      counts: z.object({
        files: z.int(),
        folders: z.int(),
        groups: z.int(),
        blocks: z.int(),
        edges: z.int(),
      }),
    }),
    tool: 'read',
  }),
  shareWithWorkspace: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:id/workspaces',
    summary: 'Share a project with a workspace',
    description:
      'Requires edit access to the workspace. With `primary`, it becomes the project’s primary workspace.',
    access: member({ edits: true }),
    params,
    body: z.object({ workspaceId: Id, primary: z.boolean().default(false) }),
    output: ProjectDetails,
    status: 201,
  }),
  unshareFromWorkspace: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:id/workspaces/:workspaceId',
    summary: 'Stop sharing a project with a workspace',
    description: 'Returns CONFLICT for the primary workspace.',
    access: member({ edits: true }),
    params: params.extend({ workspaceId: Id }),
    output: ProjectDetails,
  }),
}
