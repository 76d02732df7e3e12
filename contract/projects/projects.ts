import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, jsonObject, queryFlag, Timestamp, tags, text } from '../fields.ts'

export const PROJECT_STATUSES = ['active', 'archived', 'completed'] as const
export const PROJECT_VISIBILITIES = ['team', 'private'] as const
const METADATA_BYTES_MAX = 32_768

const Status = z.enum(PROJECT_STATUSES)
const Visibility = z.enum(PROJECT_VISIBILITIES)

/** A project in a path: its id, or its slug. */
export const ProjectRef = z
  .string()
  .regex(/^[0-9a-z]+(-[0-9a-z]+)*$/i)
  .max(100)
  .describe('The id of the project, or its slug')
  .meta({ examples: ['0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'] })

/** Decimal, so that nothing is lost on the way. */
export const Money = z.object({
  amount: z.string().meta({ examples: ['1.234500'] }),
  currency: z.literal('USD'),
})

export const Project = z.object({
  id: Id,
  orgId: Id,
  workspaceId: Id.describe('The primary workspace'),
  userId: Id.describe('Who created it'),
  name: z.string(),
  slug: z.string().describe('Made from the first name; stays when the name changes'),
  description: z.string().nullable(),
  prompt: z.string().nullable().describe('The system prompt of everything that works in the project'),
  emoji: z.string().nullable(),
  visibility: Visibility.describe('`team`: everyone in its workspaces; `private`: its creator only'),
  status: Status,
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  folderId: Id.nullable().describe('Its folder in the file tree'),
  spend: Money.describe('What the work in it has cost so far'),
  canEdit: z.boolean().describe('Whether you may change it; viewers of its workspace may only look'),
  lastActivityAt: Timestamp.describe('When its canvas last changed'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp.nullable(),
})

const WorkspaceName = z.object({ id: Id, name: z.string() })

/** One project closely. */
export const ProjectDetails = Project.extend({
  sharedWorkspaces: z.array(WorkspaceName).describe('Where it is shared into, beyond its primary workspace'),
})

const Name = text(1, 255)
const Description = text(0, 5000).nullable()
const Prompt = text(0, 12_000, { trim: false }).nullable()
const Emoji = text(0, 16).nullable()

const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype']
const hasForbiddenKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.keys(value).some((key) => FORBIDDEN_KEYS.includes(key)) ||
    Object.values(value).some(hasForbiddenKey))

/** Free-form, of projects and blocks alike. */
export const Metadata = jsonObject(METADATA_BYTES_MAX).refine((value) => !hasForbiddenKey(value), {
  error: `must not have a key named ${FORBIDDEN_KEYS.join(', ')}`,
})

const params = z.object({ id: ProjectRef })

const NavigatorFile = z.object({
  id: Id,
  name: z.string(),
  mimeType: z.string(),
  size: z.int(),
  source: z.enum(['upload', 'folder', 'link']),
  children: z.array(z.unknown()).optional().describe('What is in a folder: more of the same'),
})

const NavigatorBlock = z.object({
  id: Id,
  type: z.string(),
  title: z.string().nullable().describe('Its title, or the beginning of its content'),
  parentId: Id.nullable(),
})

export const projects = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/projects',
    summary: 'List projects',
    description:
      'Newest first: those of your workspaces, and your private ones. Without `limit` all of them at once. `search` is literal and ignores case. `trashed` lists what was deleted.',
    access: member(),
    query: z.object({
      status: Status.optional(),
      visibility: Visibility.optional(),
      workspaceId: Id.optional().describe('Only what is at home in this workspace or shared into it'),
      search: text(1, 255, { trim: false }).optional(),
      tag: text(1, 80).optional(),
      trashed: queryFlag(),
      limit: cursorQuery.limit.removeDefault().optional(),
      cursor: cursorQuery.cursor,
    }),
    output: cursorPage(Project),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/projects',
    summary: 'Create a project',
    description:
      'In your active workspace, with a folder of its own. Without a name, one is made from the description by the configured language model.',
    access: member(),
    body: z
      .object({
        name: text(0, 255)
          .nullable()
          .optional()
          .meta({ examples: ['Launch plan'] }),
        description: Description.optional(),
        prompt: Prompt.optional(),
        emoji: Emoji.optional(),
        visibility: Visibility.optional().describe('By default what your settings say, else `team`'),
      })
      .refine(({ name, description }) => name || description, { error: 'must have a name or a description' }),
    output: Project,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:id',
    summary: 'Read a project',
    access: member(),
    params,
    output: ProjectDetails,
    versioned: true,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/projects/:id',
    summary: 'Change a project',
    description: 'A new name is also the new name of its folder. Only its creator can make it private.',
    access: member(),
    params,
    body: z
      .object({
        name: Name.optional().meta({ examples: ['Launch plan, autumn'] }),
        description: Description.optional(),
        prompt: Prompt.optional(),
        emoji: Emoji.optional(),
        status: Status.optional(),
        visibility: Visibility.optional(),
        tags: tags().optional().describe('Replaces the list'),
        metadata: Metadata.optional().describe('Replaces the whole'),
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
    description: 'With its folder and everything in it. It can be brought back with `undelete`.',
    access: member(),
    params,
    output: z.object({ deleted: z.literal(true) }),
    envelope: true,
    tool: 'write',
  }),
  undelete: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:id/undelete',
    summary: 'Bring a deleted project back',
    description: 'As it was, with its folder, its canvas and its history; share links stay revoked.',
    access: member(),
    params,
    output: Project,
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:id/duplicate',
    summary: 'Duplicate a project',
    description:
      'Its canvas and its files, on the same stored bytes; no sessions, no history, no share links. The clone is yours.',
    access: member(),
    params,
    output: Project,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
  navigator: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:id/navigator',
    summary: 'Read what is in a project, for a sidebar',
    access: member(),
    params,
    output: z.object({
      project: z.object({ id: Id, name: z.string(), slug: z.string(), emoji: z.string().nullable() }),
      files: z.array(NavigatorFile).describe('The tree of its folder'),
      canvas: z.object({
        groups: z.array(NavigatorBlock),
        blocks: z.array(NavigatorBlock).describe('Everything that is no group'),
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
    summary: 'Share a project into a further workspace, or move it there',
    description: 'One that you can see and edit in. With `primary` the project moves its home there.',
    access: member(),
    params,
    body: z.object({ workspaceId: Id, primary: z.boolean().default(false) }),
    output: ProjectDetails,
    status: 201,
  }),
  unshareFromWorkspace: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:id/workspaces/:workspaceId',
    summary: 'Take a project out of a workspace it was shared into',
    description: 'Its primary workspace stays: CONFLICT.',
    access: member(),
    params: params.extend({ workspaceId: Id }),
    output: ProjectDetails,
  }),
}
