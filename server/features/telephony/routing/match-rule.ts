import type { RuleMiss } from '../../../../contract/telephony/telephony-options.ts'
import { dayBefore, type LocalTime, localTime } from './local-time.ts'
import {
  type AnsweringRule,
  DEFAULT_ACTION,
  type IncomingContact,
  type Match,
  type MatchedRule,
  type Obstacle,
  type StoredAction,
} from './rule.ts'

export interface CheckedRule<R> {
  rule: R
  /** Null for the answering rule. */
  miss: RuleMiss | null
}

export interface MatchResult<R> {
  /** Null: the default answers. */
  rule: R | null
  checked: readonly CheckedRule<R>[]
}

/** The first that applies, in the given order. Pure. */
export function matchRule<R extends MatchedRule>(
  rules: readonly R[],
  incoming: IncomingContact,
): MatchResult<R> {
  let answeringRule: R | null = null
  const checked = rules.map((rule): CheckedRule<R> => {
    const miss = missOf(rule, incoming)
    if (miss !== null) return { rule, miss }
    if (answeringRule !== null) return { rule, miss: 'later' }
    answeringRule = rule
    return { rule, miss: null }
  })
  return { rule: answeringRule, checked }
}

function missOf({ enabled, match }: MatchedRule, { channel, numberId, from, text, at }: IncomingContact) {
  const { numberIds, callerPrefix, contains, schedule } = match
  if (!enabled) return 'disabled'
  // An empty list names no number.
  if (numberIds && !numberIds.includes(numberId)) return 'number'
  if (match.channel !== 'both' && match.channel !== channel) return 'channel'
  if (callerPrefix !== undefined && !from.startsWith(callerPrefix)) return 'caller'
  if (contains !== undefined && !fold(text ?? '').includes(fold(contains))) return 'text'
  return schedule ? scheduleMiss(schedule, at) : null
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

type Schedule = NonNullable<Match['schedule']>
type ScheduleMiss = Extract<RuleMiss, 'day' | 'time' | 'holiday'>

/** Uses the zone's local time. A window over midnight belongs to the day it began, also for holidays. */
function scheduleMiss(schedule: Schedule, at: Date): ScheduleMiss | null {
  const { tz, from, to } = schedule
  const now = localTime(at, tz)
  if (from === to) return dayMiss(schedule, now)
  if (from < to) return now.time >= from && now.time < to ? dayMiss(schedule, now) : 'time'
  if (now.time >= from) return dayMiss(schedule, now)
  return now.time < to ? dayMiss(schedule, dayBefore(at, tz)) : 'time'
}

function dayMiss({ days, holidays = [] }: Schedule, { weekday, date }: LocalTime): ScheduleMiss | null {
  if (!days.includes(weekday)) return 'day'
  return holidays.includes(date) ? 'holiday' : null
}

export interface AnswerPlan<R = AnsweringRule> {
  /** Null: the default answers. */
  rule: R | null
  action: StoredAction
  /** Answers if the action fails later. Never the action itself. */
  fallback: StoredAction
  usesFallback: boolean
  /** Why the rule's action isn't used. */
  obstacle: Obstacle | null
  checked: readonly CheckedRule<R>[]
}

/**
 * The fallback replaces an action that the rule owner's current permissions don't allow, and the default replaces such
 * a fallback.
 */
export function chooseAction<R extends AnsweringRule>(
  rules: readonly R[],
  contact: IncomingContact,
): AnswerPlan<R> {
  const { rule, checked } = matchRule(rules, contact)
  if (rule === null) return { ...DEFAULT_PLAN, checked }
  const { action, obstacle } = rule
  const fallback = rule.fallbackObstacle === null ? rule.fallback : DEFAULT_ACTION
  if (obstacle === null) return { rule, action, fallback, usesFallback: false, obstacle, checked }
  return { rule, action: fallback, fallback: DEFAULT_ACTION, usesFallback: true, obstacle, checked }
}

const DEFAULT_PLAN = {
  rule: null,
  action: DEFAULT_ACTION,
  fallback: DEFAULT_ACTION,
  usesFallback: false,
  obstacle: null,
}
