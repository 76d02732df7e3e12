import type { z } from 'zod'
import type { Guardrail, GuardrailRule } from '../../../../contract/agents/guardrails.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { agentsNaming } from '../agents/agents.ts'

const columns = (sql: Sql): Fragment => sql`
  id, name, kind, stage as "on", action, config, everywhere, enabled, version, created_by as "createdBy",
  created_at as "createdAt", updated_at as "updatedAt"`

export interface ListedGuardrail extends GuardrailRow {
  agents: { id: string; name: string }[]
}

/** Unpaged: a quota limits their number. */
export const listGuardrails = (sql: Sql, orgId: string) => sql<ListedGuardrail[]>`
  with used as materialized (
    select a.named as id, json_agg(json_build_object('id', a.id, 'name', a.name) order by lower(a.name)) as agents
    from (${agentsNaming(sql, orgId, 'guardrails')}) a group by a.named
  )
  select ${columns(sql)}, coalesce((select used.agents from used where used.id = guardrails.id::text), '[]') as agents
  from guardrails where org_id = ${orgId} order by lower(name), id`

/** Includes rules for all agents. */
export const listActive = (sql: Sql, orgId: string, ids: readonly string[]) => sql<GuardrailRow[]>`
  select ${columns(sql)} from guardrails
  where org_id = ${orgId} and enabled and (everywhere or id = any(${ids as string[]}::uuid[]))
  order by created_at, id`

export const hasRules = (sql: Sql, orgId: string): Fragment => sql`
  exists (select from guardrails g where g.org_id = ${orgId} and g.enabled)`

export async function findGuardrail(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<GuardrailRow[]>`
    select ${columns(sql)} from guardrails where org_id = ${orgId} and id = ${id}`
  return row ?? null
}

export async function lockGuardrail(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<GuardrailRow[]>`
    select ${columns(sql)} from guardrails where org_id = ${orgId} and id = ${id} for update`
  return row ?? null
}

export type GuardrailSettings = Pick<
  GuardrailRow,
  'name' | 'on' | 'action' | 'config' | 'everywhere' | 'enabled'
>

export async function insertGuardrail(
  sql: Sql,
  orgId: string,
  guardrail: GuardrailSettings & Pick<GuardrailRow, 'id' | 'kind'> & { createdBy: string; now: Date },
): Promise<GuardrailRow> {
  const { id, name, kind, on, action, config, everywhere, enabled, createdBy, now } = guardrail
  const [row] = await sql<GuardrailRow[]>`
    insert into guardrails (org_id, id, name, kind, stage, action, config, everywhere, enabled, created_by, created_at,
      updated_at)
    values (${orgId}, ${id}, ${name}, ${kind}, ${on}, ${action}, ${sql.json(config as never)}, ${everywhere}, ${enabled},
      ${createdBy}, ${now}, ${now})
    returning ${columns(sql)}`
  return row!
}

export async function updateGuardrail(
  sql: Sql,
  orgId: string,
  id: string,
  { name, on, action, config, everywhere, enabled }: GuardrailSettings,
  now: Date,
): Promise<GuardrailRow> {
  const [row] = await sql<GuardrailRow[]>`
    update guardrails set name = ${name}, stage = ${on}, action = ${action}, config = ${sql.json(config as never)},
      everywhere = ${everywhere}, enabled = ${enabled}, version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}
    returning ${columns(sql)}`
  return row!
}

export async function deleteGuardrail(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from guardrails where org_id = ${orgId} and id = ${id}`
}

export type GuardrailRow = z.output<typeof Guardrail>

export const toGuardrailRule = ({ kind, on, action, config }: Omit<GuardrailRow, 'id'>): GuardrailRule =>
  ({ kind, on, action, config }) as GuardrailRule
