import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { browser, endpoint, operator, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp } from '../fields.ts'
import { ERASURE_DAYS, ERASURE_STATUSES } from './lifecycle-options.ts'

const AREA = 'Erasing an organization'
const byId = z.object({ id: Id })

const Receipt = z.object({
  tables: z.record(z.string(), z.int()).describe('Number of deleted rows per table'),
  objects: z.int().describe('Number of deleted stored files'),
  accounts: z
    .int()
    .describe(
      'Number of accounts without another organization that lost their name, email address and credentials',
    ),
})

export const Erasure = z.object({
  id: Id,
  organizationId: Id,
  name: z.string().nullable().describe('Null once the organization is erased'),
  status: z.enum(ERASURE_STATUSES),
  byOperator: z.boolean(),
  requestedBy: z.object({ id: Id, name: z.string() }).nullable(),
  requestedAt: Timestamp,
  eraseAfter: Timestamp.describe('Until when it can be canceled'),
  canceledAt: Timestamp.nullable(),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  receipt: Receipt,
})

const body = z.object({
  name: displayName(1, 200).describe('The organization’s exact name, as a confirmation'),
})

const EFFECT = `Closes the organization immediately, like a suspension. After ${ERASURE_DAYS} days, everything stored for it is deleted: rows in every table, files, and the accounts of members without another organization. Owners get an email. Until then it can be canceled. Returns CONFLICT if its erasure is already scheduled, or with \`details.reason\` \`operator_organization\` for an operator’s only active organization.`
const CANCELLATION =
  'Reopens the organization, unless an operator suspended it. Returns CONFLICT if no erasure is scheduled, or if the deletion has begun.'

export const erasures = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/org/erasure',
    summary: 'Get the organization’s erasure',
    access: browser(AREA, { role: 'owner' }),
    whileSuspended: true,
    output: z.object({ erasure: Erasure.nullable() }),
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/v1/org/erasure',
    summary: 'Erase the organization',
    description: EFFECT,
    access: steppedUp(AREA, { role: 'owner' }),
    body,
    output: Erasure,
    status: 202,
    limit: { name: 'org-erasure', by: 'caller', capacity: 5, perSeconds: 3600 },
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/v1/org/erasure',
    summary: 'Cancel the organization’s erasure',
    description: CANCELLATION,
    access: steppedUp(AREA, { role: 'owner' }),
    whileSuspended: true,
    output: Erasure,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/admin/erasures',
    summary: 'List erasures',
    description: 'Newest first. An erasure’s receipt lists the number of deleted rows per table.',
    access: operator(AREA),
    query: z.object(cursorQuery),
    output: cursorPage(Erasure),
  }),
  requestOf: endpoint({
    method: 'POST',
    path: '/api/v1/admin/organizations/:id/erasure',
    summary: 'Erase an organization',
    description: EFFECT,
    access: steppedUp(AREA, { operator: true }),
    params: byId,
    body,
    output: Erasure,
    status: 202,
  }),
  cancelOf: endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/organizations/:id/erasure',
    summary: 'Cancel an organization’s erasure',
    description: CANCELLATION,
    access: steppedUp(AREA, { operator: true }),
    params: byId,
    output: Erasure,
  }),
}
