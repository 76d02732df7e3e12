import type { InputOf } from '../../../../contract/endpoint.ts'
import type { routing } from '../../../../contract/telephony/routing.ts'
import { RULE_MISSES, type RuleMiss } from '../../../../contract/telephony/telephony-options.ts'
import type { Context } from '../../../context.ts'
import { badField, raise } from '../../../errors.ts'
import { localTime } from './local-time.ts'
import { type AnswerPlan, chooseAction } from './match-rule.ts'
import { type Match, OBSTACLES, presentAction, presentRule, type RuleRow } from './rule.ts'
import { findNumberByE164, listRulesForProject } from './rule-queries.ts'

const NO_NUMBER = 'must be one of this organization’s phone numbers'

export async function tryRules(ctx: Context, input: InputOf<typeof routing.try>) {
  const { sql, caller } = ctx
  const { from, to, channel, text = null } = input
  const at = input.at === undefined ? ctx.now() : new Date(input.at)
  const number = (await findNumberByE164(sql, caller.orgId, to)) ?? raise(badField('query.to', NO_NUMBER))
  const rules = await listRulesForProject(sql, caller.orgId, number.projectId)
  const plan = chooseAction(rules, { channel, numberId: number.id, from, text, at })
  return {
    rule: plan.rule && presentRule(plan.rule),
    action: presentAction(plan.action),
    usesFallback: plan.usesFallback,
    because: becauseOf(plan),
    checked: plan.checked.map(({ rule: { id, name, match }, miss }) => ({
      ruleId: id,
      name,
      answers: miss === null,
      miss,
      explanation: miss === null ? 'It answers.' : explain(match, miss, at),
    })),
  }
}

function becauseOf({ rule, action, usesFallback, obstacle, checked }: AnswerPlan<RuleRow>): string {
  if (rule === null)
    return checked.length === 0
      ? 'There are no rules: the default answers.'
      : 'No rule applies: the default answers.'
  if (!usesFallback) return `The rule “${rule.name}” is the first that applies.`
  const instead =
    action === rule.fallback ? 'Its fallback answers' : 'Its fallback cannot answer either: the default does'
  return `The rule “${rule.name}” is the first that applies. ${OBSTACLES[obstacle!]} ${instead}.`
}

function explain({ schedule, callerPrefix, contains }: Match, miss: RuleMiss, at: Date): string {
  const explanation = RULE_MISSES[miss]
  if (miss === 'caller') return `${explanation.slice(0, -1)}, ${callerPrefix}.`
  if (miss === 'text') return `${explanation.slice(0, -1)}, “${contains}”.`
  if (!schedule || !['day', 'time', 'holiday'].includes(miss)) return explanation
  const { date, weekday, time } = localTime(at, schedule.tz)
  return `${explanation} In ${schedule.tz} it is ${WEEKDAY_NAMES[weekday]}, ${date}, ${time}.`
}

const WEEKDAY_NAMES = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const
