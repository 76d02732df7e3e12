import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import { type Agent, matching, showChanged } from '../../api/agents.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { toast } from '../../components/toast.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { AgentForm } from './editor/agent-form.tsx'
import { draftOf } from './editor/draft.ts'
import { useDraft } from './editor/use-draft.ts'

interface AgentEditorProps {
  agent: Agent
  /** False for a viewer, whose form is read-only. */
  canEdit: boolean
  /** Beside the settings on wide screens. */
  aside?: ReactNode
}

/** Sends only changed settings, and asks if another user has changed the agent since the first edit. */
export function AgentEditor({ agent, canEdit, aside }: AgentEditorProps) {
  const { id } = agent
  const { draft, update, changed, isChanged, version, discard } = useDraft(draftOf(agent), agent.version)
  const save = useMutation({
    mutationFn: ({ overwrite }: { overwrite: boolean }) =>
      api.agents.update({ id, ...changed }, overwrite ? {} : matching(version)),
    onSuccess: async (saved) => {
      discard()
      toast('Saved')
      await showChanged(saved)
    },
  })
  const isStale = save.error instanceof ApiFailure && save.error.code === 'PRECONDITION_FAILED'
  const reload = async () => {
    discard()
    save.reset()
    await queryClient.invalidateQueries({ queryKey: ['agents'] })
  }
  return (
    <>
      <AgentForm
        draft={draft}
        update={update}
        isChanged={isChanged}
        save={{
          error: isStale ? null : save.error,
          isPending: save.isPending,
          run: () => save.mutate({ overwrite: false }),
        }}
        onDiscard={() => {
          discard()
          save.reset()
        }}
        action="Save changes"
        warnings={agent.warnings}
        disabled={agent.archivedAt !== null || !canEdit}
        aside={aside}
      />
      {isStale && (
        <ConflictDialog
          id={id}
          since={version}
          fields={Object.keys(changed)}
          onReload={reload}
          onOverwrite={() => save.mutate({ overwrite: true })}
          onClose={() => save.reset()}
        />
      )}
    </>
  )
}
