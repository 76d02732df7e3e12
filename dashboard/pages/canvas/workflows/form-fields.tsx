import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { commentApi, peopleQuery } from '../../../api/comments.ts'
import { Button } from '../../../components/button.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { Name } from '../../../components/name.tsx'
import { useCanvas } from '../canvas-context.ts'
import { type FormFieldDraft, NEW_FIELD } from './step-draft.ts'
import type { StepFieldsProps } from './wait-fields.tsx'

const FIELDS_MAX = 30

const FIELD_LABELS = {
  text: t`Short text`,
  long_text: t`Long text`,
  number: t`Number`,
  boolean: t`Yes or no`,
  date: t`Date`,
  choice: t`Choice`,
}

export function FormFields({
  draft: { fields, people },
  change,
  blockId,
}: StepFieldsProps & { blockId: string }) {
  const { project } = useCanvas()
  const [search, setSearch] = useState('')
  const subject = { target: `block:${blockId}`, projectId: project.id } as const
  const members = useQuery(peopleQuery(commentApi, subject, search))
  const update = (index: number, part: Partial<FormFieldDraft>) =>
    change({ fields: fields.map((field, at) => (at === index ? { ...field, ...part } : field)) })
  const toggle = (id: string) =>
    change({ people: people.includes(id) ? people.filter((person) => person !== id) : [...people, id] })
  return (
    <>
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no id and are never reordered
        <fieldset key={index} className="flex flex-col gap-12 rounded-control border border-neutral-6 p-12">
          <div className="flex items-end gap-8">
            <div className="min-w-0 flex-1">
              <TextField
                label={t`Field ${index + 1}`}
                limit={200}
                value={field.label}
                onChange={(event) => update(index, { label: event.target.value })}
              />
            </div>
            {fields.length > 1 && (
              <Button
                look="quiet"
                size="icon"
                aria-label={t`Remove field ${index + 1}`}
                onClick={() => change({ fields: fields.filter((_, at) => at !== index) })}
              >
                <Trash2 aria-hidden className="icon" />
              </Button>
            )}
          </div>
          <Select
            label="Type"
            value={field.type}
            onChange={(event) => update(index, { type: event.target.value })}
          >
            {Object.entries(FIELD_LABELS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          {field.type === 'choice' && (
            <TextArea
              label="Choices, one per line"
              rows={3}
              value={field.options}
              onChange={(event) => update(index, { options: event.target.value })}
            />
          )}
          <Switch
            label={t`Required`}
            checked={field.required}
            onChange={(required) => update(index, { required })}
          />
        </fieldset>
      ))}
      {fields.length < FIELDS_MAX && (
        <div>
          <Button size="small" onClick={() => change({ fields: [...fields, NEW_FIELD] })}>
            <Plus aria-hidden className="icon" />
            Add field
          </Button>
        </div>
      )}
      <fieldset className="flex flex-col gap-4">
        <legend className="pb-4 font-medium text-13">Who answers</legend>
        <p className="pb-4 text-12 text-neutral-11">
          {people.length === 0
            ? t`Everyone who can edit the project.`
            : people.length === 1
              ? t`Only one chosen member.`
              : t`Only ${people.length} chosen members.`}
        </p>
        <TextField
          label="Find members"
          labelHidden
          placeholder="Find members"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {members.data?.items.map(({ id, name }) => (
          <label key={id} className="flex min-h-32 items-center gap-8 text-13">
            <input type="checkbox" checked={people.includes(id)} onChange={() => toggle(id)} />
            <span className="min-w-0 truncate">
              <Name>{name}</Name>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  )
}
