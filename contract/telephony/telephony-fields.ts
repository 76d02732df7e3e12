import { z } from 'zod'
import { Id, TimeZone, text } from '../fields.ts'
import { RULE_ACTIONS, RULE_CHANNELS, TELEPHONY_LIMITS, WEEKDAYS } from './telephony-options.ts'

export const E164 = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number with its country code, such as +4930123456')
  .meta({ examples: ['+4930123456'] })

const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00')
  .meta({ examples: ['09:00'] })

export const RuleSchedule = z.strictObject({
  tz: TimeZone,
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1, 'must have at least one day')
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
    // For response schemas.
    .pipe(z.array(z.enum(WEEKDAYS)))
    .meta({ examples: [['mon', 'tue', 'wed', 'thu', 'fri']] }),
  from: TimeOfDay.describe('First minute, in local time'),
  to: TimeOfDay.describe(
    'First minute after it. If before `from`, on the next day. If equal to `from`, the whole day',
  ),
  holidays: z
    .array(z.iso.date('must be a date such as 2027-12-25').meta({ examples: ['2027-12-25'] }))
    .max(TELEPHONY_LIMITS.holidays, `must have at most ${TELEPHONY_LIMITS.holidays} dates`)
    .optional()
    .describe('Dates on which the rule does not apply'),
})

export const RuleMatch = z.strictObject({
  numberIds: z
    .array(Id)
    .max(200, 'must have at most 200 numbers')
    .optional()
    .describe('All numbers if absent'),
  channel: z.enum(RULE_CHANNELS).default('both'),
  callerPrefix: z
    .string()
    .regex(/^\+\d{0,15}$/, 'must be the start of a phone number, such as +49')
    .meta({ examples: ['+49'] })
    .optional(),
  contains: text(1, TELEPHONY_LIMITS.contains).optional().describe('Text messages only; case-insensitive'),
  schedule: RuleSchedule.optional(),
})

export const RuleAction = z
  .strictObject({
    type: z.enum(RULE_ACTIONS),
    agentId: Id.optional().describe('For `agent`'),
    blockId: Id.optional().describe('For `workflow`: an agent block'),
    targets: z
      .array(E164)
      .max(TELEPHONY_LIMITS.targets, `must have at most ${TELEPHONY_LIMITS.targets} numbers`)
      .optional()
      .describe('For `forward`, numbers to dial in order; for `agent`, numbers it can transfer a call to'),
    message: text(1, TELEPHONY_LIMITS.message)
      .optional()
      .describe('First sentence the caller hears, or the text message they get'),
    record: z
      .boolean()
      .optional()
      .describe('Record the call and store its transcript as files. The recording notice is spoken first'),
  })
  .superRefine((action, ctx) => {
    const requiredFields = { agent: 'agentId', workflow: 'blockId', forward: 'targets' } as const
    const field =
      action.type in requiredFields ? requiredFields[action.type as keyof typeof requiredFields] : undefined
    const value = field && action[field]
    if (field && (value === undefined || value.length === 0))
      ctx.addIssue({ code: 'custom', path: [field], message: `is required for the action ${action.type}` })
  })
  .meta({ examples: [{ type: 'forward', targets: ['+4930654321'] }] })

const settings = {
  language: z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'must be a language such as en-US'),
  voice: text(1, 100).nullable().describe('Carrier voice; null for the default'),
  greeting: text(1, TELEPHONY_LIMITS.greeting)
    .nullable()
    .describe('First sentence callers hear when an agent answers'),
  recordingNotice: text(1, TELEPHONY_LIMITS.greeting)
    .nullable()
    .describe('Recording notice; null for a default in the number’s language'),
  maxMinutes: z
    .int()
    .min(1, 'must be at least 1')
    .max(TELEPHONY_LIMITS.callMinutes, `must be at most ${TELEPHONY_LIMITS.callMinutes}`),
  allowedPrefixes: z
    .array(z.string().regex(/^\+\d{1,15}$/, 'must be the start of a phone number, such as +49'))
    .max(50, 'must have at most 50 prefixes')
    .describe(
      'Numbers that can be called and messaged in addition to those in the number’s own country. Premium-rate numbers are allowed only if a prefix matches them',
    ),
}

export const NumberSettings = z.object({
  language: settings.language.default('en-US'),
  voice: settings.voice.default(null),
  greeting: settings.greeting.default(null),
  recordingNotice: settings.recordingNotice.default(null),
  maxMinutes: settings.maxMinutes.default(TELEPHONY_LIMITS.callMinutesDefault),
  allowedPrefixes: settings.allowedPrefixes.default([]),
})
/** Without defaults, which would overwrite omitted settings. */
export const NumberSettingsChange = z.strictObject(settings).partial()
export type NumberSettings = z.output<typeof NumberSettings>
