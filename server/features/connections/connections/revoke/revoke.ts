import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, PublicContext } from '../../../../context.ts'
import { publishIn } from '../../../../events/publish.ts'
import { addJob } from '../../../../jobs/job.ts'
import { findDefinition } from '../../connectors/connectors.ts'
import { connectionChanged, revokeTokens } from '../jobs.ts'
import { eventOf } from '../status.ts'
import { deleteConnection, listIdsOf } from './revoke-queries.ts'

interface Revocation {
  orgId: string
  id: string
  by: Pick<Caller, 'orgId' | 'userId'> & { via: Caller['via'] | 'system' }
}

type RevokeContext = Pick<PublicContext, 'sql' | 'now' | 'origin'>

/** Deletes the tokens immediately; a job revokes them at the provider. Run it inside a transaction. */
export async function revokeConnection(ctx: RevokeContext, { orgId, id, by }: Revocation): Promise<void> {
  const { sql } = ctx
  const now = ctx.now()
  const revoked = await deleteConnection(sql, orgId, id, now)
  if (!revoked) return
  const { slug, config, kept, clientId, sealed } = revoked
  await publishIn(sql, orgId, now, eventOf('connection.revoked', id, slug))
  const name = (await findDefinition(sql, orgId, slug))?.name ?? slug
  await recordAudit(ctx, { action: 'connection.revoked', by, target: id, details: { name } })
  await sql`select ${addJob(sql, connectionChanged, { orgId, id })}`
  await sql`select ${addJob(sql, revokeTokens, { orgId, id, slug, config, kept, clientId, sealed })}`
}

/** For a person who leaves the organization. */
export async function revokeConnectionsOf(ctx: RevokeContext, orgId: string, userId: string): Promise<void> {
  const by = { orgId, userId, via: 'system' as const }
  for (const id of await listIdsOf(ctx.sql, orgId, userId)) await revokeConnection(ctx, { orgId, id, by })
}
