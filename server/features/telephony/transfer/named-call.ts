import { Id } from '../../../../contract/fields.ts'
import type { Sql } from '../../../database/database.ts'
import type { CallbackNumber } from '../callbacks/callback.ts'
import { type CallRow, findCall } from '../calls/call-queries.ts'

/** The call that the URL of a callback names, if it is one of the number. */
export async function findNamedCall(
  sql: Sql,
  { orgId, id }: Pick<CallbackNumber, 'orgId' | 'id'>,
  query: Readonly<Record<string, string>>,
): Promise<CallRow | null> {
  const callId = Id.safeParse(query.call)
  const call = callId.success ? await findCall(sql, orgId, callId.data) : null
  return call?.numberId === id ? call : null
}
