import { useInfiniteQuery } from '@tanstack/react-query'
import { MEMORY_LIMITS } from '../../../../contract/knowledge/memory-options.ts'
import { t } from '../../../../contract/text.ts'
import { fieldMessage } from '../../../api/explain.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { InlineSelect, Select } from '../../../components/forms/select.tsx'
import { TagEditor } from '../../../components/forms/tag-editor.tsx'

export interface MemoryText {
  key: string
  content: string
  tags: string[]
}

interface MemoryFieldsProps {
  text: MemoryText
  error: unknown
  onChange: (text: MemoryText) => void
}

export function MemoryFields({ text, error, onChange }: MemoryFieldsProps) {
  const errorOf = (field: string) => fieldMessage(error, field)
  return (
    <>
      <TextField
        label="Key"
        hint="A short name. Saving with the same key replaces the text."
        required
        autoComplete="off"
        data-autofocus
        limit={MEMORY_LIMITS.key}
        value={text.key}
        error={errorOf('key')}
        onChange={(event) => onChange({ ...text, key: event.target.value })}
      />
      <TextArea
        label="Content"
        required
        rows={8}
        limit={MEMORY_LIMITS.content}
        value={text.content}
        error={errorOf('content')}
        onChange={(event) => onChange({ ...text, content: event.target.value })}
      />
      <TagEditor label="Tags" tags={text.tags} onChange={(tags) => onChange({ ...text, tags })} />
    </>
  )
}

function useSpaces() {
  const { data } = useInfiniteQuery(projectsQuery({}))
  const projects = data?.pages.flatMap((page) => page.items) ?? []
  return [
    { value: 'org', label: t`The organization` },
    ...projects.map(({ id, name }) => ({ value: id, label: name })),
  ]
}

interface SpaceFilterProps {
  space: string | undefined
  /** Without the organization itself. */
  projectsOnly?: boolean
  onChange: (space: string | undefined) => void
}

/** Hidden without a project to choose. */
export function SpaceFilter({ space, projectsOnly, onChange }: SpaceFilterProps) {
  const [organization, ...projects] = useSpaces()
  if (projects.length === 0 && space === undefined) return null
  return (
    <InlineSelect
      small
      narrow
      label="Project"
      value={space ?? ''}
      options={[{ value: '', label: t`Any project` }, ...(projectsOnly ? [] : [organization!]), ...projects]}
      onChoose={(value) => onChange(value || undefined)}
    />
  )
}

export function SpaceSelect({ space, onChange }: { space: string; onChange: (space: string) => void }) {
  return (
    <Select label="For" value={space} onChange={(event) => onChange(event.target.value)}>
      {useSpaces().map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  )
}
