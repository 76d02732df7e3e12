import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  SEARCH_PROVIDER_KINDS,
  SEARCH_PROVIDERS,
  type SearchProviderKind,
} from '../../../../contract/knowledge/search-providers.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { type WebSearchState, webSearchQuery } from '../../../api/web-search.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'

const INPUT = { autoComplete: 'off', spellCheck: false }
const FIELDS = ['url', 'engineId', 'apiKey', 'pricePerSearch']

export function ProviderForm({ settings }: { settings: WebSearchState['settings'] }) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<SearchProviderKind>(settings?.kind ?? 'searxng')
  const { name, url: defaultUrl, needsKey, needsEngine, keyUrl, hint, listPrice } = SEARCH_PROVIDERS[kind]
  const isModel = kind === 'model'
  const own = settings?.kind === kind ? settings : null
  const [url, setUrl] = useState(settings?.url ?? '')
  const [engineId, setEngineId] = useState(settings?.engineId ?? '')
  const [apiKey, setApiKey] = useState('')
  const [price, setPrice] = useState(settings?.pricePerSearch?.toString() ?? '')
  const isSameServer = own !== null && (url.trim() || null) === own.url
  const save = useMutation({
    mutationFn: () =>
      organizationApi.webSearch.put({
        kind,
        ...(url.trim() && { url: url.trim() }),
        ...(needsEngine && { engineId: engineId.trim() }),
        ...(apiKey.trim() && { apiKey: apiKey.trim() }),
        pricePerSearch: price.trim() === '' ? null : Number(price),
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: webSearchQuery.queryKey })
      toast(t`Web search provider saved`)
    },
  })
  const { error } = save
  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      <Select
        label="Provider"
        hint={hint ?? undefined}
        value={kind}
        onChange={(event) => {
          setKind(event.target.value as SearchProviderKind)
          setUrl('')
          // Keys belong to one provider.
          setApiKey('')
          setPrice('')
          save.reset()
        }}
      >
        {SEARCH_PROVIDER_KINDS.map((each) => (
          <option key={each} value={each}>
            {SEARCH_PROVIDERS[each].name}
          </option>
        ))}
      </Select>
      {!isModel && (
        <TextField
          {...INPUT}
          label={defaultUrl === null ? t`URL` : t`URL (optional)`}
          hint={
            defaultUrl === null
              ? t`Must be public. Only this server’s operator can use a private address.`
              : t`Leave empty for ${defaultUrl}.`
          }
          required={defaultUrl === null}
          limit={2000}
          placeholder={defaultUrl ?? 'https://searx.example.com'}
          value={url}
          error={fieldMessage(error, 'url')}
          onChange={(event) => setUrl(event.target.value)}
        />
      )}
      {needsEngine && (
        <TextField
          {...INPUT}
          label="Search engine ID"
          hint="Google calls it cx."
          required
          limit={200}
          value={engineId}
          error={fieldMessage(error, 'engineId')}
          onChange={(event) => setEngineId(event.target.value)}
        />
      )}
      {!isModel && (
        <TextField
          {...INPUT}
          type="password"
          label={own?.hasKey ? t`Replace API key` : needsKey ? t`API key` : t`API key (optional)`}
          hint={hintOf(own, isSameServer)}
          required={needsKey && !(own?.hasKey && isSameServer)}
          limit={1000}
          value={apiKey}
          error={fieldMessage(error, 'apiKey')}
          onChange={(event) => setApiKey(event.target.value)}
        />
      )}
      <TextField
        {...INPUT}
        type="number"
        inputMode="decimal"
        min={0}
        max={100}
        step="any"
        label="Price per search in USD (optional)"
        hint={priceHint(kind, listPrice)}
        placeholder={listPrice?.toString()}
        value={price}
        error={fieldMessage(error, 'pricePerSearch')}
        onChange={(event) => setPrice(event.target.value)}
      />
      {!FIELDS.some((field) => fieldMessage(error, field)) && (
        <FormFailure>{failureMessage(error)}</FormFailure>
      )}
      <div className="flex flex-wrap items-center gap-16">
        <Button type="submit" look="primary" busy={save.isPending}>
          Save
        </Button>
        {keyUrl && (
          <a href={keyUrl} target="_blank" rel="noreferrer" className="text-13 text-link hover:underline">
            {t`Get a key from ${name}`}
          </a>
        )}
      </div>
    </form>
  )
}

function hintOf(own: WebSearchState['settings'], isSameServer: boolean): string {
  if (!own?.hasKey) return t`Stored encrypted and never shown again.`
  if (!isSameServer)
    return t`Required with a new URL, because the stored key is never sent to another server.`
  return t`Leave empty to keep the current key${own.lastFour ? t`, which ends with ${own.lastFour}` : ''}.`
}

/** Costs of searches count in budgets, which refuse what they can't count. */
function priceHint(kind: SearchProviderKind, listPrice: number | null): string {
  if (kind === 'model')
    return t`Leave empty for the list prices of OpenAI and Anthropic. Google’s depends on the model: with a budget, agents can’t search there without a price.`
  if (listPrice === 0) return t`Leave empty if searches are free.`
  return listPrice === null
    ? t`Counts in usage and budgets. With a budget, agents can’t search without it.`
    : t`Counts in usage and budgets. Leave empty for the list price.`
}
