import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { TEMPLATE_BLOCKS_MAX, TEMPLATES_MAX } from './list-options.ts'
import { PreviewShape } from './previews.ts'
import { PROJECT_VISIBILITIES, Project, ProjectRef } from './projects.ts'

const Description = text(0, 1000).nullable()

const TemplateRef = z
  .string()
  .regex(/^[0-9a-z]+(-[0-9a-z]+)*$/i, 'must be a template id')
  .max(100)
  .describe('Template id')
  .meta({ examples: ['weekly-report'] })

export const Template = z.object({
  id: z.string().describe('A UUID; a name such as `weekly-report` for a template that Atrium ships'),
  source: z.enum(['shipped', 'organization']),
  name: z.string(),
  description: z.string().nullable(),
  emoji: z.string().nullable(),
  blockCount: z.int(),
  shapes: z.array(PreviewShape).describe('Small picture of its canvas'),
  createdBy: z.object({ id: Id, name: z.string() }).nullable().describe('Null for a shipped template'),
  canEdit: z.boolean().describe('Whether you can rename and delete it; its creator, admins and owners can'),
  createdAt: Timestamp.nullable(),
  updatedAt: Timestamp.nullable(),
})

const params = z.object({ id: TemplateRef })

export const templates = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/templates',
    summary: 'List templates',
    description: 'The organization’s templates by name, then those that Atrium ships.',
    access: member(),
    output: z.object({ items: z.array(Template) }),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/templates',
    summary: 'Save a project as a template',
    description: `Copies the canvas, instructions and tags from a project you can edit. Everyone in the organization sees the template and can start projects from it. Conversations, history, files, memory, metadata and agent block answers are not copied. A template has at most ${TEMPLATE_BLOCKS_MAX.toLocaleString('en')} blocks, and an organization ${TEMPLATES_MAX} templates. Returns CONFLICT beyond that.`,
    access: member({ edits: true }),
    body: z.object({
      projectId: ProjectRef,
      name: displayName(1, 255).optional().describe('Defaults to the project name'),
      description: Description.optional(),
    }),
    failures: ['NOT_FOUND'],
    output: Template,
    status: 201,
    idempotent: true,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/templates/:id',
    summary: 'Update a template',
    description:
      'With `projectId`, the template becomes a copy of that project. Only its creator, admins and owners can change a template. Shipped templates cannot be changed.',
    access: member({ edits: true }),
    params,
    body: z
      .object({
        name: displayName(1, 255)
          .optional()
          .meta({ examples: ['Launch'] }),
        description: Description.optional(),
        projectId: ProjectRef.optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    output: Template,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/templates/:id',
    summary: 'Delete a template',
    description: 'Projects started from it are kept.',
    access: member({ edits: true }),
    params,
    output: z.object({ deleted: z.literal(true) }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/projects/from-template',
    summary: 'Create a project from a template',
    description:
      'From a template (`template`), or from an existing project (`projectId`), whose canvas, instructions and tags are copied. Conversations, history, files, memory, metadata and agent block answers are not copied; `duplicate` also copies files and memory.',
    access: member({ edits: true }),
    heavy: true,
    body: z
      .object({
        template: TemplateRef.optional(),
        projectId: ProjectRef.optional(),
        name: displayName(1, 255).optional().describe('Defaults to the template or project name'),
        description: text(0, 5000).nullable().optional(),
        emoji: text(0, 16).nullable().optional(),
        visibility: z.enum(PROJECT_VISIBILITIES).optional().describe('Defaults to your settings, or `team`'),
      })
      .refine(({ template, projectId }) => (template === undefined) !== (projectId === undefined), {
        error: 'must have either template or projectId',
      })
      .meta({ examples: [{ template: 'weekly-report', name: 'Week 47' }] }),
    failures: ['NOT_FOUND', 'CONFLICT'],
    output: Project,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
}
