import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { refreshMemory, scopeParameters } from '../../../api/memory.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { toast } from '../../../components/toast.tsx'
import { MemoryFields, type MemoryText } from './memory-fields.tsx'
import { SpaceSelect } from './space-select.tsx'

const EMPTY: MemoryText = { key: '', content: '', tags: [] }

export function NewMemoryDialog({ space, onClose }: { space: string | undefined; onClose: () => void }) {
  const [chosenSpace, setChosenSpace] = useState(space ?? 'org')
  const [text, setText] = useState(EMPTY)
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: () => api.memory.create({ ...scopeParameters(chosenSpace), ...text }),
    onSuccess: async ({ id, key, version }) => {
      await refreshMemory()
      toast(version === 1 ? `Saved ${key}` : `Replaced ${key}; its versions keep the former text`)
      onClose()
      await navigate({ to: '/memory', search: (previous) => ({ ...previous, id }) })
    },
  })
  return (
    <FormDialog
      title="New memory"
      size="normal"
      action="Save"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <SpaceSelect space={chosenSpace} onChange={setChosenSpace} />
      <MemoryFields text={text} error={save.error} onChange={setText} />
    </FormDialog>
  )
}
