import { z } from 'zod'
import { endpoint, operator, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, text } from '../fields.ts'
import { Erasure } from './erasures.ts'
import { ORGANIZATION_SORTS, ORGANIZATION_STATUSES } from './lifecycle-options.ts'

export const OPERATED_AREA = 'Operating organizations'
const byId = z.object({ id: Id })

const QuotaUsage = z.object({ used: z.int(), allowed: z.int() })

const Usage = z.object({
  members: z.int(),
  projects: QuotaUsage.describe('Without projects in the trash'),
  files: QuotaUsage,
  storage: QuotaUsage.describe('In bytes'),
  runs: z.int().describe('All runs since the organization was created'),
  spend: z
    .string()
    .describe('Total cost since the organization was created, in US dollars')
    .meta({ examples: ['12.3400'] }),
  activeAt: Timestamp.describe('Time of its last event'),
  countedAt: Timestamp.describe('When `runs`, `spend` and `activeAt` were counted'),
})

const Suspension = z.object({
  reason: z.string(),
  since: Timestamp,
  by: z
    .object({ id: Id, name: z.string() })
    .nullable()
    .describe('Null if it was suspended from the command line'),
})

export const OperatedOrganization = z.object({
  id: Id,
  name: z.string(),
  status: z.enum(ORGANIZATION_STATUSES),
  usage: Usage,
  overrideCount: z.int().describe('Number of quotas overridden for this organization'),
  createdAt: Timestamp,
})

const OrganizationDetails = OperatedOrganization.extend({
  owners: z.array(z.object({ id: Id, name: z.string(), email: z.string() })).describe('At most 20'),
  suspension: Suspension.nullable(),
  erasure: Erasure.nullable().describe('Scheduled or running erasure'),
})

export const operatedOrganizations = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/admin/organizations',
    summary: 'List organizations',
    description:
      'Sorted by `sort`: `name` ascending, every other value descending. Members, projects, files and storage are current. `runs`, `spend` and `activeAt` are counted every 15 minutes, last at `countedAt`.',
    access: operator(OPERATED_AREA),
    query: z.object({
      search: text(1, 120).optional().describe('Part of the name, or the ID'),
      status: z.enum(ORGANIZATION_STATUSES).optional(),
      sort: z.enum(ORGANIZATION_SORTS).default('created'),
      ...cursorQuery,
    }),
    output: cursorPage(OperatedOrganization),
    standby: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/admin/organizations/:id',
    summary: 'Get an organization',
    description: 'Recounts `usage` before responding.',
    access: operator(OPERATED_AREA),
    params: byId,
    output: OrganizationDetails,
  }),
  suspend: endpoint({
    method: 'POST',
    path: '/api/v1/admin/organizations/:id/suspension',
    summary: 'Suspend an organization',
    description:
      'Every call by its members, API keys, connected apps and share links is refused with FORBIDDEN and `details.reason` `organization_suspended`; received webhooks with UNAVAILABLE. Its streams end. Its runs, schedules and deliveries wait, and continue when it is resumed. Owners get an email with the reason. Suspending again replaces the reason. Returns CONFLICT with `details.reason` `operator_organization` for an operator’s only active organization.',
    access: steppedUp(OPERATED_AREA, { operator: true }),
    params: byId,
    body: z.object({ reason: text(1, 500).describe('Shown to all members') }).meta({
      examples: [{ reason: 'The invoice of October is not paid' }],
    }),
    output: OrganizationDetails,
  }),
  resume: endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/organizations/:id/suspension',
    summary: 'Resume an organization',
    description:
      'Waiting work continues. Run and approval deadlines are extended by the length of the suspension. Returns CONFLICT if no operator suspended the organization.',
    access: steppedUp(OPERATED_AREA, { operator: true }),
    params: byId,
    output: OrganizationDetails,
  }),
}
