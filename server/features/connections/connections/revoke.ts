import type { z } from 'zod'
import { recordAudit } from '../../../audit/record.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { Caller, JobContext, PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import { defineHook } from '../../../hooks.ts'
import { addJob } from '../../../jobs/job.ts'
import { type ConnectionTarget, findDefinition } from '../connectors/connectors.ts'
import { connectionChanged, revokeTokens } from './jobs.ts'
import { findProvider } from './oauth/provider.ts'
import { revokeAtProvider } from './oauth/revoke-tokens.ts'
import { connectionEvent } from './status.ts'
import { openSecrets, toOpenConnection } from './target.ts'

interface Revocation {
  orgId: string
  id: string
  by: Pick<Caller, 'orgId' | 'userId'> & { via: Caller['via'] | 'system' }
}

type RevokeContext = Pick<PublicContext, 'sql' | 'now' | 'origin'>

/** In a transaction. A job revokes the tokens at the provider. */
export async function revokeConnection(ctx: RevokeContext, { orgId, id, by }: Revocation): Promise<void> {
  const { sql } = ctx
  const now = ctx.now()
  const revoked = await deleteConnection(sql, orgId, id, now)
  if (!revoked) return
  const { slug, config, kept, clientId, sealed } = revoked
  await publishIn(sql, orgId, now, connectionEvent('connection.revoked', id, slug))
  const name = (await findDefinition(sql, orgId, slug))?.name ?? slug
  await recordAudit(ctx, { action: 'connection.revoked', by, target: id, details: { name } })
  await sql`select ${addJob(sql, connectionChanged, { orgId, id })}`
  await sql`select ${addJob(sql, revokeTokens, { orgId, id, slug, config, kept, clientId, sealed })}`
}

/** For a user who leaves the organization. */
export async function revokeMemberConnections(
  ctx: RevokeContext,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  const by = { orgId, userId, via: 'system' as const }
  for (const id of await listIdsOf(ctx.sql, orgId, userId)) await revokeConnection(ctx, { orgId, id, by })
}

type Payload = z.output<(typeof revokeTokens)['payload']>

/** Features remove what they registered. `target` is null if unusable. */
export const connectionRevoked =
  defineHook<
    (
      ctx: JobContext,
      revoked: { orgId: string; id: string; target: ConnectionTarget | null },
    ) => Promise<void>
  >('connectionRevoked')

/** Best effort: the tokens are already deleted. Throws so that the job is retried. */
export const revokeLater =
  (connectors: ConnectorsConfig) =>
  async (
    ctx: JobContext<'hooks' | 'outbound' | 'vault'>,
    { orgId, id, slug, config, kept, clientId, sealed }: Payload,
  ): Promise<void> => {
    const definition = await findDefinition(ctx.sql, orgId, slug)
    const secrets = openSecrets(ctx.vault, id, sealed)
    const row = { slug, config, kept, account: null, generation: 0 }
    const target = definition && secrets && toOpenConnection({ connectors }, row, definition, secrets)
    // Runs first, because it needs the tokens.
    for (const onRevoked of ctx.hooks.all(connectionRevoked)) await onRevoked(ctx, { orgId, id, target })
    if (!definition || !secrets || clientId === null) return
    const provider = await findProvider({ ...ctx, connectors }, orgId, definition, { slug, config, kept })
    if (!provider || provider.client.id !== clientId) return
    if (!(await revokeAtProvider(ctx.outbound, provider, secrets)))
      throw new Error(`${definition.name} did not revoke the tokens for the connection ${id}`)
  }

interface RevokedRow {
  slug: string
  config: Record<string, string>
  /** From provider responses, for later requests. */
  kept: Record<string, string>
  clientId: string | null
  sealed: string | null
}

/** Returns null if already gone. */
async function deleteConnection(sql: Sql, orgId: string, id: string, now: Date): Promise<RevokedRow | null> {
  const [row] = await sql<Omit<RevokedRow, 'sealed'>[]>`
    update connections set status = 'revoked', status_reason = null, shared = 'none', shared_project_id = null,
      pending_until = null, expires_at = null, refresh_due_at = null, refreshing_until = null,
      version = version + 1, updated_at = ${now}, deleted_at = ${now}
    where org_id = ${orgId} and id = ${id} and deleted_at is null
    returning connector_slug as slug, config, kept, client_id as "clientId"`
  if (!row) return null
  const [secrets] = await sql<{ sealed: string }[]>`
    delete from connection_secrets where org_id = ${orgId} and connection_id = ${id} returning sealed`
  return { ...row, sealed: secrets?.sealed ?? null }
}

const listIdsOf = async (sql: Sql, orgId: string, userId: string): Promise<string[]> =>
  (
    await sql<{ id: string }[]>`
      select id from connections where org_id = ${orgId} and user_id = ${userId} and deleted_at is null order by id`
  ).map(({ id }) => id)
