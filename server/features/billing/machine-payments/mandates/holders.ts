import type { MandateHolder } from '../../../../../contract/billing/payment-options.ts'
import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isProjectVisible } from '../../../projects/access/access.ts'
import type { MandateRow } from './mandate-queries.ts'

interface NamedHolder {
  id: string
  name: string
}

/** The names of keys, agents and projects that the caller may see, by id: one statement for each kind, not for each row. */
export async function listHolderNames(
  sql: Sql,
  caller: Caller,
  mandates: readonly Pick<MandateRow, 'holder' | 'holderId'>[],
): Promise<Map<string, string>> {
  const { orgId } = caller
  const idsOf = (kind: MandateHolder) =>
    sql`any(${mandates.filter(({ holder }) => holder === kind).map(({ holderId }) => holderId)}::uuid[])`
  const found = await Promise.all([
    sql<NamedHolder[]>`select id, name from api_keys where org_id = ${orgId} and id = ${idsOf('key')}`,
    sql<NamedHolder[]>`select id, name from agents where org_id = ${orgId} and id = ${idsOf('agent')}`,
    sql<NamedHolder[]>`
      select named.id, named.name from projects named
      where named.org_id = ${orgId} and named.id = ${idsOf('project')} and ${isProjectVisible(sql, caller, sql`named.id`)}`,
  ])
  return new Map(found.flatMap((rows) => rows.map(({ id, name }) => [id, name] as const)))
}

/** Whether the organization has the key, the agent or the project. */
export async function hasHolder(
  sql: Sql,
  caller: Caller,
  holder: MandateHolder,
  id: string,
): Promise<boolean> {
  const { orgId } = caller
  const [row] =
    holder === 'key'
      ? await sql`select from api_keys where org_id = ${orgId} and id = ${id} and revoked_at is null`
      : holder === 'agent'
        ? await sql`select from agents where org_id = ${orgId} and id = ${id}`
        : await sql`
            select from projects named where named.org_id = ${orgId} and named.id = ${id} and named.deleted_at is null
              and ${isProjectVisible(sql, caller, sql`named.id`)}`
  return row !== undefined
}
