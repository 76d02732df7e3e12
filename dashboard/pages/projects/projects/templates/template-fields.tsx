import { TextArea, TextField } from '../../../../components/forms/field.tsx'

export interface TemplateDraft {
  name: string
  description: string
}

interface TemplateFieldsProps {
  draft: TemplateDraft
  onChange: (draft: TemplateDraft) => void
}

export const TemplateFields = ({ draft, onChange }: TemplateFieldsProps) => (
  <>
    <TextField
      label="Name"
      required
      limit={255}
      autoComplete="off"
      data-autofocus
      value={draft.name}
      onChange={(event) => onChange({ ...draft, name: event.target.value })}
    />
    <TextArea
      label="Description"
      hint="Describe when to use the template."
      limit={1000}
      rows={3}
      value={draft.description}
      onChange={(event) => onChange({ ...draft, description: event.target.value })}
    />
  </>
)

/** The fields as the API takes them. */
export const templateOf = ({ name, description }: TemplateDraft) => ({
  name,
  description: description.trim() || null,
})
