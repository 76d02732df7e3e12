import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { ConfirmTyped } from '../../components/dialogs/confirm-typed.tsx'
import { Time } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <ConfirmTyped
      title="Revoke this key"
      word={apiKey.name}
      action="Revoke key"
      onConfirm={async () => {
        await api.apiKeys.revoke({ id: apiKey.id })
        void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
        toast(`Revoked ${apiKey.name}`)
      }}
      onClose={onClose}
    >
      <p>
        Every program that presents{' '}
        <code className="whitespace-nowrap font-mono text-12 text-neutral-12">
          {apiKey.prefix}…{apiKey.lastFour}
        </code>{' '}
        is refused from its next request on
        {apiKey.scopes.length > 0 && <>, and loses {apiKey.scopes.join(', ')}</>}.{' '}
        {apiKey.lastUsedAt ? (
          <>
            It was last used <Time at={apiKey.lastUsedAt} />.
          </>
        ) : (
          'It was never used.'
        )}
      </p>
      <p>This cannot be undone. A new key has to be put in its place.</p>
    </ConfirmTyped>
  )
}
