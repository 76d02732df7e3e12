import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id, Timestamp } from '../fields.ts'
import { BROWSER_CALL_LIMITS } from './telephony-options.ts'
import { Call } from './telephony-records.ts'

const access = member({ edits: true })
const limit = { name: 'browser-calls', by: 'caller', capacity: 20, perSeconds: 60 } as const

const Socket = z.object({
  path: z.string().describe('WebSocket on this server, without the token'),
  token: z.string().describe('For the query parameter `token`. Works once'),
  expiresAt: Timestamp,
})

const Started = z.object({ call: Call, socket: Socket })

/** Ending, listing and reading them are the endpoints of all calls. */
export const browserCalls = {
  create: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/browser-calls',
    summary: 'Talk to an agent in the browser',
    description: `Starts a call without a carrier. Connect its socket within ${BROWSER_CALL_LIMITS.connectSeconds} seconds. The call is among the calls, with the provider \`browser\`. Returns CONFLICT with the reason \`voice_not_available\` if no model transcribes or speaks, and with \`too_many_calls\` at the limit of ${BROWSER_CALL_LIMITS.perMember} calls at the same time for each member and ${BROWSER_CALL_LIMITS.perOrganization} for the organization.`,
    access,
    body: z.object({
      agentId: Id,
      projectId: Id.describe('Project for its session'),
      language: z
        .string()
        .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'must be a language such as en-US')
        .default('en-US')
        .describe('For Atrium’s own sentences, such as “One moment, please”'),
    }),
    output: Started,
    status: 201,
    limit,
    failures: ['CONFLICT'],
  }),
  connect: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/browser-calls/:id/connect',
    summary: 'Reconnect a call in the browser',
    description: `Returns another token, which replaces the last one. Works for your own call until ${BROWSER_CALL_LIMITS.connectSeconds} seconds after its connection was lost; afterwards, it returns CONFLICT.`,
    access,
    params: z.object({ id: Id }),
    output: Started,
    limit,
    failures: ['CONFLICT'],
  }),
}
