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
    summary: 'Get the telephony state',
    description: 'Calls and messages in the projects you can see.',
    access: member(),
    output: z.object({
      configured: z
        .boolean()
        .describe(
          'Whether numbers can be imported: a connection exists, or you can use this server’s account',
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
      days: z.array(Day).describe('Last 30 days with calls or messages, in UTC'),
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
          target: z.string().nullable().describe('Id of the number, rule or voice agent'),
          since: Timestamp.nullable(),
        }),
      ),
    }),
    tool: 'read',
  }),
}
