import { inTransaction } from '../../database/transaction.ts'
import { ApiError, conflict, notFound, raise } from '../../errors.ts'
import { type ConnectorDefinition, type Failure, findDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { probe } from './probe.ts'
import { findConnection } from './queries.ts'
import { withLapse } from './records.ts'
import { sealSecrets } from './secrets.ts'
import { markWorking } from './status.ts'
import { targetOf } from './target.ts'
import { storeGranted } from './write-queries.ts'

/** Checks credentials with the provider and stores them. Throws an error with a readable message if the provider refuses them. */
export async function establish(
  deps: ConnectionDependencies,
  orgId: string,
  { id, credentials }: { id: string; credentials: Record<string, string> },
): Promise<void> {
  const found = (await findConnection(deps.sql, orgId, id)) ?? raise(notFound('Connection'))
  const row = withLapse(found, deps.now())
  if (row.status === 'failed') throw conflict('The connection was not completed in time: start it again')
  const definition =
    (await findDefinition(deps.sql, orgId, row.slug)) ?? raise(conflict('The connector no longer exists'))
  const probed = await probe(deps.outbound, { ...targetOf(deps, row, definition, { credentials }), kept: {} })
  if (!probed.ok) throw rejectionOf(definition, probed.failure)
  const sealed = sealSecrets(deps.vault, id, { credentials, refreshToken: null })
  const now = deps.now()
  const { account, kept } = probed
  await inTransaction(deps.sql, async (sql) => {
    const granted = { id, sealed, kept, scopes: [], missingScopes: [], clientId: null }
    const generation = await storeGranted(sql, orgId, {
      ...granted,
      expiresAt: null,
      refreshDueAt: null,
      now,
    })
    if (generation === null) throw notFound('Connection')
    await markWorking(sql, orgId, { id, generation, account, kept, now })
  })
}

const REFUSALS: Failure['means'][] = ['expired', 'revoked', 'forbidden', 'invalid', 'not_found']

function rejectionOf({ name }: ConnectorDefinition, { means, code, message }: Failure): ApiError {
  return REFUSALS.includes(means)
    ? new ApiError('BAD_REQUEST', `${name} refuses the credentials: ${message}`, {
        details: { reason: 'CREDENTIALS_REJECTED', code },
      })
    : new ApiError(
        'BAD_REQUEST',
        `The credentials could not be checked, as ${name} does not respond as expected: ${message}`,
        {
          details: { reason: 'PROVIDER_UNAVAILABLE', code },
        },
      )
}
