import { api } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Revoke key"
      phrase={apiKey.name}
      action="Revoke key"
      mutate={() => api.apiKeys.revoke({ id: apiKey.id })}
      invalidates={[apiKeysQuery.queryKey]}
      success={withNames`Revoked ${apiKey.name}`}
      onClose={onClose}
    >
      <p>
        Requests with{' '}
        <code className="whitespace-nowrap font-mono text-12 text-neutral-12">
          {apiKey.prefix}…{apiKey.lastFour}
        </code>{' '}
        will be rejected immediately.{' '}
        {apiKey.lastUsedAt ? (
          <>
            Last used <Time at={apiKey.lastUsedAt} />.
          </>
        ) : (
          'The key was never used.'
        )}
      </p>
      <p>This can’t be undone.</p>
    </ConfirmDialog>
  )
}
