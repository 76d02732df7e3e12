import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Timestamp } from '../fields.ts'
import { Call, PhoneNumber } from './telephony-records.ts'

const Day = z.object({
  date: z.iso.date().meta({ examples: ['2027-01-04'] }),
  calls: z.int(),
  minutes: z.int(),
  messages: z.int(),
  cost: z.string().describe('In US dollars'),
})

export const telephony = {
  overview: endpoint({
    method: 'GET',
    path: '/api/v1/telephony',
    summary: 'Get the state of telephony',
    description: 'Calls and messages of the projects that you can see.',
    access: member(),
    output: z.object({
      configured: z
        .boolean()
        .describe(
          'Whether numbers can be imported: a connection exists, or you may use the account of this server',
        ),
      numbers: z.array(PhoneNumber),
      activeCalls: z.array(Call),
      recentCalls: z.array(Call).describe('The last 20'),
      lastDay: z
        .object({
          calls: z.int(),
          missed: z.int(),
          received: z.int(),
          sent: z.int(),
          failed: z.int(),
        })
        .describe('The current hour and the 23 before it'),
      days: z.array(Day).describe('The last 30 days that had calls or messages, in UTC'),
      problems: z.array(
        z.object({
          kind: z.enum([
            'number_urls',
            'account',
            'rule',
            'owner',
            'budget',
            'no_rule',
            'failed_sms',
            'paused_sms',
          ]),
          message: z.string(),
          target: z.string().nullable().describe('The id of the number, the rule or the voice agent'),
          since: Timestamp.nullable(),
        }),
      ),
    }),
    tool: 'read',
  }),
}
