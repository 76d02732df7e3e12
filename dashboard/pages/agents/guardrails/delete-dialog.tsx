import { type Guardrail, refreshGuardrails } from '../../../api/guardrails.ts'
import { skillApi } from '../../../api/skills.ts'
import { DeleteDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Name } from '../../../components/name.tsx'

export function DeleteGuardrailDialog({ guardrail, onClose }: { guardrail: Guardrail; onClose: () => void }) {
  const { id, name, everywhere, agents } = guardrail
  const users = everywhere
    ? 'All agents work'
    : agents.length === 1
      ? 'One agent works'
      : `${agents.length} agents work`
  return (
    <DeleteDialog
      kind="guardrail"
      name={name}
      remove={() => skillApi.guardrails.remove({ id })}
      refresh={refreshGuardrails}
      onClose={onClose}
    >
      {users} without <Name>{name}</Name> from their next step on. You can turn it off instead.
    </DeleteDialog>
  )
}
