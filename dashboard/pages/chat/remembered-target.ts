import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { localStore } from '../../state/local-storage.ts'

export interface Target {
  projectId?: string
  agentId?: string
}

/** The project and the agent of the latest new chat, in this browser. */
export function useTarget(initial: Target) {
  const { user, organization } = useSession()
  const key = `atrium.chat-target.${user.id}.${organization.id}`
  const [target, setTarget] = useState<Target>(() => ({ ...read(key), ...initial }))
  return {
    target,
    choose: (change: Target) => {
      const next = { ...target, ...change }
      setTarget(next)
      localStore.write(key, JSON.stringify(next))
    },
  }
}

function read(key: string): Target {
  try {
    const { projectId, agentId } = JSON.parse(localStore.read(key) ?? '{}')
    return {
      ...(typeof projectId === 'string' && { projectId }),
      ...(typeof agentId === 'string' && { agentId }),
    }
  } catch {
    return {}
  }
}
