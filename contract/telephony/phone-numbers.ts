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
      'Attaches a number from your carrier account, and routes its calls and messages to this server. Returns CONFLICT if another organization has it, and BAD_REQUEST if the account does not own it.',
    access: admin,
    body: z.object({
      provider: z.enum(CARRIERS),
      phoneNumber: E164,
      connectionId: Id.optional().describe(
        'Connection to the carrier. Defaults to the oldest you can use, then this server’s account, which is for its operators’ organizations',
      ),
      label: label.optional(),
      projectId: ProjectRef.optional().describe(
        'Project for its sessions and files. Defaults to the last number’s project, or a new project',
      ),
      configureWebhooks: z.boolean().default(true).describe('Set the number’s URLs at the carrier'),
    }),
    output: PhoneNumber,
    status: 201,
    also: { 200: 'The number was already imported' },
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
    summary: 'Check a phone number’s URLs',
    description: 'Reads where the carrier sends calls and messages.',
    access: member(),
    params,
    output: PhoneNumber,
    limit,
    failures: ['PROVIDER_ERROR'],
  }),
  repair: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/numbers/:id/repair',
    summary: 'Repair a phone number’s URLs',
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
      'Removes this server’s URLs at the carrier and stops accepting calls and messages. The account keeps the number; calls, messages and sessions are kept.',
    access: steppedUp(NUMBER_AREA, { role: 'admin' }),
    params,
    output: z.object({ released: z.literal(true) }),
    limit,
  }),
}
