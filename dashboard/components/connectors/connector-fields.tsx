import { useState } from 'react'
import { CONNECTION_LIMITS } from '../../../contract/connections/connector-options.ts'
import { t } from '../../../contract/text.ts'
import type { Connector } from '../../api/connections.ts'
import { TextField } from '../forms/field.tsx'
import { PasswordField } from '../forms/password-field.tsx'
import { localizeConnectorText } from './connector-texts.ts'

export type ConnectorField = Connector['configFields'][number]
export type FieldValues = Record<string, string>

interface ConnectorFieldsProps {
  fields: readonly ConnectorField[]
  values: FieldValues
  onChange: (values: FieldValues) => void
  errorOf: (key: string) => string | undefined
}

/** Required before or instead of authorization. */
export function ConnectorFields({ fields, values, onChange, errorOf }: ConnectorFieldsProps) {
  const [blurredKeys, setBlurredKeys] = useState<readonly string[]>([])
  return fields.map((field) => {
    const { key, required, secret, placeholder } = field
    const label = localizeConnectorText(field.label)
    const hint = field.hint ? localizeConnectorText(field.hint) : undefined
    const value = values[key] ?? ''
    const mismatch =
      blurredKeys.includes(key) && !matches(field, value)
        ? t`${label} doesn’t have the expected format.`
        : undefined
    const Input = secret ? PasswordField : TextField
    return (
      <Input
        key={key}
        label={required ? label : t`${label} (optional)`}
        hint={hint}
        error={mismatch ? `${mismatch} ${hint ?? ''}`.trim() : errorOf(key)}
        required={required}
        limit={CONNECTION_LIMITS.field}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder ?? undefined}
        value={value}
        onChange={(event) => onChange({ ...values, [key]: event.target.value })}
        onBlur={() => setBlurredKeys([...blurredKeys, key])}
      />
    )
  })
}

export function matches({ pattern }: Pick<ConnectorField, 'pattern'>, value: string): boolean {
  const text = value.trim()
  return !pattern || text === '' || new RegExp(`^(?:${pattern})$`, 'u').test(text)
}

/** Without empty values, as the API takes them. */
export const enteredValues = (fields: readonly ConnectorField[], values: FieldValues): FieldValues =>
  Object.fromEntries(
    fields.map(({ key }) => [key, values[key]?.trim() ?? '']).filter(([, value]) => value !== ''),
  )
