import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../../../client/client.ts'
import { t } from '../../../../../contract/text.ts'
import { type Agent, cacheAgent, ifMatchVersion } from '../../../../api/agents.ts'
import { api } from '../../../../api/client.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { toast } from '../../../../components/toast.tsx'
import { changedSettings, type Draft, toDraft } from './draft.ts'

/** Sends only changed settings, and reports if another user has changed the agent since the first edit. */
export function useAgentEditor(agent: Agent) {
  const { id } = agent
  const { draft, update, changed, isChanged, version, discard } = useDraft(toDraft(agent), agent.version)
  const save = useMutation({
    mutationFn: ({ overwrite }: { overwrite: boolean }) =>
      api.agents.update({ id, ...changed }, overwrite ? {} : ifMatchVersion(version)),
    onSuccess: async (saved) => {
      discard()
      toast(t`Published version ${saved.version}`)
      await cacheAgent(saved)
    },
  })
  const isStale = save.error instanceof ApiFailure && save.error.code === 'PRECONDITION_FAILED'
  return {
    draft,
    update,
    isChanged,
    save: {
      error: isStale ? null : save.error,
      isPending: save.isPending,
      run: () => save.mutate({ overwrite: false }),
    },
    discard: () => {
      discard()
      save.reset()
    },
    /** Set while another user's change conflicts with the edits. */
    conflict: isStale
      ? {
          id,
          since: version,
          fields: Object.keys(changed),
          onReload: async () => {
            discard()
            save.reset()
            await queryClient.invalidateQueries({ queryKey: ['agents'] })
          },
          onOverwrite: () => save.mutate({ overwrite: true }),
          onClose: () => save.reset(),
        }
      : null,
  }
}

export type AgentEditor = ReturnType<typeof useAgentEditor>

/** Unedited settings show others' changes. `version` is what the user saw at the first edit. */
export function useDraft(saved: Draft, savedVersion: number) {
  const [edits, setEdits] = useState<Partial<Draft>>({})
  const [version, setVersion] = useState<number | null>(null)
  const draft = { ...saved, ...edits }
  const changed = changedSettings(saved, draft)
  return {
    draft,
    changed,
    isChanged: Object.keys(changed).length > 0,
    version: version ?? savedVersion,
    update: (change: Partial<Draft>) => {
      setVersion((seen) => seen ?? savedVersion)
      setEdits((previous) => ({ ...previous, ...change }))
    },
    discard: () => {
      setEdits({})
      setVersion(null)
    },
  }
}
