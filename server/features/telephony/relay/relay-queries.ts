import type { Sql } from '../../../database/database.ts'
import type { Ending, Position, RelayState } from '../calls/call.ts'

/** Stores the hash of a token, which replaces an earlier one. Returns the state of the conversation. */
export async function updateToken(
  sql: Sql,
  orgId: string,
  callId: string,
  token: Pick<RelayState, 'tokenHash' | 'tokenUntil'>,
): Promise<RelayState | null> {
  const [row] = await sql<{ relay: RelayState }[]>`
    update calls set relay = relay || ${sql.json(token)}
    where org_id = ${orgId} and id = ${callId} and ended_at is null returning relay`
  return row?.relay ?? null
}

/**
 * Consumes a token and returns the number of the connection: of two connections with the same token, only one gets a
 * number. Null for a token that was used, was replaced or has expired.
 */
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

/** Finds the organization and the number of a call by its id: the URL of the WebSocket contains nothing else. */
export async function findRelayedCall(sql: Sql, callId: string) {
  const [row] = await sql<{ orgId: string; numberId: string }[]>`
    select org_id as "orgId", number_id as "numberId" from calls
    where id = ${callId} and provider = 'twilio' and number_id is not null and ended_at is null`
  return row ?? null
}

/** Stores the spoken position, if the connection is the newest one of the call. */
export const updatePosition = (
  sql: Sql,
  orgId: string,
  callId: string,
  { connection, position }: { connection: number; position: Position },
) => sql`
  update calls set relay = relay || ${sql.json({ position } as never)}
  where org_id = ${orgId} and id = ${callId} and (relay ->> 'connection')::int = ${connection}`

/** Stores the session and the run of a call. False if another connection has taken the call over, or it has ended. */
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

/** Stores why the call ends; the first reason stays. False if the call is already ending. */
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
