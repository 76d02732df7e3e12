import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Agent, cacheAgent } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

export const NewAgentNote = () => (
  <Note>You can view agents. To create them, you need edit access in a workspace.</Note>
)

export function AgentNotes({ agent, canEditAny }: { agent: Agent; canEditAny: boolean | undefined }) {
  const canEdit = canEditAny && agent.canEdit
  return (
    <>
      {canEditAny === false && (
        <Note>You can view this agent. To create agents, you need edit access in a workspace.</Note>
      )}
      {canEditAny && !agent.canEdit && (
        <Note>
          {agent.createdBy === null
            ? t`You can use this agent but not change it. Only admins and owners can.`
            : t`You can use this agent but not change it. Only its creator, admins and owners can.`}
        </Note>
      )}
      {agent.archivedAt && (
        <Note warning>
          <span>This agent is archived. It can’t start runs or be changed.</span>
          {canEdit && (
            <Button size="small" onClick={() => void setArchived(agent, false)}>
              Unarchive
            </Button>
          )}
        </Note>
      )}
    </>
  )
}

function Note({ warning, children }: { warning?: boolean; children: ReactNode }) {
  const tone = warning ? 'border-warning-line bg-warning-wash' : 'border-neutral-6 bg-inset'
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-8 border-b px-16 py-8 text-13 md:px-24 ${tone}`}
    >
      {children}
    </div>
  )
}

/** The toast offers undo. */
export async function setArchived(agent: Agent, archived: boolean): Promise<void> {
  const { id, name } = agent
  try {
    const changed = await (archived ? api.agents.remove({ id }) : api.agents.unarchive({ id }))
    const undo = { label: t`Undo`, run: () => void setArchived(changed, !archived) }
    toast(archived ? withNames`Archived ${name}` : withNames`Unarchived ${name}`, undo)
    await cacheAgent(changed)
  } catch (error) {
    toastFailure(error)
  }
}
