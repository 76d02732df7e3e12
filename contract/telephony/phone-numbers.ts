import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { E164, NumberSettingsChange } from './telephony-fields.ts'
import { CARRIERS, TELEPHONY_LIMITS } from './telephony-options.ts'
import { PhoneNumber } from './telephony-records.ts'

export const NUMBER_AREA = 'Releasing a phone number'

const admin = member({ role: 'admin' })
const params = z.object({ id: Id })
const label = displayName(1, TELEPHONY_LIMITS.label)
/** Each call reaches the carrier. */
const limit = { name: 'phone-numbers', by: 'caller', capacity: 30, perSeconds: 60 } as const

export const phoneNumbers = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/numbers',
    summary: 'List phone numbers',
    access: member(),
    query: z.object(cursorQuery),
    output: cursorPage(PhoneNumber),
    tool: 'read',
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/numbers/import',
    summary: 'Import a phone number',
    description:
      'Attaches a number that the account at the carrier owns, and sends its calls and messages to this server. Returns CONFLICT if another organization has it, and BAD_REQUEST if the account does not own it.',
    access: admin,
    body: z.object({
      provider: z.enum(CARRIERS),
      phoneNumber: E164,
      connectionId: Id.optional().describe(
        'A connection to the carrier. Default: the oldest that you can use, then the account of this server, which is for organizations of its operators',
      ),
      label: label.optional(),
      projectId: ProjectRef.optional().describe(
        'The project of its sessions and files. Default: that of the last number, or a new project',
      ),
      configureWebhooks: z.boolean().default(true).describe('Set the URLs of the number at the carrier'),
    }),
    output: PhoneNumber,
    status: 201,
    also: { 200: 'The number was imported before' },
    limit,
    failures: ['CONFLICT', 'PROVIDER_ERROR'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/numbers/:id',
    summary: 'Get a phone number',
    access: member(),
    params,
    output: PhoneNumber,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/telephony/numbers/:id',
    summary: 'Update a phone number',
    access: admin,
    params,
    body: z
      .object({ label: label.nullable(), projectId: ProjectRef, settings: NumberSettingsChange })
      .partial()
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ label: 'Support' }] }),
    output: PhoneNumber,
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/numbers/:id/check',
    summary: 'Check the URLs of a phone number',
    description: 'Reads the URLs to which the carrier sends calls and messages.',
    access: member(),
    params,
    output: PhoneNumber,
    limit,
    failures: ['PROVIDER_ERROR'],
  }),
  repair: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/numbers/:id/repair',
    summary: 'Repair the URLs of a phone number',
    description: 'Sets the URLs at the carrier again.',
    access: admin,
    params,
    output: PhoneNumber,
    limit,
    failures: ['PROVIDER_ERROR'],
  }),
  release: endpoint({
    method: 'DELETE',
    path: '/api/v1/telephony/numbers/:id',
    summary: 'Release a phone number',
    description:
      'Removes the URLs of this server at the carrier and no longer accepts calls or messages. The account keeps the number; calls, messages and sessions stay.',
    access: steppedUp(NUMBER_AREA, { role: 'admin' }),
    params,
    output: z.object({ released: z.literal(true) }),
    limit,
  }),
}
