import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import { failureMessage } from '../../api/explain.ts'
import { organizationApi } from '../../api/organizations.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { withNames } from '../../components/name.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { type OwnProvider, providersQuery, testSavedProvider } from './models-queries.ts'
import { hasFieldError, type ProviderDraft, ProviderFields } from './provider-fields.tsx'
import { modelNames } from './provider-slug.ts'

const route = getRouteApi('/app/settings/organization/models/$providerId')

export function EditProviderDialog() {
  const { providerId } = route.useParams()
  const providers = useQuery(providersQuery)
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/settings/organization/models' })
  const provider = providers.data?.items.find(({ id }) => id === providerId)
  if (provider) return <EditForm key={provider.id} provider={provider} onClose={close} />
  return (
    <Dialog title="Edit model provider" onClose={close}>
      {providers.isPending && <SkeletonRows rows={3} />}
      {providers.error && <Failure error={providers.error} onRetry={() => providers.refetch()} />}
      {providers.data && <p className="text-neutral-11">This provider was deleted.</p>}
    </Dialog>
  )
}

/** A stored key is never sent to another URL: a new URL needs its own key. */
function EditForm({ provider, onClose }: { provider: OwnProvider; onClose: () => void }) {
  const { id, name, url, hasKey, lastFour, kind } = provider
  const isVendor = kind !== 'openai-compatible'
  const [draft, setDraft] = useState<ProviderDraft>({
    name,
    url,
    apiKey: '',
    models: provider.models.join(', '),
  })
  const [removesKey, setRemovesKey] = useState(false)
  const isUrlChanged = draft.url.trim() !== url
  const save = useMutation({
    mutationFn: async () => {
      const key = draft.apiKey.trim()
      const saved = await organizationApi.modelProviders.update({
        id,
        name: draft.name,
        ...(isUrlChanged && { url: draft.url.trim() }),
        ...(removesKey ? { apiKey: null } : key && { apiKey: key }),
        models: modelNames(draft.models),
      })
      await testSavedProvider(saved)
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={withNames`Edit ${name}`}
      action="Save changes"
      failure={hasFieldError(save.error) ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <ProviderFields
        draft={draft}
        update={(change) => setDraft({ ...draft, ...change })}
        error={save.error}
        isVendor={isVendor}
        keyLabel={hasKey ? t`Replace API key` : t`API key (optional)`}
        keyHint={hintOf(hasKey, lastFour, isUrlChanged)}
        isKeyRequired={hasKey && isUrlChanged && !removesKey}
      />
      {hasKey && !isVendor && (
        <label className="flex items-center gap-8 text-13">
          <input
            type="checkbox"
            checked={removesKey}
            onChange={(event) => setRemovesKey(event.target.checked)}
            className="size-16"
          />
          Remove key
        </label>
      )}
    </FormDialog>
  )
}

function hintOf(hasKey: boolean, lastFour: string | null, isUrlChanged: boolean): string {
  if (!hasKey) return t`Stored encrypted and never shown again.`
  if (isUrlChanged) return t`Required with a new URL, because the stored key is never sent to another server.`
  return t`Leave empty to keep the current key${lastFour ? t`, which ends with ${lastFour}` : ''}.`
}
