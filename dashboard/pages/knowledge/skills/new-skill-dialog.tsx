import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { refreshSkills, skillApi } from '../../../api/skills.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'

export function NewSkillDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => skillApi.skills.create({ name, description }),
    onSuccess: async ({ id }) => {
      await refreshSkills()
      onClose()
      await navigate({ to: '/skills/$id', params: { id } })
    },
  })
  const errorOf = (field: string) => fieldMessage(create.error, field)
  return (
    <FormDialog
      title="New skill"
      action="Create skill"
      failure={failureMessage(create.error)}
      busy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Lowercase letters, digits and hyphens."
        required
        autoComplete="off"
        data-autofocus
        placeholder="release-notes"
        limit={SKILL_LIMITS.name}
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Description"
        hint="The purpose of the skill, and when to use it. Agents use it to choose skills."
        required
        rows={3}
        limit={SKILL_LIMITS.description}
        value={description}
        error={errorOf('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  )
}
