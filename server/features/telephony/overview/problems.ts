import type { z } from 'zod'
import { dictionary } from '../../../../contract/dictionary.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { telephony } from '../../../../contract/telephony/telephony.ts'
import type { PhoneNumber, RoutingRule } from '../../../../contract/telephony/telephony-records.ts'
import type { Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../projects/access/access.ts'
import type { LastDay } from './days.ts'

export type Problem = OutputOf<typeof telephony.overview>['problems'][number]
type Numbers = readonly z.output<typeof PhoneNumber>[]
type Rules = readonly z.output<typeof RoutingRule>[]

interface TelephonyState {
  numbers: Numbers
  rules: Rules
  sources: readonly Source[]
  lastDay: LastDay
}

export const listTelephonyProblems = ({ numbers, rules, sources, lastDay }: TelephonyState): Problem[] => [
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
  return [{ kind: 'account', message: `The connection for ${name} ${state}`, target: id, since: null }]
}

/** `accountProblem` reports numbers with a broken account. */
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
  if (problem === 'project') return problemOf(`The project for ${name} is deleted`)
  if (problem !== null)
    return problemOf(`The member who ${isNumber ? 'imported' : 'added'} ${name} ${OWNER_PROBLEMS[problem]}`)
  return isArchived ? problemOf(`The agent ${name}, used by a voice agent, is archived`) : []
}

const ruleProblem = ({ id, name, enabled, problem }: Rules[number]): Problem[] =>
  enabled && problem !== null
    ? [{ kind: 'rule', message: `The rule “${name}”: ${problem}`, target: id, since: null }]
    : []

/** Rules with a prefix or schedule count: outside them, the default answers on purpose. */
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

interface Source {
  id: string
  isNumber: boolean
  name: string
  /** Null: this server's account. */
  connectionStatus: string | null
  ownerProblem: 'left' | 'project' | 'access' | null
  isArchived: boolean
}

/**
 * Primary key reads, whatever the statistics. Reads an owner's project access once, as two hundred numbers may share
 * it.
 */
export const listSources = (sql: Sql, orgId: string) => sql<Source[]>`
  with s as materialized (
    select id, true as is_number, e164 as name, connection_id, project_id, owner_id, false as is_archived
    from phone_numbers where org_id = ${orgId} and released_at is null
    union all
    select v.id, false, a.name, v.connection_id, v.project_id, v.owner_id, a.archived_at is not null
    from voice_agents v cross join lateral (
      select a.name, a.archived_at from agents a
      where a.org_id = ${orgId} and a.id = any(array[v.agent_id]) order by a.id limit 1) a
    where v.org_id = ${orgId} and v.deleted_at is null
  ), owners as materialized (
    select o.owner_id, o.project_id, case when m.user_id is null then 'left' else (
      select case when p.deleted_at is not null then 'project'
        when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit' then 'access' end
      from projects p where p.org_id = ${orgId} and p.id = any(array[o.project_id]) order by p.id limit 1) end as problem
    from (select distinct owner_id, project_id from s) o
    left join lateral (
      select m.user_id, m.role from memberships m
      where m.org_id = ${orgId} and m.user_id = any(array[o.owner_id]) order by m.user_id limit 1) m on true
  )
  select s.id, s.is_number as "isNumber", s.name, (
      select case when c.deleted_at is not null then 'revoked' else c.status end from connections c
      where c.org_id = ${orgId} and c.id = any(array[s.connection_id]) order by c.id limit 1) as "connectionStatus",
    owners.problem as "ownerProblem", s.is_archived as "isArchived"
  from s join owners using (owner_id, project_id) order by s.name, s.id`
