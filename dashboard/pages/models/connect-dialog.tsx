import { useMutation, useQuery } from '@tanstack/react-query'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { PROVIDER_PRESETS } from '../../../contract/models/providers.ts'
import { LOCALE, t } from '../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../api/explain.ts'
import { organizationApi, orgSettingsQuery } from '../../api/organizations.ts'
import { priceLabel } from '../../components/amounts.ts'
import { Button } from '../../components/button.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { Name, withNames } from '../../components/name.tsx'
import { toast } from '../../components/toast.tsx'
import { LocalServers } from './local-servers.tsx'
import { connectProvider, providersQuery, type Trial } from './models-queries.ts'
import {
  hasFieldError,
  ModelNamesField,
  NameField,
  type ProviderDraft,
  UrlField,
} from './provider-fields.tsx'
import { ProviderMark } from './provider-mark.tsx'
import { makeUnique, modelNames, OTHER, PRESETS, toSlug } from './provider-slug.ts'

interface Edits extends Partial<ProviderDraft> {
  slug?: string
  /** Without a provider. Empty keeps the current default model. */
  model?: string
}

/**
 * Provider, key, test and default model in one dialog. **Connect** tests, too, so a working key needs one click. A preset
 * can be connected repeatedly, under another name and id.
 */
export function ConnectDialog() {
  const ownProviders = useQuery(providersQuery).data?.items ?? []
  const currentDefault = useQuery(orgSettingsQuery).data?.defaultModel ?? null
  const [preset, setPreset] = useState(PRESETS[0]!)
  const [edits, setEdits] = useState<Edits>({})
  const close = useClose()
  const isVendor = preset.kind !== 'openai-compatible'
  const names = ownProviders.map(({ name }) => name)
  const draft: ProviderDraft = {
    ...{ name: preset === OTHER ? '' : makeUnique(preset.name, names, ' '), url: preset.url },
    ...{ apiKey: '', models: '', ...edits },
  }
  const slug =
    edits.slug ??
    makeUnique(
      edits.name !== undefined || preset === OTHER ? toSlug(draft.name) : preset.id,
      ownProviders.map((provider) => provider.slug),
    )
  const settings = {
    kind: preset.kind,
    url: draft.url.trim(),
    apiKey: draft.apiKey.trim() || undefined,
    models: modelNames(draft.models),
  }
  const test = useMutation({
    mutationFn: (model: string | undefined) => organizationApi.modelProviders.tryOut({ ...settings, model }),
  })
  const trial = test.data
  const model = edits.model ?? (currentDefault === null ? (trial?.model ?? '') : '')
  const connect = useMutation({
    mutationFn: async () => {
      const tried = trial ?? (await test.mutateAsync(undefined))
      if (!trial && !tried.ok) return null
      const chosen = trial || edits.model !== undefined ? model : currentDefault === null ? tried.model : ''
      return connectProvider(
        { ...settings, name: draft.name, slug: slug || undefined },
        { defaultModel: chosen || null, replacesDefault: true },
      )
    },
    onSuccess: (provider) => {
      if (!provider) return
      toast(withNames`Connected ${provider.name}`)
      close()
    },
  })
  const change = (next: Edits, keepsTrial = false) => {
    setEdits({ ...edits, ...next })
    connect.reset()
    if (!keepsTrial) test.reset()
  }
  const error = connect.error ?? test.error
  return (
    <FormDialog
      size="normal"
      title="Connect a model"
      action={trial && !trial.ok ? t`Save anyway` : t`Connect`}
      failure={hasFieldError(error) ? undefined : failureMessage(error)}
      busy={connect.isPending}
      onSubmit={() => connect.mutate()}
      onClose={close}
    >
      <LocalServers onConnected={close} />
      <fieldset>
        <legend className="pb-4 font-medium text-13">Provider</legend>
        <div className="grid grid-cols-2 gap-8 sm:grid-cols-3">
          {PRESETS.map((option) => (
            <label
              key={option.id}
              className="flex h-32 cursor-pointer items-center gap-8 rounded-control border border-neutral-7 bg-card px-8 text-13 hover:border-neutral-8 has-[:checked]:border-selection has-[:checked]:bg-selection-wash has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-selection"
            >
              <input
                type="radio"
                name="provider"
                value={option.id}
                checked={option === preset}
                className="sr-only"
                onChange={() => {
                  setPreset(option)
                  // Keys belong to one provider.
                  setEdits({})
                  test.reset()
                  connect.reset()
                }}
              />
              <ProviderMark id={option.id} name={option.name} />
              <span className="min-w-0 truncate">{option === OTHER ? t`Other` : option.name}</span>
            </label>
          ))}
        </div>
        {preset.hint && <p className="pt-8 text-12 text-neutral-11">{preset.hint}</p>}
      </fieldset>
      {!isVendor && <AddressFields draft={draft} change={change} error={error} />}
      <TextField
        label={isVendor ? t`API key` : t`API key (optional)`}
        hint={<KeyHint presetId={preset.id} />}
        type="password"
        required={isVendor}
        limit={1000}
        autoComplete="off"
        value={draft.apiKey}
        error={fieldMessage(error, 'apiKey')}
        onChange={(event) => change({ apiKey: event.target.value })}
      />
      <div className="flex flex-wrap items-start gap-12">
        <Button
          busy={test.isPending}
          disabled={isVendor && draft.apiKey.trim() === ''}
          onClick={() => test.mutate(undefined)}
        >
          Test
        </Button>
        <div role="status" className="min-w-0 flex-1 py-4 text-13">
          {trial && <Result trial={trial} />}
        </div>
      </div>
      {trial && trial.models.length > 0 && (
        <div ref={reveal}>
          <Select
            label="Default model"
            hint={t`For agents without their own model. Prices are in US dollars per million tokens.`}
            value={model}
            onChange={(event) => change({ model: event.target.value }, true)}
          >
            {currentDefault !== null && <option value="">{t`Keep ${currentDefault}`}</option>}
            {trial.models.map((option) => (
              <option key={option.name} value={option.name}>
                {optionLabel(option)}
              </option>
            ))}
          </Select>
        </div>
      )}
      <details className="text-13">
        <summary className="cursor-pointer text-neutral-11 hover:text-neutral-12">More settings</summary>
        <div className="flex flex-col gap-16 pt-12">
          {isVendor && <AddressFields draft={draft} change={change} error={error} />}
          {!isVendor && <ModelNamesField draft={draft} update={change} error={error} />}
          <TextField
            label="ID"
            hint={t`Its models are named ${slug || 'id'}/model. You can’t change this later.`}
            autoComplete="off"
            spellCheck={false}
            value={slug}
            error={fieldMessage(error, 'slug')}
            onChange={(event) => change({ slug: event.target.value }, true)}
          />
        </div>
      </details>
    </FormDialog>
  )
}

/** The footer covers the end of a long dialog. */
const reveal = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

/** Back to the page that led here, such as Home's first steps. */
function useClose() {
  const canGoBack = useCanGoBack()
  const { history } = useRouter()
  const navigate = useNavigate()
  return () => (canGoBack ? history.back() : void navigate({ to: '/settings/organization/models' }))
}

interface AddressFieldsProps {
  draft: ProviderDraft
  change: (edits: Edits) => void
  error: unknown
}

const AddressFields = ({ draft, change, error }: AddressFieldsProps) => (
  <>
    <NameField draft={draft} update={change} error={error} />
    <UrlField draft={draft} update={change} error={error} />
  </>
)

function KeyHint({ presetId }: { presetId: string }) {
  const keyUrl = PROVIDER_PRESETS.find(({ id }) => id === presetId)?.keyUrl
  return (
    <>
      Stored encrypted and never shown again.{' '}
      {keyUrl && (
        <a
          href={keyUrl}
          target="_blank"
          rel="noreferrer"
          className="text-selection-text underline underline-offset-2"
        >
          Get a key
        </a>
      )}
    </>
  )
}

/** What a provider says is untrusted, so it's shown as a quotation. */
function Result({ trial: { ok, model, durationMs, problem, words, status } }: { trial: Trial }) {
  if (ok)
    return (
      <p className="flex items-start gap-8 text-good-text">
        <CircleCheck aria-hidden className="icon mt-2 shrink-0" />
        <span>
          <Name>{model!}</Name> replied in {formatSeconds(Math.max(SHORTEST_MS, durationMs ?? 0))}.
        </span>
      </p>
    )
  return (
    <div className="flex items-start gap-8">
      <CircleX aria-hidden className="icon mt-2 shrink-0 text-bad-text" />
      <div className="min-w-0">
        <p className="text-bad-text">{problem}</p>
        {words && !problem?.includes(words) && (
          <blockquote className="wrap-anywhere mt-4 rounded-control bg-inset px-8 py-4 font-mono text-12">
            {status !== null && `${status} `}
            <Name>{words}</Name>
          </blockquote>
        )}
      </div>
    </div>
  )
}

const seconds = new Intl.NumberFormat(LOCALE, {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'long',
  maximumFractionDigits: 1,
})
/** Not `0 seconds`. */
const SHORTEST_MS = 100
const formatSeconds = (ms: number) => seconds.format(ms / 1000)

const optionLabel = ({ name, pricing }: Trial['models'][number]) =>
  pricing ? t`${name} – ${priceLabel(pricing.input)} in, ${priceLabel(pricing.output)} out` : name
