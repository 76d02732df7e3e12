import type { Pool } from '../../server/database/database.ts'
import { insertWebhook } from '../../server/features/webhooks/queries.ts'
import { makeSecret, sealSecret } from '../../server/features/webhooks/secrets.ts'
import { newId } from '../../server/security/ids.ts'
import { createVault } from '../../server/security/vault.ts'
import { SECRET } from '../secret.ts'

const vault = createVault(SECRET)

/** Its secret is a bearer token. */
export async function insertBenchWebhook(
  sql: Pool,
  owner: { id: string; orgId: string },
  url: string | null,
): Promise<{ id: string; secret: string }> {
  const [id, secret] = [newId(), makeSecret()]
  const { sealed, hash } = sealSecret(vault, id, secret)
  await insertWebhook(sql, owner.orgId, {
    receives: true,
    id,
    name: 'Bench',
    url,
    source: 'custom',
    scheme: 'auto',
    dedupWindowSeconds: 600,
    description: null,
    events: [],
    secretSealed: sealed,
    secretHash: hash,
    createdBy: owner.id,
    now: new Date(),
  })
  return { id, secret }
}
