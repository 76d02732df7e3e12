import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { browser, endpoint, operator, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp } from '../fields.ts'
import { ERASURE_DAYS, ERASURE_STATUSES } from './lifecycle-options.ts'

const AREA = 'Erasing an organization'
const byId = z.object({ id: Id })

const Receipt = z.object({
  tables: z.record(z.string(), z.int()).describe('How many rows of which table were deleted'),
  objects: z.int().describe('How many stored files were deleted'),
  accounts: z
    .int()
    .describe(
      'How many accounts without another organization lost their name, email address and credentials',
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
  eraseAfter: Timestamp.describe('Until then it can be canceled'),
  canceledAt: Timestamp.nullable(),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  receipt: Receipt,
})

const body = z.object({
  name: displayName(1, 200).describe('The exact name of the organization, as a confirmation'),
})

const EFFECT = `Closes the organization immediately, as a suspension does. After ${ERASURE_DAYS} days everything that is stored for it is deleted: rows of every table, files, and the accounts of members without another organization. Owners get an email. Until then it can be canceled. Returns CONFLICT if its erasure is already scheduled, or with \`details.reason\` \`operator_organization\` for the only active organization of an operator.`
const CANCELLATION =
  'Opens the organization again, unless an operator suspended it. Returns CONFLICT if no erasure is scheduled, or if the deletion has begun.'

export const erasures = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/org/erasure',
    summary: 'Get the erasure of the organization',
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
    summary: 'Cancel the erasure of the organization',
    description: CANCELLATION,
    access: steppedUp(AREA, { role: 'owner' }),
    whileSuspended: true,
    output: Erasure,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/admin/erasures',
    summary: 'List erasures',
    description: 'Newest first. The receipt of an erasure lists the number of deleted rows per table.',
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
    summary: 'Cancel the erasure of an organization',
    description: CANCELLATION,
    access: steppedUp(AREA, { operator: true }),
    params: byId,
    output: Erasure,
  }),
}
