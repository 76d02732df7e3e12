import { MEMORY_LIMITS } from '../../../../contract/knowledge/memory-options.ts'
import { fieldMessage } from '../../../api/explain.ts'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
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
        hint="A short name. Saving under the same key replaces the text."
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
