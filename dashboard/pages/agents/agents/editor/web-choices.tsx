import { t } from '../../../../../contract/text.ts'
import { TextField } from '../../../../components/forms/field.tsx'
import { WebSearchNote } from '../web-search-note.tsx'
import type { FieldsProps } from './draft.ts'

const INPUT = { autoComplete: 'off', spellCheck: false }

export function WebChoices({ draft: { web }, update, errorOf }: FieldsProps) {
  const fieldOf = (name: keyof typeof web) => ({
    ...INPUT,
    placeholder: 'example.com, example.org',
    value: web[name],
    error: errorOf(`web.${name}`),
    onChange: (event: { target: { value: string } }) =>
      update({ web: { ...web, [name]: event.target.value } }),
  })
  return (
    <>
      <WebSearchNote />
      <TextField
        {...fieldOf('allowedDomains')}
        label="Only these domains"
        hint={t`Separate with commas. Leave empty for all. Subdomains are included.`}
      />
      <TextField
        {...fieldOf('deniedDomains')}
        label="Never these domains"
        hint="The agent neither finds nor reads their pages."
      />
    </>
  )
}
