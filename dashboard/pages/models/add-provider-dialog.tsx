import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ProviderPreset } from '../../../contract/models/providers.ts'
import { t } from '../../../contract/text.ts'
import { organizationApi } from '../../api/organizations.ts'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../components/dialogs/use-create-dialog.ts'
import { TextField } from '../../components/forms/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { providersQuery, testSavedProvider } from './models-queries.ts'
import { hasFieldError, type ProviderDraft, ProviderFields } from './provider-fields.tsx'
import { makeUnique, modelNames, OTHER, PRESETS, toSlug } from './provider-slug.ts'

/** Also tests the key. A preset can be added repeatedly under another name and id. */
export function AddProviderDialog() {
  const ownProviders = useQuery(providersQuery).data?.items ?? []
  const [preset, setPreset] = useState(PRESETS[0]!)
  const [edits, setEdits] = useState<Partial<ProviderDraft & { slug: string }>>({})
  const navigate = useNavigate()
  const close = () => navigate({ to: '/settings/organization/models' })
  const isVendor = preset.kind !== 'openai-compatible'
  const draft = { ...draftOf(preset, ownProviders), ...edits }
  const slug =
    edits.slug ??
    makeUnique(
      edits.name !== undefined || preset === OTHER ? toSlug(draft.name) : preset.id,
      ownProviders.map((provider) => provider.slug),
    )
  const { form, error, errorOf } = useCreateDialog({
    create: async () => {
      const provider = await organizationApi.modelProviders.create({
        kind: preset.kind,
        name: draft.name,
        slug: slug || undefined,
        url: draft.url.trim(),
        apiKey: draft.apiKey.trim() || undefined,
        models: modelNames(draft.models),
      })
      await testSavedProvider(provider, 'added')
    },
    onCreated: close,
    onClose: close,
    isFieldError: hasFieldError,
  })
  return (
    <FormDialog title="Add model provider" action="Add provider" {...form}>
      <Select
        label="Provider"
        value={preset.id}
        hint={preset.hint}
        onChange={(event) => {
          setPreset(PRESETS.find(({ id }) => id === event.target.value)!)
          // Keys belong to one provider.
          setEdits({})
        }}
      >
        {PRESETS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <ProviderFields
        draft={draft}
        update={(change) => setEdits({ ...edits, ...change })}
        error={error}
        isVendor={isVendor}
        keyLabel={isVendor ? t`API key` : t`API key (optional)`}
        keyHint={t`Stored encrypted and never shown again.`}
        isKeyRequired={isVendor}
      />
      <TextField
        label="ID"
        hint={t`Its models are named ${slug || 'id'}/model. You can’t change this later.`}
        autoComplete="off"
        spellCheck={false}
        value={slug}
        error={errorOf('slug')}
        onChange={(event) => setEdits({ ...edits, slug: event.target.value })}
      />
    </FormDialog>
  )
}

function draftOf(preset: ProviderPreset, ownProviders: { name: string }[]): ProviderDraft {
  const name =
    preset === OTHER
      ? ''
      : makeUnique(
          preset.name,
          ownProviders.map((provider) => provider.name),
          ' ',
        )
  return { name, url: preset.url, apiKey: '', models: '' }
}
