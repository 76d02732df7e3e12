import type { z } from 'zod'
import { dictionary } from '../../../../contract/dictionary.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { telephony } from '../../../../contract/telephony/telephony.ts'
import type { PhoneNumber, RoutingRule } from '../../../../contract/telephony/telephony-records.ts'
import type { LastDay } from './day-queries.ts'
import type { Source } from './problem-queries.ts'

export type Problem = OutputOf<typeof telephony.overview>['problems'][number]
type Numbers = readonly z.output<typeof PhoneNumber>[]
type Rules = readonly z.output<typeof RoutingRule>[]

interface TelephonyState {
  numbers: Numbers
  rules: Rules
  sources: readonly Source[]
  lastDay: LastDay
}

/** The problems of the settings of telephony, as text; those that affect most calls first. */
export const problemsOf = ({ numbers, rules, sources, lastDay }: TelephonyState): Problem[] => [
  ...sources.flatMap(accountProblem),
  ...numbers.flatMap((number) => urlProblem(number, sources)),
  ...sources.flatMap(ownerProblem),
  ...rules.flatMap(ruleProblem),
  ...numbers.flatMap((number) => noRuleProblem(number, rules)),
  ...budgetProblem(lastDay),
  ...smsProblem(lastDay),
]

const STATES: Record<string, string> = dictionary({
  expired: 'has to be authorized again by its owner',
  error: 'does not work',
  revoked: 'was revoked',
})

function accountProblem({ id, name, connectionStatus }: Source): Problem[] {
  if (connectionStatus === null || connectionStatus === 'active') return []
  const state = STATES[connectionStatus] ?? 'is not complete'
  return [{ kind: 'account', message: `The connection of ${name} ${state}`, target: id, since: null }]
}

/** Omits a number whose account has a problem: `accountProblem` reports it. */
function urlProblem(
  { id, e164, status, statusReason, checkedAt, webhooks }: Numbers[number],
  sources: readonly Source[],
): Problem[] {
  if (status !== 'error') return []
  if (sources.some((source) => source.id === id && accountProblem(source).length > 0)) return []
  const hasWrongUrl = Object.values(webhooks).some(
    ({ state }) => state === 'elsewhere' || state === 'missing',
  )
  const kind = hasWrongUrl ? 'number_urls' : 'account'
  return [{ kind, message: `${e164}: ${statusReason ?? 'does not work'}`, target: id, since: checkedAt }]
}

const OWNER_PROBLEMS = {
  left: 'has left the organization',
  access: 'cannot edit its project',
} as const

function ownerProblem({ id, isNumber, name, ownerProblem: problem, isArchived }: Source): Problem[] {
  const problemOf = (message: string): Problem[] => [{ kind: 'owner', message, target: id, since: null }]
  if (problem === 'project') return problemOf(`The project of ${name} is deleted`)
  if (problem !== null)
    return problemOf(`The member who ${isNumber ? 'imported' : 'added'} ${name} ${OWNER_PROBLEMS[problem]}`)
  return isArchived ? problemOf(`The agent ${name} of a voice agent is archived`) : []
}

const ruleProblem = ({ id, name, enabled, problem }: Rules[number]): Problem[] =>
  enabled && problem !== null
    ? [{ kind: 'rule', message: `The rule “${name}”: ${problem}`, target: id, since: null }]
    : []

/** Rules with a prefix or a schedule count: when they do not apply, the default answers on purpose. */
function noRuleProblem({ id, e164, capabilities }: Numbers[number], rules: Rules): Problem[] {
  const answers = (channel: 'voice' | 'sms') =>
    rules.some(
      ({ enabled, match }) =>
        enabled &&
        (match.channel === 'both' || match.channel === channel) &&
        (match.numberIds === undefined || match.numberIds.includes(id)),
    )
  const unanswered = [
    ...(capabilities.voice && !answers('voice') ? ['calls'] : []),
    ...(capabilities.sms && !answers('sms') ? ['text messages'] : []),
  ]
  if (unanswered.length === 0) return []
  return [
    {
      kind: 'no_rule',
      message: `No rule answers ${unanswered.join(' and ')} to ${e164}`,
      target: id,
      since: null,
    },
  ]
}

const budgetProblem = ({ overBudget }: LastDay): Problem[] =>
  overBudget === 0
    ? []
    : [
        {
          kind: 'budget',
          message: `${count(overBudget, 'call')} in the last day ended because a budget was reached`,
          target: null,
          since: null,
        },
      ]

const smsProblem = ({ failed, failedAt }: LastDay): Problem[] =>
  failed === 0
    ? []
    : [
        {
          kind: 'failed_sms',
          message: `${count(failed, 'text message')} in the last day did not reach the recipient`,
          target: null,
          since: failedAt,
        },
      ]

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
