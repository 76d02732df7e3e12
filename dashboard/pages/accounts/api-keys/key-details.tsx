import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { CopyId } from '../../../components/copy.tsx'
import { Rename } from '../../../components/dialogs/rename.tsx'
import { Time } from '../../../components/time.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'
import { KeyAbilities } from './key-abilities.tsx'
import { KeyCalls } from './key-calls.tsx'
import { Scopes } from './key-scopes.tsx'

export function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const queries = useQueryClient()
  const rename = async (name: string) => {
    await api.apiKeys.update({ id: apiKey.id, name })
    await queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
  }
  return (
    <div className="flex flex-col items-start gap-12 text-13 text-neutral-11">
      <Rename name={apiKey.name} maxLength={120} onRename={rename} />
      <KeyAbilities scopes={apiKey.scopes} readOnly={apiKey.readOnly} />
      <Scopes apiKey={apiKey} all />
      <KeyCalls apiKey={apiKey} large />
      <p>
        Created <Time at={apiKey.createdAt} /> · <LastUse apiKey={apiKey} /> · <Expiry apiKey={apiKey} />
      </p>
      <p className="flex items-center gap-8">
        Key ID <CopyId id={apiKey.id} what="key ID" />
      </p>
    </div>
  )
}

export function LastUse({ apiKey: { lastUsedAt, lastUsedAddress } }: { apiKey: ApiKey }) {
  if (!lastUsedAt) return <>Never used</>
  return (
    <>
      Last used <Time at={lastUsedAt} />
      {lastUsedAddress && ` from ${lastUsedAddress}`}
    </>
  )
}

export function Expiry({ apiKey: { expiresAt } }: { apiKey: ApiKey }) {
  if (!expiresAt) return <>Never expires</>
  return (
    <>
      {isExpired(expiresAt) ? 'Expired' : 'Expires'}{' '}
      <Time at={expiresAt} isExpected={!isExpired(expiresAt)} />
    </>
  )
}

export const isExpired = (expiresAt: string | null) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()
