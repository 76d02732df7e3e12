import { ApiError, notFound, raise } from '../../../errors.ts'
import { type ConnectorDefinition, findDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { type ConnectionRow, findWithSecrets } from './queries.ts'
import { refresh } from './refresh/refresh.ts'
import { type OpenConnection, openSecrets, toOpenConnection } from './target.ts'

/** Refreshed before use if they expire sooner. */
const EXPIRES_SOON_MS = 60_000

/** Throws a readable error if the connection can't be used. */
export async function openConnection(
  deps: ConnectionDependencies,
  orgId: string,
  id: string,
): Promise<OpenConnection> {
  const opened = await openStored(deps, orgId, id)
  const { row, definition, secrets } = opened
  const isExpiring =
    row.expiresAt !== null && Date.parse(row.expiresAt) - deps.now().getTime() < EXPIRES_SOON_MS
  if (!isExpiring) return toOpenConnection(deps, row, definition, secrets)
  const { generation } = row
  const outcome = await refresh(deps, { orgId, id, generation })
  const renewed = await openStored(deps, orgId, id)
  if (outcome === 'kept' && Date.parse(row.expiresAt!) <= deps.now().getTime())
    throw notRefreshed(row, definition)
  return toOpenConnection(deps, renewed.row, renewed.definition, renewed.secrets)
}

async function openStored(deps: ConnectionDependencies, orgId: string, id: string) {
  const row = (await findWithSecrets(deps.sql, orgId, id)) ?? raise(notFound('Connection'))
  const definition = (await findDefinition(deps.sql, orgId, row.slug)) ?? raise(withoutConnector(row))
  if (deps.connectors[row.slug]?.isDisabled) throw disabled(row, definition)
  if (row.status !== 'active') throw unusable(row, definition)
  if (!row.isMember) throw unusable({ ...row, status: 'revoked' }, definition)
  const secrets = openSecrets(deps.vault, id, row.sealed) ?? raise(unreadable(row, definition))
  return { row, definition, secrets }
}

const STATES: Record<Exclude<ConnectionRow['status'], 'active'>, string> = {
  pending: 'is not completed yet',
  failed: 'was not completed in time: start it again',
  expired: 'has to be authorized again by its owner, under Connections',
  error: 'does not work',
  revoked: 'was revoked',
}

function unusable({ id, status, statusReason }: ConnectionRow, { name }: ConnectorDefinition): ApiError {
  const why = status === 'error' && statusReason ? `: ${statusReason}` : ''
  const state = STATES[status as keyof typeof STATES]
  return new ApiError('CONFLICT', `The connection to ${name} ${state}${why}`, {
    details: { reason: `connection_${status}`, connectionId: id },
  })
}

const withoutConnector = ({ id, slug }: ConnectionRow) =>
  new ApiError('CONFLICT', `The connector ${slug} no longer exists`, {
    details: { reason: 'connector_missing', connectionId: id },
  })

const disabled = ({ id }: ConnectionRow, { name }: ConnectorDefinition) =>
  new ApiError('CONFLICT', `${name} is disabled: this server’s operator turned it off`, {
    details: { reason: 'connector_disabled', connectionId: id },
  })

const unreadable = ({ id }: ConnectionRow, { name }: ConnectorDefinition) =>
  new ApiError(
    'CONFLICT',
    `The credentials for the connection to ${name} can’t be read: this server’s secret has changed. Connect it again`,
    { details: { reason: 'connection_expired', connectionId: id } },
  )

const notRefreshed = ({ id }: ConnectionRow, { name }: ConnectorDefinition) =>
  new ApiError('UNAVAILABLE', `Access to ${name} has expired, and ${name} isn’t renewing it right now`, {
    details: { reason: 'connection_not_refreshed', connectionId: id },
  })
