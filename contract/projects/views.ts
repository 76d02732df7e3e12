import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { PROJECT_SORTS, SORT_ORDERS, VIEWS_MAX } from './list-options.ts'
import { PROJECT_STATUSES, PROJECT_VISIBILITIES } from './projects.ts'

export const ViewSettings = z
  .strictObject({
    status: z.enum(PROJECT_STATUSES).optional().describe('All if absent'),
    visibility: z.enum(PROJECT_VISIBILITIES).optional(),
    workspaceId: Id.optional().describe('All workspaces if absent'),
    search: text(1, 255, { trim: false }).optional(),
    tag: text(1, 80).optional(),
    favourites: z.enum(['only', 'first']).optional().describe('For the user who opens the view'),
    sort: z.enum(PROJECT_SORTS).optional().describe('Default: `created`'),
    order: z.enum(SORT_ORDERS).optional(),
    layout: z.enum(['list', 'board', 'cards']).optional().describe('Default: `list`'),
  })
  .describe('Filter, order and layout for the project list')

export const ProjectView = z.object({
  id: Id,
  name: z.string(),
  shared: z.boolean().describe('Whether everyone in the organization sees it'),
  settings: ViewSettings,
  createdBy: z.object({ id: Id, name: z.string() }),
  canEdit: z
    .boolean()
    .describe('Whether you can change it; its creator can, and for a shared view also admins and owners'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const params = z.object({ id: Id })

export const projectViews = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/project-views',
    summary: 'List saved views',
    description: 'Your views and the organization’s shared views, by name.',
    access: member(),
    output: z.object({ items: z.array(ProjectView) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/project-views',
    summary: 'Save a view',
    description: `A view shows each user only the projects they can see. You can have ${VIEWS_MAX} views, and an organization ${VIEWS_MAX} shared ones. Returns CONFLICT beyond that. Members who cannot edit in any workspace cannot share a view.`,
    failures: ['FORBIDDEN'],
    access: member(),
    body: z.object({
      name: displayName(1, 80).meta({ examples: ['Archived, by name'] }),
      shared: z.boolean().default(false),
      settings: ViewSettings,
    }),
    output: ProjectView,
    status: 201,
    idempotent: true,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/project-views/:id',
    summary: 'Update a view',
    description: 'Only its creator can change a view; admins and owners can also change shared ones.',
    access: member(),
    params,
    body: z
      .object({
        name: displayName(1, 80)
          .optional()
          .meta({ examples: ['Archived'] }),
        shared: z.boolean().optional(),
        settings: ViewSettings.optional().describe('Replaces all settings'),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    failures: ['FORBIDDEN', 'CONFLICT'],
    output: ProjectView,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/project-views/:id',
    summary: 'Delete a view',
    access: member(),
    params,
    failures: ['FORBIDDEN'],
    output: z.object({ deleted: z.literal(true) }),
  }),
}
