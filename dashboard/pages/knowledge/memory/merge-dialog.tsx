import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MEMORY_LIMITS } from '../../../../contract/knowledge/memory-options.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { type Memory, memoriesQuery, refreshMemory } from '../../../api/memory.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'

/** Merges another memory of the same project or organization into this one. */
export function MergeDialog({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const list = useInfiniteQuery(memoriesQuery({ space: memory.projectId ?? 'org', status: 'active' }))
  const others = list.data?.pages.flatMap((page) => page.items).filter(({ id }) => id !== memory.id) ?? []
  const [otherId, setOtherId] = useState('')
  const [content, setContent] = useState(memory.content)
  const merge = useMutation({
    mutationFn: () => api.memory.merge({ id: memory.id, otherId, content }),
    onSuccess: async () => {
      await refreshMemory()
      toast('Merged; the versions keep both former texts')
      onClose()
    },
  })
  const choose = (id: string) => {
    setOtherId(id)
    const other = others.find((each) => each.id === id)
    if (other) setContent(`${memory.content}\n\n${other.content}`)
  }
  return (
    <FormDialog
      title={withNames`Merge into ${memory.key}`}
      size="normal"
      action="Merge"
      lead="The other memory is removed. The versions of this one keep both former texts."
      failure={failureMessage(merge.error)}
      busy={merge.isPending}
      onSubmit={() => merge.mutate()}
      onClose={onClose}
    >
      <Select label="Other memory" required value={otherId} onChange={(event) => choose(event.target.value)}>
        <option value="">Choose a memory</option>
        {others.map(({ id, key }) => (
          <option key={id} value={id}>
            {key}
          </option>
        ))}
      </Select>
      <TextArea
        label="Content"
        required
        rows={10}
        limit={MEMORY_LIMITS.content}
        counted
        value={content}
        onChange={(event) => setContent(event.target.value)}
      />
    </FormDialog>
  )
}
