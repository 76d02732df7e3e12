import { type RULE_ACTIONS, WEEKDAYS } from '../../../../contract/telephony/telephony-options.ts'
import type { RuleAction, RuleMatch } from '../telephony-queries.ts'

type Weekday = (typeof WEEKDAYS)[number]
type ActionType = (typeof RULE_ACTIONS)[number]

export const ACTIONS: Record<ActionType, string> = {
  agent: 'An agent answers',
  workflow: 'A workflow runs',
  forward: 'Forward to a person',
  voicemail: 'Voicemail',
  reject: 'Reject',
}

export const DAYS: Record<Weekday, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}

const CHANNELS = { voice: 'Calls', sms: 'Text messages', both: 'Calls and text messages' }

/** When a rule applies, in one line. */
export function describeMatch(match: RuleMatch, nameOf: (numberId: string) => string): string {
  const { channel, numberIds, callerPrefix, contains, schedule } = match
  const parts = [CHANNELS[channel]]
  if (numberIds && numberIds.length > 0) parts.push(`to ${numberIds.map(nameOf).join(', ')}`)
  if (callerPrefix) parts.push(`from ${callerPrefix}…`)
  if (contains) parts.push(`with “${contains}”`)
  const conditions = parts.join(' ')
  return schedule ? `${conditions} · ${describeSchedule(schedule)}` : conditions
}

export function describeSchedule({
  days,
  from,
  to,
  tz,
  holidays,
}: NonNullable<RuleMatch['schedule']>): string {
  const hours = from === to ? 'all day' : `${from}–${to}${to < from ? ' (next day)' : ''}`
  const except = holidays?.length
    ? `, not on ${holidays.length === 1 ? holidays[0] : `${holidays.length} dates`}`
    : ''
  return `${describeDays(days)} ${hours} ${tz}${except}`
}

/** `Mon–Fri`, `every day`, `Mon, Wed`. */
export function describeDays(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return 'every day'
  const indexes = days.map((day) => WEEKDAYS.indexOf(day))
  const isRange = indexes.length > 2 && indexes.every((index, offset) => index === indexes[0]! + offset)
  if (isRange) return `${DAYS[days[0]!]}–${DAYS[days.at(-1)!]}`
  return days.map((day) => DAYS[day]).join(', ')
}

/** The action of a rule, in a few words. */
export function describeAction(
  action: RuleAction,
  agentName: (agentId: string) => string | undefined,
): string {
  switch (action.type) {
    case 'agent':
      return (action.agentId && agentName(action.agentId)) || 'An agent'
    case 'workflow':
      return 'A workflow'
    case 'forward':
      return `Forward to ${action.targets?.join(', then ') ?? 'no number'}`
    case 'voicemail':
      return 'Voicemail'
    case 'reject':
      return 'Reject'
  }
}
