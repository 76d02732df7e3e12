import type { Sql } from '../../../database/database.ts'
import type { Ending, Position, RelayState } from '../calls/call.ts'

/** Replaces an earlier token. Returns the conversation state. */
export async function updateToken(
  sql: Sql,
  orgId: string,
  callId: string,
  token: Pick<RelayState, 'tokenHash' | 'tokenUntil' | 'signInId'>,
): Promise<RelayState | null> {
  const [row] = await sql<{ relay: RelayState }[]>`
    update calls set relay = relay || ${sql.json(token)}
    where org_id = ${orgId} and id = ${callId} and ended_at is null returning relay`
  return row?.relay ?? null
}

/** Only one connection per token gets a number. Null for a used, replaced or expired token. */
export async function consumeToken(
  sql: Sql,
  orgId: string,
  callId: string,
  hash: string,
  now: Date,
): Promise<number | null> {
  const [row] = await sql<{ connection: number }[]>`
    update calls set relay = (relay - 'tokenHash' - 'tokenUntil')
      || jsonb_build_object('connection', coalesce((relay ->> 'connection')::int, 0) + 1)
    where org_id = ${orgId} and id = ${callId} and ended_at is null and relay ->> 'tokenHash' = ${hash}
      and (relay ->> 'tokenUntil')::timestamptz > ${now}
    returning (relay ->> 'connection')::int as connection`
  return row?.connection ?? null
}

/** The WebSocket URL contains only the call id. */
export async function findRelayedCall(sql: Sql, callId: string) {
  const [row] = await sql<{ orgId: string; numberId: string }[]>`
    select org_id as "orgId", number_id as "numberId" from calls
    where id = ${callId} and provider = 'twilio' and number_id is not null and ended_at is null`
  return row ?? null
}

/** Only for the call's newest connection. */
export const updatePosition = (
  sql: Sql,
  orgId: string,
  callId: string,
  { connection, position }: { connection: number; position: Position },
) => sql`
  update calls set relay = relay || ${sql.json({ position } as never)}
  where org_id = ${orgId} and id = ${callId} and (relay ->> 'connection')::int = ${connection}`

/** Returns false if the call has ended or another connection has taken it over. */
export async function updateRun(
  sql: Sql,
  orgId: string,
  callId: string,
  { connection, sessionId, runId }: { connection: number | null; sessionId: string; runId: string },
): Promise<boolean> {
  const { count } = await sql`
    update calls set session_id = ${sessionId}, run_id = ${runId}
    where org_id = ${orgId} and id = ${callId} and ended_at is null
      ${connection === null ? sql`` : sql`and (relay ->> 'connection')::int = ${connection}`}`
  return count > 0
}

/** The first reason stays. Returns false if the call is already ending. */
export async function updateEnding(
  sql: Sql,
  orgId: string,
  callId: string,
  ending: Ending,
): Promise<boolean> {
  const { count } = await sql`
    update calls set relay = relay || ${sql.json({ ending } as never)}, end_reason = coalesce(end_reason, ${ending.reason})
    where org_id = ${orgId} and id = ${callId} and ended_at is null and not relay ? 'ending'`
  return count > 0
}

export const updateRelay = (
  sql: Sql,
  orgId: string,
  callId: string,
  change: Pick<RelayState, 'language' | 'fruitless' | 'reconnects'>,
) => sql`
  update calls set relay = relay || ${sql.json(change as never)} where org_id = ${orgId} and id = ${callId}`
