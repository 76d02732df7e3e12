import { type RULE_ACTIONS, WEEKDAYS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import type { RuleAction, RuleMatch } from '../telephony-queries.ts'

type Weekday = (typeof WEEKDAYS)[number]
type ActionType = (typeof RULE_ACTIONS)[number]

export const ACTIONS: Record<ActionType, string> = {
  agent: t`Answer with an agent`,
  workflow: t`Run a workflow`,
  forward: t`Forward to a person`,
  voicemail: t`Send to voicemail`,
  reject: t`Reject`,
}

export const DAYS: Record<Weekday, string> = {
  mon: t`Mon`,
  tue: t`Tue`,
  wed: t`Wed`,
  thu: t`Thu`,
  fri: t`Fri`,
  sat: t`Sat`,
  sun: t`Sun`,
}

const CHANNELS = { voice: t`Calls`, sms: t`Text messages`, both: t`Calls and text messages` }

export function describeMatch(match: RuleMatch, nameOf: (numberId: string) => string): string {
  const { channel, numberIds, callerPrefix, contains, schedule } = match
  const parts = [CHANNELS[channel]]
  if (numberIds && numberIds.length > 0) parts.push(t`to ${numberIds.map(nameOf).join(', ')}`)
  if (callerPrefix) parts.push(t`from ${callerPrefix}…`)
  if (contains) parts.push(t`with “${contains}”`)
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
  const hours = from === to ? t`all day` : `${from}–${to}${to < from ? t` (next day)` : ''}`
  const except = holidays?.length
    ? t`, not on ${holidays.length === 1 ? holidays[0]! : t`${holidays.length} dates`}`
    : ''
  return `${describeDays(days)} ${hours} ${tz}${except}`
}

/** `Mon–Fri`, `every day`, `Mon, Wed`. */
export function describeDays(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return t`every day`
  const indexes = days.map((day) => WEEKDAYS.indexOf(day))
  const isRange = indexes.length > 2 && indexes.every((index, offset) => index === indexes[0]! + offset)
  if (isRange) return `${DAYS[days[0]!]}–${DAYS[days.at(-1)!]}`
  return days.map((day) => DAYS[day]).join(', ')
}

export function describeAction(
  action: RuleAction,
  agentName: (agentId: string) => string | undefined,
): string {
  switch (action.type) {
    case 'agent':
      return (action.agentId && agentName(action.agentId)) || t`An agent`
    case 'workflow':
      return t`A workflow`
    case 'forward':
      return t`Forward to ${action.targets?.join(t`, then `) ?? t`no number`}`
    case 'voicemail':
      return t`Voicemail`
    case 'reject':
      return t`Reject`
  }
}
