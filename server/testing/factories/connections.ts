import type { ConnectionStatus } from '../../../contract/connections/connector-options.ts'
import { sealSecrets } from '../../features/connections/connections/target.ts'
import { newId } from '../../security/ids.ts'
import type { TestApp } from '../test-app.ts'
import type { Person } from './factories.ts'

interface ConnectionOptions {
  label?: string | null
  accountName?: string
  credentials?: Record<string, string>
  status?: ConnectionStatus
  shared?: 'none' | 'org'
  /** From the client with this id. */
  oauth?: { clientId: string; refreshToken: string; expiresAt: Date }
}

export async function insertConnection(
  { sql, app, clock }: Pick<TestApp, 'sql' | 'app' | 'clock'>,
  { id: userId, orgId }: Person,
  slug: string,
  options: ConnectionOptions = {},
): Promise<string> {
  const id = newId()
  const { label = null, accountName = 'ada', status = 'active', shared = 'none' } = options
  const { credentials = { accessToken: 'a-token-1234' } } = options
  const account = { id: '1', name: accountName, email: null, avatarUrl: null }
  const { clientId = null, refreshToken = null, expiresAt = null } = options.oauth ?? {}
  const sealed = sealSecrets(app.system().vault, id, { credentials, refreshToken })
  await sql`
    insert into connections (org_id, id, user_id, connector_slug, label, status, account, shared, client_id, expires_at,
      created_at, updated_at)
    values (${orgId}, ${id}, ${userId}, ${slug}, ${label}, ${status}, ${sql.json(account)}, ${shared}, ${clientId},
      ${expiresAt}, ${clock.now()}, ${clock.now()})`
  await sql`insert into connection_secrets (org_id, connection_id, sealed) values (${orgId}, ${id}, ${sealed})`
  return id
}
