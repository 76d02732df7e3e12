import type { PublicContext } from '../../../../context.ts'
import { createReceiverCache, type Receiver } from '../../../../inbound/receiver.ts'
import {
  type ConnectorDefinition,
  findDefinition,
  type ReceiverDefinition,
} from '../../connectors/connectors.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import { type Filter, parseFilter } from '../filter.ts'
import { type EndpointSecrets, openSecrets, readCurrentProof } from '../secrets.ts'
import { buildProof } from './proof.ts'
import { findReceiver, type ReceiverRow } from './receive-queries.ts'

export interface EndpointReceiver extends Receiver {
  definition: ConnectorDefinition
  receiver: ReceiverDefinition
  endpointSecrets: EndpointSecrets
  hasProofSecret: boolean
  events: readonly string[]
  sessionKey: string
  filter: Filter | null
  account: { id: string | null }
  kept: Readonly<Record<string, string>>
}

export type EndpointReceivers = ReturnType<typeof createEndpointReceivers>

export const createEndpointReceivers = (options: EndpointOptions) =>
  createReceiverCache(async (ctx, id): Promise<EndpointReceiver | null> => {
    const row = await findReceiver(ctx.sql, id)
    return row && openReceiver(options, ctx, row)
  })

export async function openReceiver(
  options: EndpointOptions,
  ctx: PublicContext<'outbound' | 'vault'>,
  row: ReceiverRow,
): Promise<EndpointReceiver | null> {
  const { orgId, id, slug, version, fields } = row
  const definition = await findDefinition(ctx.sql, orgId, slug)
  const stored = openSecrets(ctx.vault, id, row.secretSealed)
  if (!definition?.receiver || !stored) return null
  const { receiver } = definition
  const current = await readCurrentProof(connectionDeps(options, ctx), row, receiver)
  const secrets = { ...stored, ...current }
  return {
    orgId,
    id,
    source: slug,
    version,
    isDisabled: false,
    ...buildProof(options, ctx.outbound, receiver.proof, { slug, secrets, fields }),
    definition,
    receiver,
    endpointSecrets: secrets,
    hasProofSecret: row.hasProofSecret,
    events: row.events,
    sessionKey: row.sessionKey,
    filter: row.filter === null ? null : parseFilter(row.filter),
    account: { id: row.account?.id ?? null },
    kept: row.kept,
  }
}
