import { z } from 'zod'
import { browser, endpoint, operator, steppedUp } from '../endpoint.ts'
import { Id, Timestamp } from '../fields.ts'
import { EXPORT_DAYS, EXPORT_STATUSES, EXPORTS_MAX } from './lifecycle-options.ts'

const AREA = 'Exporting an organization'
const byId = z.object({ id: Id })

export const OrganizationExport = z.object({
  id: Id,
  status: z.enum(EXPORT_STATUSES),
  requestedBy: z.object({ id: Id, name: z.string() }).nullable(),
  byOperator: z.boolean(),
  requestedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable().describe('Until when it can be downloaded'),
  progress: z.object({
    tables: z.int(),
    tablesTotal: z.int(),
    rows: z.int(),
    files: z.int(),
    filesTotal: z.int(),
    bytes: z.int().describe('Archive size so far'),
  }),
  bytes: z.int().nullable().describe('Archive size'),
  error: z.string().nullable(),
})

const List = z.object({ items: z.array(OrganizationExport).describe('Newest first, at most 20') })

const CONTENT = `A ZIP archive: \`manifest.json\`, \`tables/*.jsonl\` with one JSON object per row, and \`files/\` with the file contents. It contains everything stored for the organization, but no secrets and no rows from other organizations. It can be downloaded for ${EXPORT_DAYS} days, or until ${EXPORTS_MAX} newer ones are ready.`
const ONE_AT_A_TIME = 'Returns CONFLICT while another export for the organization is in progress.'

export const organizationExports = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/org/exports',
    summary: 'List the organization’s exports',
    description: 'Exports requested by owners.',
    access: browser(AREA, { role: 'owner' }),
    output: List,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/org/exports',
    summary: 'Export the organization',
    description: `${CONTENT} ${ONE_AT_A_TIME}`,
    access: steppedUp(AREA, { role: 'owner' }),
    failures: ['CONFLICT'],
    output: OrganizationExport,
    status: 202,
    limit: { name: 'org-export', by: 'caller', capacity: 20, perSeconds: 86_400 },
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/v1/org/exports/:id/content',
    summary: 'Download an organization export',
    description: 'Returns NOT_FOUND unless its status is `ready`. Supports ranges.',
    access: steppedUp(AREA, { role: 'owner' }),
    params: byId,
    output: z.null(),
    bytes: 'always',
  }),
  listOf: endpoint({
    method: 'GET',
    path: '/api/v1/admin/organizations/:id/exports',
    summary: 'List an organization’s exports',
    access: operator(AREA),
    params: byId,
    output: List,
  }),
  createOf: endpoint({
    method: 'POST',
    path: '/api/v1/admin/organizations/:id/exports',
    summary: 'Export an organization',
    description: `${CONTENT} ${ONE_AT_A_TIME} Recorded in the organization’s audit log.`,
    access: steppedUp(AREA, { operator: true }),
    params: byId,
    failures: ['CONFLICT'],
    output: OrganizationExport,
    status: 202,
  }),
  downloadOf: endpoint({
    method: 'GET',
    path: '/api/v1/admin/organizations/:id/exports/:exportId/content',
    summary: 'Download an organization’s export',
    description:
      'Returns NOT_FOUND unless its status is `ready`. Supports ranges. Recorded in the audit log.',
    access: steppedUp(AREA, { operator: true }),
    params: byId.extend({ exportId: Id }),
    output: z.null(),
    bytes: 'always',
  }),
}
