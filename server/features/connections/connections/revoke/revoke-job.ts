import type { z } from 'zod'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { JobContext } from '../../../../context.ts'
import { type ConnectionTarget, findDefinition } from '../../connectors/connectors.ts'
import type { revokeTokens } from '../jobs.ts'
import { findProvider } from '../oauth/provider.ts'
import { openSecrets } from '../secrets.ts'
import { targetOf } from '../target.ts'
import { revokeAtProvider } from './revoke-tokens.ts'

type Payload = z.output<(typeof revokeTokens)['payload']>

/** Lets other features remove what they registered with the connection; `target` is null if it cannot be used. */
export type OnRevoked = (
  ctx: JobContext,
  revoked: { orgId: string; id: string; target: ConnectionTarget | null },
) => Promise<void>

/** Best effort: Atrium has already deleted the tokens. Throws so that the job is retried. */
export const revokeLater =
  (connectors: ConnectorsConfig, onRevoked: OnRevoked) =>
  async (ctx: JobContext, { orgId, id, slug, config, kept, clientId, sealed }: Payload): Promise<void> => {
    const definition = await findDefinition(ctx.sql, orgId, slug)
    const secrets = openSecrets(ctx.vault, id, sealed)
    const row = { slug, config, kept, account: null, generation: 0 }
    const target = definition && secrets && targetOf({ connectors }, row, definition, secrets)
    // Runs before the revocation, because it needs the tokens.
    await onRevoked(ctx, { orgId, id, target })
    if (!definition || !secrets || clientId === null) return
    const provider = await findProvider({ ...ctx, connectors }, orgId, definition, { slug, config, kept })
    if (!provider || provider.client.id !== clientId) return
    if (!(await revokeAtProvider(ctx.outbound, provider, secrets)))
      throw new Error(`${definition.name} did not revoke the tokens of the connection ${id}`)
  }
