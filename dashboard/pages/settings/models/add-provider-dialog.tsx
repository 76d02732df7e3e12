import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PROVIDER_PRESETS } from '../../../../contract/models/providers.ts'
import { api } from '../../../api/client.ts'
import { explainShortly, failureMessage } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { fieldMessage } from '../../sign-in/use-sign-in.ts'
import { modelsQuery, providersQuery } from './models-queries.ts'

/** Adds a provider, then tests its key. */
export function AddProviderDialog() {
  const [preset, setPreset] = useState(PROVIDER_PRESETS[0]!)
  const [url, setUrl] = useState(preset.url)
  const [apiKey, setApiKey] = useState('')
  const [models, setModels] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const close = () => navigate({ to: '/settings/models' })
  const isVendor = preset.kind !== 'openai-compatible'
  const add = useMutation({
    mutationFn: async () => {
      const { id, name } = await api.modelProviders.create({
        kind: preset.kind,
        name: preset.name,
        slug: preset.id,
        url: url.trim(),
        apiKey: apiKey.trim() || undefined,
        models: models.split(/[\s,]+/).filter(Boolean),
      })
      // The provider exists from here on: a test that fails must not look like a failed addition.
      const result = await api.modelProviders.test({ id }).catch((error: unknown) => ({
        ok: false,
        problem: explainShortly(error),
        modelCount: 0,
      }))
      return { name, ...result }
    },
    onSuccess: async ({ name, ok, problem, modelCount }) => {
      await Promise.all(
        [providersQuery, modelsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
      )
      toast(ok ? `Added ${name} with ${modelCount} models` : `Added ${name}, but: ${problem}`)
      await close()
    },
  })
  const onUrl = fieldMessage(add.error, 'url')
  return (
    <FormDialog
      title="Add a model provider"
      action="Add provider"
      failure={onUrl ? undefined : failureMessage(add.error)}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={close}
    >
      <Select
        label="Provider"
        value={preset.id}
        hint={preset.hint}
        onChange={(event) => {
          const next = PROVIDER_PRESETS.find(({ id }) => id === event.target.value)!
          setPreset(next)
          setUrl(next.url)
          // A key belongs to one provider.
          setApiKey('')
          setModels('')
        }}
      >
        {PROVIDER_PRESETS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <TextField
        label="Base URL"
        error={onUrl}
        required
        limit={2000}
        autoComplete="off"
        spellCheck={false}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label={isVendor ? 'API key' : 'API key (optional)'}
        hint="Stored encrypted and never shown again."
        type="password"
        required={isVendor}
        limit={1000}
        autoComplete="off"
        data-autofocus
        value={apiKey}
        onChange={(event) => setApiKey(event.target.value)}
      />
      {!isVendor && (
        <TextField
          label="Models (optional)"
          hint="Separated by commas. Empty: all that the server lists."
          autoComplete="off"
          spellCheck={false}
          value={models}
          onChange={(event) => setModels(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
