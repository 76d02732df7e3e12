import { fieldMessage } from '../../api/explain.ts'
import { TextField } from '../../components/forms/field.tsx'

export interface ProviderDraft {
  name: string
  url: string
  apiKey: string
  models: string
}

interface ProviderFieldsProps {
  draft: ProviderDraft
  update: (change: Partial<ProviderDraft>) => void
  error: unknown
  /** Vendors list their own models. */
  isVendor: boolean
  keyLabel: string
  keyHint: string
  isKeyRequired: boolean
}

export function ProviderFields(props: ProviderFieldsProps) {
  const { draft, update, error, isVendor, keyLabel, keyHint, isKeyRequired } = props
  return (
    <>
      <NameField draft={draft} update={update} error={error} />
      <UrlField draft={draft} update={update} error={error} />
      <TextField
        label={keyLabel}
        hint={keyHint}
        type="password"
        required={isKeyRequired}
        limit={1000}
        autoComplete="off"
        value={draft.apiKey}
        error={fieldMessage(error, 'apiKey')}
        onChange={(event) => update({ apiKey: event.target.value })}
      />
      {!isVendor && <ModelNamesField draft={draft} update={update} error={error} />}
    </>
  )
}

type FieldProps = Pick<ProviderFieldsProps, 'draft' | 'update' | 'error'>
const INPUT = { autoComplete: 'off', spellCheck: false }

export const NameField = ({ draft, update, error }: FieldProps) => (
  <TextField
    {...INPUT}
    label="Name"
    required
    limit={80}
    value={draft.name}
    error={fieldMessage(error, 'name')}
    onChange={(event) => update({ name: event.target.value })}
  />
)

export const UrlField = ({ draft, update, error }: FieldProps) => (
  <TextField
    {...INPUT}
    label="Base URL"
    required
    limit={2000}
    placeholder="https://llm.example.com/v1"
    value={draft.url}
    error={fieldMessage(error, 'url')}
    onChange={(event) => update({ url: event.target.value })}
  />
)

export const ModelNamesField = ({ draft, update, error }: FieldProps) => (
  <TextField
    {...INPUT}
    label="Models (optional)"
    hint="Separate with commas. Leave empty to use every model the server lists."
    value={draft.models}
    error={fieldMessage(error, 'models')}
    onChange={(event) => update({ models: event.target.value })}
  />
)

const FIELDS = ['name', 'url', 'apiKey', 'models', 'slug']

/** Field errors show at the field, not above the form. */
export const hasFieldError = (error: unknown) => FIELDS.some((field) => fieldMessage(error, field))
