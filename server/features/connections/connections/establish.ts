import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import { type ConnectorDefinition, findDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { type Failure, probe } from './probe.ts'
import { type Account, type ConnectionRow, findConnection, storeGranted } from './queries.ts'
import { withLapse } from './records.ts'
import { markWorking } from './status.ts'
import { sealSecrets, toOpenConnection } from './target.ts'

/** Throws a readable error if refused. */
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
  const checked = await checkCredentials(deps, row, definition, credentials)
  await inTransaction(deps.sql, (sql) => storeChecked(sql, orgId, deps, { id, ...checked }))
}

interface Checked {
  credentials: Record<string, string>
  account: Account
  kept: Record<string, string>
}

/** Runs before anything is stored. */
export async function checkCredentials(
  deps: ConnectionDependencies,
  row: Pick<ConnectionRow, 'slug' | 'config' | 'account' | 'generation'>,
  definition: ConnectorDefinition,
  credentials: Record<string, string>,
): Promise<Checked> {
  const target = toOpenConnection(deps, { ...row, kept: {} }, definition, { credentials })
  const probed = await probe(deps.outbound, target)
  if (!probed.ok) throw rejectionOf(definition, probed.failure)
  return { credentials, account: probed.account, kept: probed.kept }
}

export async function storeChecked(
  sql: Sql,
  orgId: string,
  { vault, now }: Pick<ConnectionDependencies, 'vault' | 'now'>,
  { id, credentials, account, kept }: Checked & { id: string },
): Promise<void> {
  const at = now()
  const generation = await storeGranted(sql, orgId, {
    id,
    sealed: sealSecrets(vault, id, { credentials, refreshToken: null }),
    kept,
    scopes: [],
    missingScopes: [],
    clientId: null,
    expiresAt: null,
    refreshDueAt: null,
    now: at,
  })
  if (generation === null) throw notFound('Connection')
  await markWorking(sql, orgId, { id, generation, account, kept, now: at })
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
