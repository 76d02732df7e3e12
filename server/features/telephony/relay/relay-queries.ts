import type { Sql } from '../../../database/database.ts'
import type { Ending, Position, RelayState } from './relay-state.ts'

/** One token at a time, as its hash. Returns the state of the conversation. */
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
 * Uses up a token and counts the connection: of two connections with the same token, one gets a number. Null for a token
 * that was used, was replaced or has expired.
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

/** The organization of a call: its URL has nothing else. */
export async function findRelayed(sql: Sql, callId: string) {
  const [row] = await sql<{ orgId: string; numberId: string }[]>`
    select org_id as "orgId", number_id as "numberId" from calls
    where id = ${callId} and provider = 'twilio' and number_id is not null and ended_at is null`
  return row ?? null
}

/** Only the newest connection of a call writes. */
export const updatePosition = (
  sql: Sql,
  orgId: string,
  callId: string,
  { connection, position }: { connection: number; position: Position },
) => sql`
  update calls set relay = relay || ${sql.json({ position } as never)}
  where org_id = ${orgId} and id = ${callId} and (relay ->> 'connection')::int = ${connection}`

/** The call has a session and a run. False if another connection has taken the call over, or it has ended. */
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

/** The first reason stays. False if the call ends already. */
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
